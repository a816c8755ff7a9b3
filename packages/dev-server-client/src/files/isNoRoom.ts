import { ProtocolError } from '@boxyard/protocol'

/** ENOSPC and EDQUOT of Linux. */
const errnos: readonly unknown[] = [28, 122]

/** Whether something was refused because the disk is full: it did not happen, and can be asked for again as it was. */
export function isNoRoom(error: unknown): boolean {
  if (!(error instanceof ProtocolError) || error.codeName !== 'RAWFS_ERROR') return false
  const { data } = error
  return typeof data === 'object' && data !== null && 'errno' in data && errnos.includes(data.errno)
}
