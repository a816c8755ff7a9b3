export interface KeptEdit {
  path: string
  /** The text that was edited. */
  base: string
  text: string
  /** Where the caret was, in UTF-16 units; the beginning when nobody said. */
  caret?: number
}

/** An edit of the first text, kept in the tab until the editor has taken it, so that a reload in between loses nothing. */
export function keptEdit(storage: Storage, id: string) {
  const key = `boxyard.first-text.${id}`
  return {
    read(): KeptEdit | undefined {
      try {
        const value: unknown = JSON.parse(storage.getItem(key) ?? 'null')
        return isKeptEdit(value) ? value : undefined
      } catch {
        // Storage may be closed to the page, or hold something else.
        return undefined
      }
    },
    write(edit: KeptEdit): void {
      try {
        storage.setItem(key, JSON.stringify(edit))
      } catch {
        // A full or closed storage: the text is still on the page.
      }
    },
    clear(): void {
      try {
        storage.removeItem(key)
      } catch {
        // What could not be stored need not be removed.
      }
    },
  }
}

function isKeptEdit(value: unknown): value is KeptEdit {
  if (typeof value !== 'object' || value === null) return false
  return (['path', 'base', 'text'] as const).every(
    (name) => typeof (value as Record<string, unknown>)[name] === 'string',
  )
}
