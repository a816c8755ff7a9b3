import { ProtocolError, rawFsError } from '@boxyard/protocol'

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

export function fileError(name: keyof typeof fileErrors): ProtocolError {
  const [errno, message] = fileErrors[name]
  return rawFsError(errno, message)
}

/** What needs a machine. */
export const notImplemented = (): ProtocolError => new ProtocolError('FEATURE_UNAVAILABLE', 'Not implemented')
