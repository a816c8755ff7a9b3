import { lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { NODE_DIRECTORY, NODE_FILE } from '@boxyard/protocol'
import { hasCode } from './errno.ts'
import type { NodeType } from './fileTree.ts'

/** Folders that are in the tree without what they hold: too much, and nobody edits it by hand. */
const closedFolders: ReadonlySet<string> = new Set(['node_modules', '.git'])

export function isClosedFolder({ name, type }: { name: string; type: NodeType }): boolean {
  return type === NODE_DIRECTORY && closedFolders.has(name)
}

export interface DiskEntry {
  name: string
  type: NodeType
  /** A folder whose content is not in the tree: a link, or one of the closed folders. */
  opaque: boolean
}

interface Kinds {
  isDirectory(): boolean
  isFile(): boolean
  isSymbolicLink(): boolean
}

/** What stands at a path, or null. Pipes, sockets and devices count as nothing: they can't be edited. */
export async function readEntry(path: string, name: string): Promise<DiskEntry | null> {
  try {
    return await entryOf(path, name, await lstat(path))
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null
    throw error
  }
}

/** The entries of a folder; a folder that vanished or may not be read is empty. */
export async function readEntries(folder: string): Promise<DiskEntry[]> {
  const found = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return []
    throw error
  })
  // A name that is not UTF-8 can't be sent, and its file can't be opened again by what was decoded.
  const named = found.filter(({ name }) => !name.includes('\uFFFD'))
  const entries = await Promise.all(named.map((kinds) => entryOf(join(folder, kinds.name), kinds.name, kinds)))
  return entries.filter((entry) => entry !== null)
}

async function entryOf(path: string, name: string, kinds: Kinds): Promise<DiskEntry | null> {
  if (kinds.isDirectory()) {
    return { name, type: NODE_DIRECTORY, opaque: isClosedFolder({ name, type: NODE_DIRECTORY }) }
  }
  if (kinds.isFile()) return { name, type: NODE_FILE, opaque: false }
  if (!kinds.isSymbolicLink()) return null
  const target = await stat(path).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT', 'ELOOP', 'ENOTDIR', 'EACCES')) return null
    throw error
  })
  if (target?.isDirectory()) return { name, type: NODE_DIRECTORY, opaque: true }
  return target === null || target.isFile() ? { name, type: NODE_FILE, opaque: false } : null
}
