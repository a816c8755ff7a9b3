import { NODE_DIRECTORY, NODE_FILE, rawFsError, ROOT_ID, type TreeNode, type TreeOperation } from '@boxyard/protocol'

/** One file or folder of the memory box. */
export interface MemoryNode {
  id: string
  type: 0 | 1
  name: string
  parentId: string
  content: Uint8Array
}

/** The file tree of the memory box, by id. */
export class MemoryTree {
  readonly nodes = new Map<string, MemoryNode>()
  readonly #workspacePath: string
  #lastId = 0

  constructor(workspacePath: string, files: Record<string, string>) {
    this.#workspacePath = workspacePath
    this.nodes.set(ROOT_ID, { id: ROOT_ID, type: NODE_DIRECTORY, name: '', parentId: '', content: new Uint8Array() })
    for (const [path, text] of Object.entries(files))
      this.write(`${workspacePath}/${path}`, new TextEncoder().encode(text))
  }

  wire(): TreeNode[] {
    return [...this.nodes.values()].map(({ id, type, name, parentId }) =>
      id === ROOT_ID ? { id, type } : { id, type, name, parentId },
    )
  }

  pathOf(node: MemoryNode): string {
    const parent = this.nodes.get(node.parentId)
    return parent ? `${this.pathOf(parent)}/${node.name}` : this.#workspacePath
  }

  find(path: string): MemoryNode | undefined {
    const inside = path.startsWith(this.#workspacePath) ? path.slice(this.#workspacePath.length) : `/${path}`
    let node = this.nodes.get(ROOT_ID)
    for (const name of inside.split('/').filter(Boolean))
      node = node && this.children(node).find((one) => one.name === name)
    return node
  }

  at(path: string): MemoryNode {
    const node = this.find(path)
    if (!node) throw rawFsError(2, `${path} does not exist`)
    return node
  }

  children(node: MemoryNode): MemoryNode[] {
    return [...this.nodes.values()].filter(({ parentId }) => parentId === node.id)
  }

  /** Writes a file, with the folders above it where they are missing. @returns what was added to the tree */
  write(path: string, content: Uint8Array): TreeOperation[] {
    const known = this.find(path)
    if (known) {
      known.content = content
      return []
    }
    const added: TreeOperation[] = []
    this.#add(path, NODE_FILE, added).content = content
    return added
  }

  mkdir(path: string): TreeOperation[] {
    const added: TreeOperation[] = []
    if (!this.find(path)) this.#add(path, NODE_DIRECTORY, added)
    return added
  }

  remove(path: string): TreeOperation[] {
    const { id } = this.at(path)
    this.apply({ type: 'delete', id })
    return [{ type: 'delete', id }]
  }

  move(from: string, to: string): TreeOperation[] {
    const node = this.at(from)
    const parent = this.at(folderOf(to))
    const operation: TreeOperation = {
      type: 'move',
      id: node.id,
      parentId: parent.id,
      name: to.slice(to.lastIndexOf('/') + 1),
    }
    this.apply(operation)
    return [operation]
  }

  apply(operation: TreeOperation): void {
    if (operation.type === 'create') {
      this.nodes.set(operation.newEntry.id, {
        ...operation.newEntry,
        parentId: operation.parentId,
        content: new Uint8Array(),
      })
    } else if (operation.type === 'delete') {
      const node = this.nodes.get(operation.id)
      if (node) for (const child of this.children(node)) this.apply({ type: 'delete', id: child.id })
      this.nodes.delete(operation.id)
    } else {
      const node = this.nodes.get(operation.id)
      if (!node) return
      node.name = operation.name ?? node.name
      node.parentId = operation.parentId ?? node.parentId
    }
  }

  #add(path: string, type: 0 | 1, added: TreeOperation[]): MemoryNode {
    const parentPath = folderOf(path)
    const parent = this.find(parentPath) ?? this.#add(parentPath, NODE_DIRECTORY, added)
    this.#lastId += 1
    const newEntry = { id: `m${this.#lastId}`, type, name: path.slice(path.lastIndexOf('/') + 1) }
    const operation: TreeOperation = { type: 'create', parentId: parent.id, newEntry }
    this.apply(operation)
    added.push(operation)
    return this.nodes.get(newEntry.id) ?? this.at(path)
  }
}

/** The empty text for what is at the top. */
function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
