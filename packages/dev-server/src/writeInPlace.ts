import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode } from './fs/errno.ts'
import { syncFolder } from './syncFolder.ts'

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
