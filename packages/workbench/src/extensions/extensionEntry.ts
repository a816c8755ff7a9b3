import { z } from 'zod'

const EXTENSION = 'extension/'

const entrySchema = z.object({
  enabled: z.boolean(),
  /** Path of the folder of one that came as a file; without it the registry has it. */
  from: z.string().optional(),
})

/** How somebody has an extension, in all of their browsers. */
export type ExtensionEntry = z.output<typeof entrySchema>

export function isExtensionKey(key: string): boolean {
  return key.startsWith(EXTENSION)
}

/** Names of extensions are the same in whatever case they are written. */
export function extensionKey(id: string): string {
  return EXTENSION + id.toLowerCase()
}

export function extensionOf(key: string): string {
  return key.slice(EXTENSION.length)
}

/** The same entry is the same text everywhere. */
export function entryText({ enabled, from }: ExtensionEntry): string {
  return JSON.stringify(from === undefined ? { enabled } : { enabled, from })
}

/** Null for what no version of this program has written. */
export function parseEntry(text: string): ExtensionEntry | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  const { success, data } = entrySchema.safeParse(value)
  return success ? data : null
}
