/** Runs at most `limit` of the tasks it is given at a time; the others wait in order. */
export function limitConcurrency(limit: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (task) => {
    if (running < limit) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      // The place goes to the next one without becoming free in between.
      if (next) next()
      else running -= 1
    }
  }
}
