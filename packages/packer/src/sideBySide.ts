/** Metadata that one question asks for at the same time: all of it is in memory together, and others ask too. */
export const METADATA_AT_ONCE = 32
/** Archives that one question fetches and reads at the same time: few enough that it does not keep everybody else waiting. */
export const ARCHIVES_AT_ONCE = 8

/**
 * Does the work for all items, so many at a time. After a failure none is begun any more, and when those under way have ended it ends with that
 * failure: nothing goes on behind the back of whoever clears up.
 */
export async function sideBySide<Item>(
  most: number,
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items[Symbol.iterator]()
  let failure: { reason: unknown } | undefined
  const take = async () => {
    while (!failure) {
      const next = left.next()
      if (next.done) return
      try {
        await work(next.value)
      } catch (reason) {
        failure ??= { reason }
      }
    }
  }
  await Promise.all(Array.from({ length: most }, take))
  if (failure) throw failure.reason
}
