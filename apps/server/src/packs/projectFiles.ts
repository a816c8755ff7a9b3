import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { Database } from '../database/database.ts'
import { filePaths } from '../sandboxes/filePaths.ts'
import { readFiles } from '../sandboxes/sandboxFiles.ts'

/** Texts by their path from the root of a project, with a slash in front; null for what is no text. */
export type ProjectFiles = readonly (readonly [path: string, text: string | null])[]

/** The saved files of a sandbox. Null when it has none, or when its package.json is not among those that changed, by shortid. */
export async function savedProject(
  database: Database,
  sandboxId: string,
  changed?: readonly string[],
): Promise<ProjectFiles | null> {
  const files = await readFiles(database, sandboxId)
  const manifest = files.modules.find(
    ({ title, directoryShortid }) => title === 'package.json' && directoryShortid === null,
  )
  if (!manifest || (changed && !changed.includes(manifest.shortid))) return null
  return filePaths(files).map(([path, { code, isBinary }]) => [`/${path}`, isBinary ? null : code] as const)
}

/** The files of a folder of this server. */
export async function projectOfFolder(folder: string): Promise<ProjectFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name)
        const content = await readFile(path)
        const text = content.toString()
        const name = `/${relative(folder, path).split(sep).join('/')}`
        return [name, Buffer.from(text).equals(content) ? text : null] as const
      }),
  )
}
