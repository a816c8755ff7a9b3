const words = /No space left on device|Disk quota exceeded|ENOSPC|EDQUOT/

/** Whether something failed, here or in a program that was started, because the disk takes no more. */
export function isDiskFull(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (words.test(current.message)) return true
    if ('code' in current && (current.code === 'ENOSPC' || current.code === 'EDQUOT')) return true
  }
  return false
}
