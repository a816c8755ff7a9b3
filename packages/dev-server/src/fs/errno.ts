import { constants } from 'node:os'
import { ProtocolError, rawFsError } from '@boxyard/protocol'

/** Whether something failed in the file system, with its symbolic code. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

/** The protocol's error for a failed file-system call; other errors pass. */
export function toProtocolError(error: unknown): unknown {
  if (error instanceof ProtocolError || !(error instanceof Error) || !('code' in error)) return error
  const code = String(error.code)
  const errno = Object.entries(constants.errno).find(([name]) => name === code)?.[1]
  // Node has codes of its own for calls it refuses before the kernel sees them.
  if (errno === undefined) return code.startsWith('ERR_') ? rawFsError(constants.errno.EINVAL, error.message) : error
  return rawFsError(errno, error.message)
}

/** Runs a file-system call and turns its failure into the protocol's error. */
export async function withErrno<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw toProtocolError(error)
  }
}

const texts: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EEXIST: 'file already exists',
  EISDIR: 'is a directory',
  ENOTDIR: 'not a directory',
  ENOTEMPTY: 'directory not empty',
  EFBIG: 'file is too large',
  EINVAL: 'invalid argument',
}

export function fsError(code: keyof typeof constants.errno, path: string, text = texts[code]): ProtocolError {
  return rawFsError(constants.errno[code], `${code}: ${text ?? 'refused'}, '${path}'`)
}
