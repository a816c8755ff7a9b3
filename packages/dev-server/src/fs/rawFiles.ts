import { copyFile, cp, lstat, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { MAX_FRAME_BYTES, NODE_DIRECTORY, NODE_FILE, type Result } from '@boxyard/protocol'
import { syncFolder } from '../syncFolder.ts'
import { writeInPlace } from '../writeInPlace.ts'
import { fsError, hasCode, withErrno } from './errno.ts'

/** The largest file that fits into one frame with its envelope. */
const MAX_FILE_BYTES = MAX_FRAME_BYTES - 64 * 1024

/** File calls on absolute paths of the box. Failures are RAWFS_ERROR. What a call answered is durable. */
export const rawFiles = {
  readFile: (path: string): Promise<Result<'fs/readFile'>> =>
    withErrno(async () => {
      const info = await stat(path)
      // Reading a pipe or a device might never end.
      if (!info.isFile() && !info.isDirectory()) throw fsError('EINVAL', path, 'not a regular file')
      if (info.size > MAX_FILE_BYTES) throw fsError('EFBIG', path, `file is larger than ${MAX_FILE_BYTES} bytes`)
      return { content: await readFile(path) }
    }),

  readdir: (path: string): Promise<Result<'fs/readdir'>> =>
    withErrno(async () => {
      const found = await readdir(path, { withFileTypes: true })
      const entries = found.map(async (entry) => {
        const isSymlink = entry.isSymbolicLink()
        const isFolder = isSymlink ? await leadsToFolder(join(path, entry.name)) : entry.isDirectory()
        return { name: entry.name, type: isFolder ? NODE_DIRECTORY : NODE_FILE, isSymlink } as const
      })
      return { entries: await Promise.all(entries) }
    }),

  stat: (path: string): Promise<Result<'fs/stat'>> =>
    withErrno(async () => {
      const link = await lstat(path)
      const isSymlink = link.isSymbolicLink()
      const info = isSymlink ? await stat(path).catch(() => link) : link
      const { size, mtimeMs, ctimeMs, atimeMs } = info
      const type = info.isDirectory() ? NODE_DIRECTORY : NODE_FILE
      return { type, isSymlink, size, mtime: mtimeMs, ctime: ctimeMs, atime: atimeMs }
    }),

  writeFile: (path: string, content: Uint8Array, options: { create: boolean; overwrite: boolean }): Promise<void> =>
    withErrno(async () => {
      const isNew = !(await isThere(path))
      if (isNew && !options.create) throw fsError('ENOENT', path)
      if (!isNew && !options.overwrite) throw fsError('EEXIST', path)
      await writeInPlace(path, content)
    }),

  copy: (from: string, to: string, options: { recursive: boolean; overwrite: boolean }): Promise<void> =>
    withErrno(async () => {
      const source = await stat(from)
      if (source.isDirectory() && !options.recursive) throw fsError('EISDIR', from)
      if (!options.overwrite && (await isThere(to))) throw fsError('EEXIST', to)
      if (source.isDirectory()) await cp(from, to, { recursive: true, force: true, verbatimSymlinks: true })
      else await copyFile(from, to)
      await syncFolder(dirname(to))
    }),

  /** Refuses a rename whose target exists, unless it may be replaced. */
  checkRename: (from: string, to: string, options: { overwrite: boolean }): Promise<void> =>
    withErrno(async () => {
      await lstat(from)
      if (from !== to && !options.overwrite && (await isThere(to))) throw fsError('EEXIST', to)
    }),

  remove: (path: string, options: { recursive: boolean }): Promise<void> =>
    withErrno(async () => {
      const info = await lstat(path)
      if (info.isDirectory() && !options.recursive && (await readdir(path)).length > 0) throw fsError('ENOTEMPTY', path)
      await rm(path, { recursive: info.isDirectory() })
      await syncFolder(dirname(path))
    }),

  mkdir: (path: string, options: { recursive: boolean }): Promise<void> =>
    withErrno(async () => {
      await mkdir(path, options)
      await syncFolder(dirname(path))
    }),
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: unknown) => {
      if (hasCode(error, 'ENOENT')) return false
      throw error
    },
  )
}

/** A link that leads nowhere counts as a file: it can be removed like one. */
async function leadsToFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (info) => info.isDirectory(),
    () => false,
  )
}
