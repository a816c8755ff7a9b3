import { ApiError } from '@boxyard/api'
import type { DefinedFile } from '@boxyard/api'
import { randomUUID } from 'node:crypto'
import type { Queryable } from '../database/database.ts'
import { sandboxDirectories, sandboxModules } from '../database/schema.ts'
import { MOST_ENTRIES, newShortid } from './sandboxFiles.ts'
import { safePath } from './withFiles.ts'

/** Gives a sandbox that is being made these files, by path, and the folders they are in. */
export async function insertPaths(
  tx: Queryable,
  sandboxId: string,
  files: Readonly<Record<string, DefinedFile>>,
): Promise<void> {
  const directories = new Map<string, typeof sandboxDirectories.$inferInsert>()
  const directoryOf = (parts: readonly string[]): string | null => {
    if (parts.length === 0) return null
    const path = parts.join('/')
    const known = directories.get(path)
    if (known) return known.shortid
    const directoryShortid = directoryOf(parts.slice(0, -1))
    const shortid = newShortid()
    directories.set(path, { id: randomUUID(), sandboxId, shortid, title: parts.at(-1)!, directoryShortid })
    return shortid
  }
  const modules = new Map<string, typeof sandboxModules.$inferInsert>()
  for (const [given, { content, isBinary }] of Object.entries(files)) {
    const path = safePath(given)
    const parts = path.split('/')
    if (parts.some((part) => part.length > 255)) throw invalid(`A name in ${path.slice(0, 100)} is too long`)
    if (modules.has(path)) throw invalid(`${path} is there twice`)
    const directoryShortid = directoryOf(parts.slice(0, -1))
    const common = { id: randomUUID(), sandboxId, shortid: newShortid(), title: parts.at(-1)! }
    modules.set(path, { ...common, directoryShortid, code: content, isBinary })
  }
  const both = [...modules.keys()].find((path) => directories.has(path))
  if (both !== undefined) throw invalid(`${both} is a file and a folder`)
  if (modules.size + directories.size > MOST_ENTRIES) throw invalid(`At most ${MOST_ENTRIES} files and folders`)
  if (directories.size > 0) await tx.insert(sandboxDirectories).values([...directories.values()])
  await tx.insert(sandboxModules).values([...modules.values()])
}

const invalid = (text: string) => new ApiError('INVALID_INPUT', { fields: { files: [`${text}.`] } })
