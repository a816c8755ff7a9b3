import { ProtocolError } from '@boxyard/protocol'

export type FileErrorKind =
  | 'notFound'
  | 'exists'
  | 'isDirectory'
  | 'notDirectory'
  | 'noPermission'
  | 'quota'
  | 'tooLarge'
  | 'unavailable'
  | 'unknown'

/** Linux error numbers, as the dev server sends them. */
const kinds: Record<number, FileErrorKind> = {
  1: 'noPermission',
  2: 'notFound',
  13: 'noPermission',
  17: 'exists',
  20: 'notDirectory',
  21: 'isDirectory',
  27: 'tooLarge',
  28: 'quota',
  30: 'noPermission',
  122: 'quota',
}

/** Sorts a failed file operation into the kinds an editor can tell a person about. */
export function fileErrorKind(error: unknown): FileErrorKind {
  if (!(error instanceof ProtocolError)) return 'unknown'
  if (error.codeName === 'RAWFS_ERROR') {
    const { data } = error
    const errno = typeof data === 'object' && data !== null && 'errno' in data ? data.errno : null
    return (typeof errno === 'number' ? kinds[Math.abs(errno)] : undefined) ?? 'unknown'
  }
  if (error.codeName === 'NO_ACCESS') return 'noPermission'
  if (error.codeName === 'INVALID_ID') return 'notFound'
  // A path outside the workspace is not there as far as the editor is concerned.
  if (error.codeName === 'INVALID_PATH') return 'notFound'
  if (error.codeName === 'BOX_NOT_AVAILABLE' || error.codeName === 'FEATURE_UNAVAILABLE') return 'unavailable'
  return 'unknown'
}
