import { NODE_DIRECTORY, NODE_FILE, ROOT_ID } from '@boxyard/protocol'
import type { TreeNode } from '@boxyard/protocol'
import { fileError, notADirectory } from './errors.ts'
import type { StoredSandbox } from './storage.ts'

export const WORKSPACE = '/nodebox'

export interface FileNode {
  type: typeof NODE_FILE
  id: string
  shortid: string
  name: string
  parentId: string
  /** Text, or the address of a binary file. */
  code: string
  isBinary: boolean
  ctime: number
  mtime: number
}

export interface DirectoryNode {
  type: typeof NODE_DIRECTORY
  id: string
  /** Null for the root. */
  shortid: string | null
  name: string
  parentId: string | null
}

export type SandboxNode = FileNode | DirectoryNode

/** What people edit elsewhere, or not at all: left out of every list, but for those who ask by name. */
const HIDDEN = /^(?:\.codesandbox|\.devcontainer|\.eslintrc(?:\.\w+)?|eslint\.config\.\w+|\.eslintignore)$/

/** The files and directories of a sandbox by id and by path. */
export class SandboxTree {
  readonly nodes = new Map<string, SandboxNode>()
  /** Counts up with every change. */
  clock = 0

  constructor({ modules, directories }: StoredSandbox) {
    this.nodes.set(ROOT_ID, { type: NODE_DIRECTORY, id: ROOT_ID, shortid: null, name: '', parentId: null })
    for (const { shortid, title, directoryShortid } of directories) {
      this.nodes.set(shortid, {
        type: NODE_DIRECTORY,
        id: shortid,
        shortid,
        name: title,
        parentId: directoryShortid ?? ROOT_ID,
      })
    }
    for (const { shortid, title, directoryShortid, code, isBinary, insertedAt, updatedAt } of modules) {
      this.nodes.set(shortid, {
        type: NODE_FILE,
        id: shortid,
        shortid,
        name: title,
        parentId: directoryShortid ?? ROOT_ID,
        code,
        isBinary,
        ctime: insertedAt,
        mtime: updatedAt,
      })
    }
  }

  children(id: string): SandboxNode[] {
    return [...this.nodes.values()].filter(({ parentId }) => parentId === id)
  }

  /** Path in the project, with a slash in front; the root is a slash alone. */
  pathOf(node: SandboxNode): string {
    const names: string[] = []
    // A damaged tree may have circles; no real one is this deep.
    for (
      let at: SandboxNode | undefined = node;
      at && at.parentId !== null && names.length < 1000;
      at = this.nodes.get(at.parentId)
    )
      names.unshift(at.name)
    return `/${names.join('/')}`
  }

  /** Takes a path in the workspace, absolute or relative to it. */
  find(path: string): SandboxNode | undefined {
    const inside = path === WORKSPACE || path.startsWith(`${WORKSPACE}/`) ? path.slice(WORKSPACE.length) : path
    if (path.startsWith('/') && inside === path) return undefined
    let at: SandboxNode | undefined = this.nodes.get(ROOT_ID)
    for (const name of inside.split('/')) {
      if (name === '' || name === '.') continue
      if (!at || name === '..') return undefined
      const { id }: SandboxNode = at
      at = this.children(id).find((child) => child.name === name)
    }
    return at
  }

  file(path: string): FileNode {
    const node = this.find(path)
    if (node?.type !== NODE_FILE) throw fileError('FILE_NOT_FOUND')
    return node
  }

  directory(path: string): DirectoryNode {
    const node = this.find(path)
    if (!node) throw fileError('DIRECTORY_NOT_FOUND')
    if (node.type !== NODE_DIRECTORY) throw fileError('NOT_A_DIRECTORY')
    return node
  }

  /** The directory that `path` is in, and the name it has there. */
  placeOf(path: string): { parent: DirectoryNode; name: string } {
    const cut = path.lastIndexOf('/')
    const parent = this.find(cut < 0 ? '' : path.slice(0, cut) || '/')
    if (!parent) throw fileError('PARENT_NOT_FOUND')
    if (parent.type !== NODE_DIRECTORY) throw notADirectory(WORKSPACE + this.pathOf(parent))
    return { parent, name: path.slice(cut + 1) }
  }

  isHidden(node: SandboxNode): boolean {
    return node.parentId === ROOT_ID
      ? HIDDEN.test(node.name)
      : node.parentId !== null && this.#parentIsHidden(node.parentId)
  }

  #parentIsHidden(id: string): boolean {
    const parent = this.nodes.get(id)
    return parent !== undefined && this.isHidden(parent)
  }

  shown(): TreeNode[] {
    return [...this.nodes.values()]
      .filter((node) => !this.isHidden(node))
      .map(({ id, type, name, parentId }) => (parentId === null ? { id, type } : { id, type, name, parentId }))
  }

  /** A node and everything in it, the deepest last. */
  branch(node: SandboxNode): SandboxNode[] {
    return [node, ...this.children(node.id).flatMap((child) => this.branch(child))]
  }

  *files(): Iterable<FileNode> {
    for (const node of this.nodes.values()) if (node.type === NODE_FILE) yield node
  }
}
