import type { FileTree } from '@boxyard/dev-server-client'
import { NODE_DIRECTORY, ROOT_ID, type TreeNode } from '@boxyard/protocol'

export interface TreeRow {
  id: string
  name: string
  /** Relative to the workspace. */
  path: string
  /** From 1. */
  level: number
  isFolder: boolean
  isOpen: boolean
  /** From 1, among its siblings, and how many of them there are. */
  place: number
  siblings: number
}

/** What the explorer of the workbench leaves out too. */
const HIDDEN: ReadonlySet<string> = new Set(['.git', '.svn', '.hg', '.DS_Store', 'Thumbs.db'])

const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

function byKindAndName(one: TreeNode, other: TreeNode): number {
  return other.type - one.type || names.compare(one.name ?? '', other.name ?? '')
}

/** The rows of the tree as they stand below each other: folders first, and what is in the open ones. Ids of folders are in `open`. */
export function treeRows(tree: Pick<FileTree, 'children'>, open: ReadonlySet<string>): TreeRow[] {
  const rows: TreeRow[] = []
  const add = (parentId: string, parentPath: string, level: number) => {
    const shown = tree.children(parentId).filter(({ name }) => name && !HIDDEN.has(name))
    for (const [at, { id, name, type }] of shown.toSorted(byKindAndName).entries()) {
      const path = `${parentPath}${name!}`
      const isFolder = type === NODE_DIRECTORY
      const isOpen = isFolder && open.has(id)
      rows.push({ id, name: name!, path, level, isFolder, isOpen, place: at + 1, siblings: shown.length })
      if (isOpen) add(id, `${path}/`, level + 1)
    }
  }
  add(ROOT_ID, '', 1)
  return rows
}

/** The ids of the folders that a file is in, the outermost first. */
export function foldersAbove(tree: Pick<FileTree, 'idOf' | 'get'>, path: string): string[] {
  const folders: string[] = []
  let id = tree.idOf(path)
  while (id !== undefined && id !== ROOT_ID) {
    id = tree.get(id)?.parentId ?? undefined
    if (id !== undefined && id !== ROOT_ID) folders.unshift(id)
  }
  return folders
}

/** Why a name can not be given to something in a folder; undefined when it can. */
export function nameProblem(name: string, taken: Iterable<string>): string | undefined {
  if (name.trim() === '') return 'A name is needed'
  if (/[/\\\0]/.test(name)) return 'A name has no slashes'
  if (name === '.' || name === '..') return 'This name means a folder already'
  if (new Set(taken).has(name)) return `${name} is there already`
  return undefined
}
