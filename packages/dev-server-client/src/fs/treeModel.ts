import { NODE_DIRECTORY, ROOT_ID } from '@boxyard/protocol'
import type { TreeNode, TreeOperation } from '@boxyard/protocol'

interface Entry {
  readonly id: string
  readonly type: 0 | 1
  name: string
  parent: Entry | undefined
  readonly children: Map<string, Entry>
}

/** What every file has for children: nothing is ever put under a file, and most entries are files. */
const NONE = new Map<string, Entry>()

/** A tree of named entries with ids. Every applied operation can be taken back, the newest first. */
export class TreeModel {
  #entries = new Map<string, Entry>()

  constructor() {
    this.reset([])
  }

  /** Replaces everything. Nodes whose parent is missing are left out. */
  reset(nodes: readonly TreeNode[]): void {
    const root: Entry = { id: ROOT_ID, type: NODE_DIRECTORY, name: '', parent: undefined, children: new Map() }
    this.#entries = new Map([[ROOT_ID, root]])
    const byParent = new Map<string, TreeNode[]>()
    for (const node of nodes) {
      if (node.id === ROOT_ID || typeof node.name !== 'string' || typeof node.parentId !== 'string') continue
      const siblings = byParent.get(node.parentId)
      if (siblings) siblings.push(node)
      else byParent.set(node.parentId, [node])
    }
    const open = [root]
    for (let parent = open.pop(); parent; parent = open.pop()) {
      for (const { id, type, name } of byParent.get(parent.id) ?? []) {
        if (this.#entries.has(id)) continue
        const entry = entryOf({ id, type, name: name! }, parent)
        parent.children.set(entry.name, entry)
        this.#entries.set(id, entry)
        if (type === NODE_DIRECTORY) open.push(entry)
      }
    }
  }

  get(id: string): TreeNode | undefined {
    const entry = this.#entries.get(id)
    return entry && nodeOf(entry)
  }

  children(id: string): TreeNode[] {
    const entry = this.#entries.get(id)
    return entry ? [...entry.children.values()].map(nodeOf) : []
  }

  childNamed(parentId: string, name: string): TreeNode | undefined {
    const child = this.#entries.get(parentId)?.children.get(name)
    return child && nodeOf(child)
  }

  /** `a/b`; the root is the empty text. */
  pathOf(id: string): string | undefined {
    let entry = this.#entries.get(id)
    if (!entry) return undefined
    const names: string[] = []
    for (; entry.parent; entry = entry.parent) names.push(entry.name)
    return names.toReversed().join('/')
  }

  /** Takes `a/b`; the empty text is the root. */
  idOf(path: string): string | undefined {
    let entry = this.#entries.get(ROOT_ID)
    for (const name of path.split('/')) {
      if (name === '' || name === '.') continue
      entry = entry?.children.get(name)
    }
    return entry?.id
  }

  /** Applies an operation and returns what takes it back; undefined when it does not fit this tree. */
  apply(operation: TreeOperation): (() => void) | undefined {
    if (operation.type === 'create') return this.#create(operation)
    const entry = this.#entries.get(operation.id)
    if (!entry?.parent) return undefined
    return operation.type === 'delete' ? this.#remove(entry) : this.#move(entry, operation)
  }

  #create({ parentId, newEntry }: Extract<TreeOperation, { type: 'create' }>): (() => void) | undefined {
    const parent = this.#entries.get(parentId)
    if (!parent || parent.type !== NODE_DIRECTORY || this.#entries.has(newEntry.id)) return undefined
    const replaced = parent.children.get(newEntry.name)
    const restore = replaced && this.#remove(replaced)
    const entry = entryOf(newEntry, parent)
    parent.children.set(entry.name, entry)
    this.#entries.set(entry.id, entry)
    return () => {
      parent.children.delete(entry.name)
      this.#entries.delete(entry.id)
      restore?.()
    }
  }

  #remove(entry: Entry): () => void {
    const parent = entry.parent!
    const removed = [...subtree(entry)]
    parent.children.delete(entry.name)
    for (const { id } of removed) this.#entries.delete(id)
    return () => {
      parent.children.set(entry.name, entry)
      for (const each of removed) this.#entries.set(each.id, each)
    }
  }

  #move(entry: Entry, { parentId, name }: Extract<TreeOperation, { type: 'move' }>): (() => void) | undefined {
    const from = { parent: entry.parent!, name: entry.name }
    const to = { parent: parentId ? this.#entries.get(parentId) : from.parent, name: name ?? from.name }
    if (!to.parent || to.parent.type !== NODE_DIRECTORY) return undefined
    for (let above: Entry | undefined = to.parent; above; above = above.parent) if (above === entry) return undefined
    const replaced = to.parent.children.get(to.name)
    const restore = replaced && replaced !== entry ? this.#remove(replaced) : undefined
    attach(entry, to.parent, to.name)
    return () => {
      attach(entry, from.parent, from.name)
      restore?.()
    }
  }
}

function entryOf({ id, type, name }: { id: string; type: 0 | 1; name: string }, parent: Entry): Entry {
  return { id, type, name, parent, children: type === NODE_DIRECTORY ? new Map() : NONE }
}

function attach(entry: Entry, parent: Entry, name: string): void {
  entry.parent?.children.delete(entry.name)
  entry.parent = parent
  entry.name = name
  parent.children.set(name, entry)
}

function* subtree(entry: Entry): Generator<Entry> {
  yield entry
  for (const child of entry.children.values()) yield* subtree(child)
}

function nodeOf({ id, type, name, parent }: Entry): TreeNode {
  return parent ? { id, type, name, parentId: parent.id } : { id, type }
}
