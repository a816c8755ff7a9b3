const PREFIX = 'boxyard.fork-of.'

/** Tells the page of a copy, in this tab and once, what it was made of a moment ago. */
export function forkNote(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>, copyId: string) {
  const key = PREFIX + copyId
  return {
    write(originalId: string): void {
      try {
        storage.setItem(key, originalId)
      } catch {
        // The copy opens without a word about it.
      }
    },
    take(): string | undefined {
      try {
        const original = storage.getItem(key) ?? undefined
        storage.removeItem(key)
        return original
      } catch {
        // Storage that is closed to the page was told nothing.
        return undefined
      }
    },
  }
}
