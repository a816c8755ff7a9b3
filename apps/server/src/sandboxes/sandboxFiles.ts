import { ApiError } from '@boxyard/api'
import type { DirectoryChange, DirectoryCreation, ModuleChange, ModuleCreation } from '@boxyard/api'
import { randomBytes, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { sqlState, UNIQUE_VIOLATION } from '../database/database.ts'
import type { Database, Queryable, Transaction } from '../database/database.ts'
import { sandboxDirectories, sandboxes, sandboxModules } from '../database/schema.ts'
import { subjectOf } from '../events/platformEvent.ts'
import { publishEvent } from '../events/publishEvent.ts'
import { FILES_CHANGED } from './filesChanged.ts'
import type { ChangedFiles, FilesChanged } from './filesChanged.ts'

export type SandboxModule = typeof sandboxModules.$inferSelect
export type SandboxDirectory = typeof sandboxDirectories.$inferSelect

export interface SandboxFiles {
  modules: SandboxModule[]
  directories: SandboxDirectory[]
}

/** Where files change, and which open page does it. */
export interface FilesPlace {
  sandboxId: string
  /** The id of the page in the sandbox's room, which knows already; null for anybody else. */
  by: string | null
}

/** More than any project that people edit in a browser has. */
export const MOST_ENTRIES = 5000
/** What a template has beside its own files. */
export const LEFT_OUT: ReadonlySet<string> = new Set(['node_modules', '.git'])

export const newShortid = (): string => randomBytes(6).toString('base64url').replace(/[-_]/g, '0')

/** The files of a sandbox that runs in the browser. */
export async function readFiles(database: Queryable, sandboxId: string): Promise<SandboxFiles> {
  const [modules, directories] = await Promise.all([
    database.select().from(sandboxModules).where(eq(sandboxModules.sandboxId, sandboxId)),
    database.select().from(sandboxDirectories).where(eq(sandboxDirectories.sandboxId, sandboxId)),
  ])
  return { modules, directories }
}

export function createModule(database: Database, place: FilesPlace, given: ModuleCreation): Promise<SandboxModule> {
  const { sandboxId } = place
  return changeFiles(database, place, async (tx, changed) => {
    await requireDirectory(tx, sandboxId, given.directory_shortid)
    await requireRoom(tx, sandboxId)
    const [made] = await tx
      .insert(sandboxModules)
      .values({
        id: randomUUID(),
        sandboxId,
        shortid: newShortid(),
        title: given.title,
        directoryShortid: given.directory_shortid ?? null,
        code: given.code ?? '',
        isBinary: given.is_binary ?? false,
      })
      .returning()
    changed.modules.push(made!.shortid)
    return made!
  })
}

/** Changes several files, all of them or none. */
export function updateModules(
  database: Database,
  place: FilesPlace,
  changes: readonly (ModuleChange & { shortid: string })[],
): Promise<SandboxModule[]> {
  const { sandboxId } = place
  return changeFiles(database, place, async (tx, changed) => {
    const all: SandboxModule[] = []
    for (const { shortid, title, directory_shortid: directoryShortid, code, is_binary: isBinary } of changes) {
      await requireDirectory(tx, sandboxId, directoryShortid)
      const [module] = await tx
        .update(sandboxModules)
        .set({
          ...(title !== undefined && { title }),
          ...(directoryShortid !== undefined && { directoryShortid }),
          ...(typeof code === 'string' && { code }),
          ...(typeof isBinary === 'boolean' && { isBinary }),
          updatedAt: new Date(),
        })
        .where(and(eq(sandboxModules.sandboxId, sandboxId), eq(sandboxModules.shortid, shortid)))
        .returning()
      if (!module) throw new ApiError('NOT_FOUND', { detail: 'This file is not found' })
      all.push(module)
      changed.modules.push(shortid)
    }
    return all
  })
}

export function deleteModule(database: Database, place: FilesPlace, shortid: string): Promise<void> {
  const { sandboxId } = place
  return changeFiles(database, place, async (tx, changed) => {
    const removed = await tx
      .delete(sandboxModules)
      .where(and(eq(sandboxModules.sandboxId, sandboxId), eq(sandboxModules.shortid, shortid)))
      .returning({ id: sandboxModules.id })
    if (removed.length === 0) throw new ApiError('NOT_FOUND', { detail: 'This file is not found' })
    changed.removedModules.push(shortid)
  })
}

export function createDirectory(
  database: Database,
  place: FilesPlace,
  given: DirectoryCreation,
): Promise<SandboxDirectory> {
  const { sandboxId } = place
  return changeFiles(database, place, async (tx, changed) => {
    await requireDirectory(tx, sandboxId, given.directory_shortid)
    await requireRoom(tx, sandboxId)
    const [made] = await tx
      .insert(sandboxDirectories)
      .values({
        id: randomUUID(),
        sandboxId,
        shortid: newShortid(),
        title: given.title,
        directoryShortid: given.directory_shortid ?? null,
      })
      .returning()
    changed.directories.push(made!.shortid)
    return made!
  })
}

export function updateDirectory(
  database: Database,
  place: FilesPlace,
  shortid: string,
  given: DirectoryChange,
): Promise<SandboxDirectory> {
  const { sandboxId } = place
  return changeFiles(database, place, async (tx, changed) => {
    await requireDirectory(tx, sandboxId, given.directory_shortid)
    if (given.directory_shortid != null && (await branchOf(tx, sandboxId, shortid)).includes(given.directory_shortid)) {
      throw new ApiError('INVALID_INPUT', { fields: { directory_shortid: ['A folder can not be moved into itself.'] } })
    }
    const [directory] = await tx
      .update(sandboxDirectories)
      .set({
        ...(given.title !== undefined && { title: given.title }),
        ...(given.directory_shortid !== undefined && { directoryShortid: given.directory_shortid }),
        updatedAt: new Date(),
      })
      .where(and(eq(sandboxDirectories.sandboxId, sandboxId), eq(sandboxDirectories.shortid, shortid)))
      .returning()
    if (!directory) throw new ApiError('NOT_FOUND', { detail: 'This folder is not found' })
    changed.directories.push(shortid)
    return directory
  })
}

/** Removes a folder and everything in it. */
export function deleteDirectory(database: Database, place: FilesPlace, shortid: string): Promise<void> {
  const { sandboxId } = place
  return changeFiles(database, place, async (tx, changed) => {
    const branch = await branchOf(tx, sandboxId, shortid)
    const modules = and(eq(sandboxModules.sandboxId, sandboxId), inArray(sandboxModules.directoryShortid, branch))
    const gone = await tx.delete(sandboxModules).where(modules).returning({ shortid: sandboxModules.shortid })
    changed.removedModules.push(...gone.map((module) => module.shortid))
    changed.removedDirectories.push(...branch)
    const removed = await tx
      .delete(sandboxDirectories)
      .where(and(eq(sandboxDirectories.sandboxId, sandboxId), inArray(sandboxDirectories.shortid, branch)))
      .returning({ id: sandboxDirectories.id })
    if (removed.length === 0) throw new ApiError('NOT_FOUND', { detail: 'This folder is not found' })
  })
}

/** One file, or null. */
export async function readModule(tx: Queryable, sandboxId: string, shortid: string): Promise<SandboxModule | null> {
  const at = and(eq(sandboxModules.sandboxId, sandboxId), eq(sandboxModules.shortid, shortid))
  return (await tx.select().from(sandboxModules).where(at))[0] ?? null
}

/** Counts the changes of the files. */
export async function versionOf(database: Queryable, sandboxId: string): Promise<number> {
  const [row] = await database.select({ version: sandboxes.version }).from(sandboxes).where(eq(sandboxes.id, sandboxId))
  return row?.version ?? 0
}

/** The files and folders of a change as they are now. */
export async function readChange(database: Queryable, sandboxId: string, changed: ChangedFiles): Promise<SandboxFiles> {
  const [modules, directories] = await Promise.all([
    changed.modules.length === 0
      ? []
      : database
          .select()
          .from(sandboxModules)
          .where(and(eq(sandboxModules.sandboxId, sandboxId), inArray(sandboxModules.shortid, changed.modules))),
    changed.directories.length === 0
      ? []
      : database
          .select()
          .from(sandboxDirectories)
          .where(
            and(eq(sandboxDirectories.sandboxId, sandboxId), inArray(sandboxDirectories.shortid, changed.directories)),
          ),
  ])
  return { modules, directories }
}

/**
 * Stores a text that people have edited together; who has it open hears of it in another way. The version is counted beforehand, see
 * `countVersion`.
 */
export async function saveModule(tx: Queryable, sandboxId: string, shortid: string, code: string): Promise<void> {
  await tx
    .update(sandboxModules)
    .set({ code, updatedAt: new Date() })
    .where(and(eq(sandboxModules.sandboxId, sandboxId), eq(sandboxModules.shortid, shortid)))
}

/** Gives a sandbox that is being made the files of another one. */
export async function copyFiles(tx: Queryable, from: string, to: string): Promise<void> {
  const { modules, directories } = await readFiles(tx, from)
  const fresh = { sandboxId: to, insertedAt: new Date(), updatedAt: new Date() }
  if (directories.length > 0)
    await tx.insert(sandboxDirectories).values(directories.map((one) => ({ ...one, ...fresh, id: randomUUID() })))
  if (modules.length > 0)
    await tx.insert(sandboxModules).values(modules.map((one) => ({ ...one, ...fresh, id: randomUUID() })))
}

/** Gives a sandbox that is being made the files of a folder, such as a template. */
export async function insertFolder(tx: Queryable, sandboxId: string, folder: string): Promise<void> {
  const insert = async (path: string, directoryShortid: string | null): Promise<void> => {
    for (const entry of await readdir(path, { withFileTypes: true })) {
      if (LEFT_OUT.has(entry.name)) continue
      const shortid = newShortid()
      const common = { id: randomUUID(), sandboxId, shortid, title: entry.name, directoryShortid }
      if (entry.isDirectory()) {
        await tx.insert(sandboxDirectories).values(common)
        await insert(join(path, entry.name), shortid)
      } else if (entry.isFile()) {
        const content = await readFile(join(path, entry.name))
        const text = content.toString('utf8')
        const isBinary = !Buffer.from(text, 'utf8').equals(content)
        const code = isBinary ? `data:application/octet-stream;base64,${content.toString('base64')}` : text
        await tx.insert(sandboxModules).values({ ...common, code, isBinary })
      }
    }
  }
  await insert(folder, null)
}

/** One change at a time in a sandbox, each counted in its version and told to those who have it open, or nothing of it. */
export async function changeFiles<T>(
  database: Database,
  { sandboxId, by }: FilesPlace,
  work: (tx: Transaction, changed: ChangedFiles) => Promise<T>,
): Promise<T> {
  try {
    return await database.transaction(async (tx) => {
      await countVersion(tx, sandboxId)
      const changed: ChangedFiles = { modules: [], directories: [], removedModules: [], removedDirectories: [] }
      const done = await work(tx, changed)
      await publishEvent(tx, {
        type: FILES_CHANGED,
        subject: subjectOf.sandbox(sandboxId),
        data: { sandboxId, by, ...changed } satisfies FilesChanged,
      })
      return done
    })
  } catch (error) {
    if (sqlState(error) !== UNIQUE_VIOLATION) throw error
    throw new ApiError('FILE_EXISTS', { cause: error })
  }
}

/** Every change of files begins with it: its lock comes before those of files and texts. */
export async function countVersion(tx: Queryable, sandboxId: string): Promise<void> {
  const counted = await tx
    .update(sandboxes)
    .set({ version: sql`${sandboxes.version} + 1`, updatedAt: new Date() })
    .where(and(eq(sandboxes.id, sandboxId), eq(sandboxes.isV2, false)))
    .returning({ id: sandboxes.id })
  // It was given a machine while this waited.
  if (counted.length === 0) throw new ApiError('NOT_FOUND', { detail: 'A devbox has its files on its machine' })
}

async function requireDirectory(tx: Queryable, sandboxId: string, shortid: string | null | undefined): Promise<void> {
  if (shortid == null) return
  const [found] = await tx
    .select({ id: sandboxDirectories.id })
    .from(sandboxDirectories)
    .where(and(eq(sandboxDirectories.sandboxId, sandboxId), eq(sandboxDirectories.shortid, shortid)))
  if (!found) throw new ApiError('INVALID_INPUT', { fields: { directory_shortid: ['This folder is not found.'] } })
}

async function requireRoom(tx: Queryable, sandboxId: string): Promise<void> {
  const [modules, directories] = await Promise.all([
    tx.$count(sandboxModules, eq(sandboxModules.sandboxId, sandboxId)),
    tx.$count(sandboxDirectories, eq(sandboxDirectories.sandboxId, sandboxId)),
  ])
  if (modules + directories < MOST_ENTRIES) return
  throw new ApiError('INVALID_INPUT', {
    fields: { title: [`A sandbox has at most ${MOST_ENTRIES} files and folders.`] },
  })
}

/** A folder and those in it, by shortid. */
async function branchOf(tx: Queryable, sandboxId: string, shortid: string): Promise<string[]> {
  const all = await tx
    .select({ shortid: sandboxDirectories.shortid, parent: sandboxDirectories.directoryShortid })
    .from(sandboxDirectories)
    .where(eq(sandboxDirectories.sandboxId, sandboxId))
  const branch = [shortid]
  for (const at of branch)
    for (const one of all) if (one.parent === at && !branch.includes(one.shortid)) branch.push(one.shortid)
  return branch
}
