import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { Database } from '../database/database.ts'
import { filePaths } from '../sandboxes/filePaths.ts'
import { LEFT_OUT, readFiles } from '../sandboxes/sandboxFiles.ts'

/** Texts by their path from the root of a project, with a slash in front; null for what is no text. */
export type ProjectFiles = readonly (readonly [path: string, text: string | null])[]

/** The saved files of a sandbox; null when it has none. */
export async function savedProject(database: Database, sandboxId: string): Promise<ProjectFiles | null> {
  const files = await readFiles(database, sandboxId)
  if (files.modules.length === 0) return null
  return filePaths(files).map(([path, { code, isBinary }]) => [`/${path}`, isBinary ? null : code] as const)
}

/** The files of a folder of this server that a sandbox would be made of. */
export async function projectOfFolder(folder: string): Promise<ProjectFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter(
        (path) =>
          !relative(folder, path)
            .split(sep)
            .some((part) => LEFT_OUT.has(part)),
      )
      .map(async (path) => {
        const content = await readFile(path)
        const text = content.toString()
        const name = `/${relative(folder, path).split(sep).join('/')}`
        return [name, Buffer.from(text).equals(content) ? text : null] as const
      }),
  )
}
