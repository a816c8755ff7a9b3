import { ApiError } from '@boxyard/api'
import type { PackManifest } from '@boxyard/packer'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import type { SandboxAccess } from '../sandboxes/index.ts'
import { pageAheadSchema } from './lookInProcess.ts'
import type { PageAhead } from './lookInProcess.ts'
import { makersFor } from './makersFor.ts'
import type { PackMakers } from './packMakers.ts'
import type { PreparedPages } from './preparedPages.ts'
import { savedProject } from './projectFiles.ts'

/** The first page of a sandbox as it is saved, ready to run, and what it was compiled to. */
export interface PreparedPage extends PageAhead {
  pack: PackManifest | null
}

export interface PreparedPageFinder {
  database: Database
  makers: PackMakers
  pages: PreparedPages
}

/**
 * Null where something would have to be made first: `isToDo` says whether it can be. What packages of a private registry it runs is up to who
 * asks, as it is with packs.
 */
export async function findPreparedPage(
  { database, makers, pages }: PreparedPageFinder,
  access: SandboxAccess,
): Promise<{ prepared: PreparedPage } | { prepared: null; isToDo: boolean }> {
  const files = await savedProject(database, access.sandbox.id)
  if (!files) return { prepared: null, isToDo: false }
  const found = await pages.find(await pages.keyOf(files))
  if (!found) return { prepared: null, isToDo: true }
  const { ahead, questions } = found
  if (!ahead) return { prepared: null, isToDo: false }
  const [question] = questions
  if (!question) return { prepared: { ...ahead, pack: null } }
  try {
    const { packs } = await makersFor(database, makers, access, question.dependencies)
    const pack = await packs.known(question)
    return pack ? { prepared: { ...ahead, pack } } : { prepared: null, isToDo: true }
  } catch (error) {
    if (error instanceof ApiError) return { prepared: null, isToDo: false }
    throw error
  }
}

export const compilationSchema = pageAheadSchema.shape.compilation.extend({ pack: z.string().nullable() })

/** As what compiles in browsers keeps it of its own visits. */
export function compilationOf({ compilation, pack }: PreparedPage): z.infer<typeof compilationSchema> {
  return { ...compilation, pack: pack?.id ?? null }
}

/** What the script of the page runs. */
export function runnableOf({ page, compilation, pack }: PreparedPage): object {
  const modules = compilation.modules.map(({ module }) => module)
  return { ...page, modules, pack: pack && { id: pack.id, imports: pack.imports } }
}

/** The scripts of packages that it runs, by their address below the folder of packs. */
export function packFilesOf({ pack }: PreparedPage): string[] {
  const files = Object.values(pack?.imports ?? {}).flatMap(({ file, chunks }) => [...(file ? [file] : []), ...chunks])
  return [...new Set(files)].map((file) => `${pack!.id}/${file}`)
}
