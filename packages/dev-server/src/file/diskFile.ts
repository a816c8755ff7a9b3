import { readFile, stat } from 'node:fs/promises'
import { tooLongText } from '@boxyard/protocol'
import { hasCode } from '../fs/errno.ts'

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

/** What a person reads who wants to edit such a text. */
export function tooLong(text: string): Error {
  return Object.assign(new Error(tooLongText(text.length)), { code: 'EFBIG' })
}

function tooLarge(path: string): Error {
  return Object.assign(new Error(`EFBIG: file is too large to open, '${path}'`), { code: 'EFBIG' })
}
