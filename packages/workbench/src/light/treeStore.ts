import type { FileTree } from '@boxyard/dev-server-client'

/** The version of the tree: 0 until it was read, another number after each change. */
export interface TreeStore {
  getSnapshot(): number
  subscribe(listener: () => void): () => void
}

export function treeStore(tree: Pick<FileTree, 'ready' | 'onDidChange'>): TreeStore {
  let version = 0
  const listeners = new Set<() => void>()
  const update = () => {
    version += 1
    for (const listener of listeners) listener()
  }
  tree.onDidChange(update)
  void tree.ready.then(update)
  return {
    getSnapshot: () => version,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
