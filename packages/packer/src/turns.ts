/**
 * Lets only so many works run at once; the others wait. After a failure none is begun any more: those that wait, and those that come, fail in
 * the same way. As `sideBySide`, for works that are not known beforehand.
 */
export function turns(most: number) {
  let free = most
  let failure: { reason: unknown } | undefined
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve))
    else free -= 1
    try {
      if (failure) throw failure.reason
      return await work()
    } catch (reason) {
      failure ??= { reason }
      throw reason
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
