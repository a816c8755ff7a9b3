import { createHash } from 'node:crypto'
import { NODE_DIRECTORY, ROOT_ID, type NODE_FILE, type TreeNode, type TreeOperation } from '@boxyard/protocol'

export type NodeType = typeof NODE_FILE | typeof NODE_DIRECTORY

interface Node {
  id: string
  type: NodeType
  name: string
  parent: Node | null
  /** Null for files. */
  children: Map<string, Node> | null
}

/** The id of a file or folder first seen on disk. The same path has the same id after a restart. */
export function derivedId(path: string): string {
  return createHash('sha256').update(path).digest('base64url').slice(0, 22)
}

/**
 * The tree that clients mirror. Paths are relative to the workspace, `''` is the root, parts are joined by `/`. Pure: it knows
 * nothing of a disk and refuses nothing that it can hold.
 */
export class FileTree {
  readonly #root: Node = { id: ROOT_ID, type: NODE_DIRECTORY, name: '', parent: null, children: new Map() }
  readonly #byId = new Map<string, Node>([[ROOT_ID, this.#root]])

  has(id: string): boolean {
    return this.#byId.has(id)
  }

  typeOf(id: string): NodeType | undefined {
    return this.#byId.get(id)?.type
  }

  pathOf(id: string): string | undefined {
    const node = this.#byId.get(id)
    return node && pathOfNode(node)
  }

  idAt(path: string): string | undefined {
    return this.#nodeAt(path)?.id
  }

  childNames(id: string): string[] {
    return [...(this.#byId.get(id)?.children?.keys() ?? [])]
  }

  /** Every node, parents before their children. */
  nodes(): TreeNode[] {
    const out: TreeNode[] = []
    const visit = (node: Node): void => {
      const { id, type, name, parent } = node
      out.push(parent ? { id, type, name, parentId: parent.id } : { id, type })
      for (const child of node.children?.values() ?? []) visit(child)
    }
    visit(this.#root)
    return out
  }

  /** Ids and paths of a node and everything below it. */
  subtree(id: string): { id: string; path: string; type: NodeType }[] {
    const out: { id: string; path: string; type: NodeType }[] = []
    const visit = (node: Node, path: string): void => {
      out.push({ id: node.id, path, type: node.type })
      for (const child of node.children?.values() ?? [])
        visit(child, path === '' ? child.name : `${path}/${child.name}`)
    }
    const node = this.#byId.get(id)
    if (node) visit(node, pathOfNode(node))
    return out
  }

  /** Whether the operation can be applied: clients fail on one that can't. */
  accepts(operation: TreeOperation): boolean {
    if (operation.type === 'create') {
      const parent = this.#byId.get(operation.parentId)
      const { id, name } = operation.newEntry
      return parent?.children != null && !parent.children.has(name) && !this.#byId.has(id)
    }
    const node = this.#byId.get(operation.id)
    if (!node?.parent) return false
    if (operation.type === 'delete') return true
    const target = operation.parentId === undefined ? node.parent : this.#byId.get(operation.parentId)
    if (!target?.children) return false
    for (let above: Node | null = target; above; above = above.parent) if (above === node) return false
    const there = target.children.get(operation.name ?? node.name)
    return there === undefined
  }

  apply(operation: TreeOperation): void {
    if (!this.accepts(operation)) throw new Error(`The tree can't ${operation.type}`)
    if (operation.type === 'create') {
      const parent = this.#byId.get(operation.parentId)!
      const { id, type, name } = operation.newEntry
      const node: Node = { id, type, name, parent, children: type === NODE_DIRECTORY ? new Map() : null }
      parent.children!.set(name, node)
      this.#byId.set(id, node)
      return
    }
    const node = this.#byId.get(operation.id)!
    node.parent!.children!.delete(node.name)
    if (operation.type === 'delete') {
      this.#forget(node)
      return
    }
    node.parent = operation.parentId === undefined ? node.parent! : this.#byId.get(operation.parentId)!
    node.name = operation.name ?? node.name
    node.parent.children!.set(node.name, node)
  }

  #forget(node: Node): void {
    this.#byId.delete(node.id)
    for (const child of node.children?.values() ?? []) this.#forget(child)
  }

  #nodeAt(path: string): Node | undefined {
    let node: Node | undefined = this.#root
    if (path === '') return node
    for (const name of path.split('/')) node = node?.children?.get(name)
    return node
  }
}

function pathOfNode(node: Node): string {
  const names: string[] = []
  for (let at = node; at.parent; at = at.parent) names.push(at.name)
  return names.toReversed().join('/')
}
