import { NODE_DIRECTORY, ProtocolError, rawFsError } from '@boxyard/protocol'

/** What the file system says; texts and numbers are part of the contract with clients. */
const fileErrors = {
  FILE_NOT_FOUND: [2, 'File not found'],
  DIRECTORY_NOT_FOUND: [2, 'Directory not found'],
  PARENT_NOT_FOUND: [2, 'Parent directory not found'],
  NOT_A_DIRECTORY: [20, 'Is not a directory'],
  FILE_EXISTS: [17, 'File already exists'],
  DIRECTORY_EXISTS: [17, 'Directory already exists'],
  DIRECTORY_NOT_EMPTY: [17, 'Directory not empty'],
  ROOT: [1, 'The root directory can not be deleted, moved or renamed'],
} as const satisfies Record<string, readonly [number, string]>

export type FileErrorName = keyof typeof fileErrors

export function fileError(name: FileErrorName): ProtocolError {
  const [errno, message] = fileErrors[name]
  return rawFsError(errno, message)
}

/** What something is to be put into is a file. */
export const notADirectory = (path: string): ProtocolError => rawFsError(20, `${path} is not a directory`)

/** A directory is to be made where a file is. */
export const existsAsFile = (path: string): ProtocolError =>
  rawFsError(17, `${path} already exists but is not a directory`)

export const moveWithoutParent = (): ProtocolError => new ProtocolError('INVALID_PATH', 'Move needs a parent id')

/** A new entry has no name. */
export const nameless = (type: unknown): ProtocolError =>
  new ProtocolError('INVALID_PATH', `${type === NODE_DIRECTORY ? 'Directory' : 'File'} name is undefined`)

/** The platform did not make a file. What it said goes along for whoever shows it. */
export const notCreated = (reason: string): ProtocolError =>
  new ProtocolError('RAWFS_ERROR', 'Something went wrong when creating a new file', { errno: null, reason })

/** What needs a machine. */
export const notImplemented = (): ProtocolError => new ProtocolError('FEATURE_UNAVAILABLE', 'Not implemented')
