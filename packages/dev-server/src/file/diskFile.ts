import { mkdir, open, readFile, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode } from '../fs/errno.ts'
import { syncFolder } from '../stateFolder.ts'

/** Longest text that is opened, in UTF-16 units. */
export const MAX_TEXT_LENGTH = 5_000_000
/** Longest file that is read at all: binary files travel in one frame, and a text unit takes at most three bytes. */
export const MAX_FILE_BYTES = 32 * 1024 * 1024

/** The content of a regular file; null when there is none at the path. Too large is EFBIG. */
export async function readDiskFile(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    const info = await stat(path)
    if (!info.isFile()) return null
    if (info.size > MAX_FILE_BYTES) throw tooLarge(path)
    return await readFile(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null
    throw error
  }
}

export function tooLarge(path: string): Error {
  return Object.assign(new Error(`EFBIG: file is too large to open, '${path}'`), { code: 'EFBIG' })
}

/**
 * Writes a file in place and durably: links, owner and mode stay. What is longer than the old content is written first, so a full
 * disk shows before anything old is overwritten. A crash in the middle leaves a torn file, so whoever calls keeps the content until
 * this resolves.
 */
export async function writeInPlace(path: string, content: Uint8Array): Promise<void> {
  const { file, isNew } = await openForWriting(path)
  try {
    const { size } = await file.stat()
    const overlap = Math.min(size, content.byteLength)
    try {
      await writeRange(file, content, overlap, content.byteLength)
    } catch (error) {
      if (isNew) await rm(path, { force: true })
      else await file.truncate(size)
      throw error
    }
    await writeRange(file, content, 0, overlap)
    if (content.byteLength < size) await file.truncate(content.byteLength)
    await file.datasync()
  } finally {
    await file.close()
  }
  if (isNew) await syncFolder(dirname(path))
}

async function openForWriting(path: string): Promise<{ file: FileHandle; isNew: boolean }> {
  try {
    return { file: await open(path, 'r+'), isNew: false }
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
  await mkdir(dirname(path), { recursive: true })
  return { file: await open(path, 'wx+'), isNew: true }
}

async function writeRange(file: FileHandle, content: Uint8Array, start: number, end: number): Promise<void> {
  let position = start
  while (position < end) {
    const { bytesWritten } = await file.write(content, position, end - position, position)
    position += bytesWritten
  }
}
