/** Milliseconds that an editor waits for a database of the browser. */
export const DATABASE_PATIENCE = 5_000

/** What `opening` resolves to; rejects when that takes longer than `limit` milliseconds. */
export async function inTime<T>(opening: Promise<T>, limit = DATABASE_PATIENCE): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It did not open within ${limit} ms`)), limit)
  })
  try {
    return await Promise.race([opening, tooLong])
  } finally {
    clearTimeout(timer)
  }
}
