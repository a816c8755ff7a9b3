import { ApiError } from '@boxyard/api'
import type { EntriesCreation } from '@boxyard/api'
import { randomUUID } from 'node:crypto'
import type { Database } from '../database/database.ts'
import { sandboxDirectories, sandboxModules } from '../database/schema.ts'
import { changeFiles, MOST_ENTRIES, newShortid, readFiles } from './sandboxFiles.ts'
import type { FilesPlace, SandboxFiles } from './sandboxFiles.ts'

/** Makes files and folders, all of them or none. Folders get shortids of their own; those they came with hold within the call. */
export function createEntries(database: Database, place: FilesPlace, given: EntriesCreation): Promise<SandboxFiles> {
  const { sandboxId } = place
  return changeFiles(database, place, async (tx, changed) => {
    const present = await readFiles(tx, sandboxId)
    const total = present.modules.length + present.directories.length + given.modules.length + given.directories.length
    if (total > MOST_ENTRIES) throw invalid(`A sandbox has at most ${MOST_ENTRIES} files and folders.`)
    const shortids = new Map(present.directories.map(({ shortid }) => [shortid, shortid]))
    for (const { shortid } of given.directories) if (shortid !== undefined) shortids.set(shortid, newShortid())
    const parentOf = (named: string | null | undefined): string | null => {
      const wanted = named ?? given.directory_shortid
      if (wanted == null) return null
      const found = shortids.get(wanted)
      if (found === undefined) throw invalid('This folder is not found.')
      return found
    }
    const rows = given.directories.map(({ shortid, title, directory_shortid: parent }) => ({
      id: randomUUID(),
      sandboxId,
      shortid: (shortid === undefined ? undefined : shortids.get(shortid)) ?? newShortid(),
      title,
      directoryShortid: parentOf(parent),
    }))
    requireTree(rows)
    const directories = rows.length === 0 ? [] : await tx.insert(sandboxDirectories).values(rows).returning()
    const files = given.modules.map((module) => ({
      id: randomUUID(),
      sandboxId,
      shortid: newShortid(),
      title: module.title,
      directoryShortid: parentOf(module.directory_shortid),
      code: module.code ?? '',
      isBinary: module.is_binary ?? false,
    }))
    const modules = files.length === 0 ? [] : await tx.insert(sandboxModules).values(files).returning()
    changed.modules.push(...modules.map(({ shortid }) => shortid))
    changed.directories.push(...directories.map(({ shortid }) => shortid))
    return { modules, directories }
  })
}

/** Throws when folders are in each other, so that nothing above them would ever be reached. */
function requireTree(rows: readonly { shortid: string; directoryShortid: string | null }[]): void {
  const parents = new Map(rows.map(({ shortid, directoryShortid }) => [shortid, directoryShortid]))
  for (const { shortid } of rows) {
    let at = parents.get(shortid)
    for (let steps = 0; at != null; steps += 1) {
      if (steps > rows.length) throw invalid('These folders are in each other.')
      at = parents.get(at)
    }
  }
}

const invalid = (text: string) => new ApiError('INVALID_INPUT', { fields: { directory_shortid: [text] } })
