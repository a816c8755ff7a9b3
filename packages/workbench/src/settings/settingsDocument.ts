import { z } from 'zod'

const entrySchema = z.object({
  /** When it was set, in milliseconds. Later ones win. */
  at: z.number(),
  /** JSON. Absent: it was removed. */
  value: z.string().optional(),
})
const documentSchema = z.object({ version: z.literal(1), entries: z.record(z.string(), entrySchema) })

export type SettingsEntry = z.output<typeof entrySchema>

/** Everything that a person has set, by key, with what was removed. */
export type SettingsDocument = Readonly<Record<string, SettingsEntry>>

/** What is set now, as JSON by key. */
export type SettingsValues = ReadonlyMap<string, string>

/** @throws when it is no text that `documentText` made */
export function parseDocument(text: string): SettingsDocument {
  return documentSchema.parse(JSON.parse(text)).entries
}

export function documentText(entries: SettingsDocument): string {
  return JSON.stringify({ version: 1, entries })
}

export function valuesOf(document: SettingsDocument): SettingsValues {
  const set = Object.entries(document).flatMap(([key, { value }]) =>
    value === undefined ? [] : [[key, value] as const],
  )
  return new Map(set)
}

/** Both together: of each key what was set last. It does not matter which one is first. */
export function mergeDocuments(one: SettingsDocument, other: SettingsDocument): SettingsDocument {
  const merged: Record<string, SettingsEntry> = { ...one }
  for (const [key, entry] of Object.entries(other)) {
    const present = merged[key]
    if (!present || isLater(entry, present)) merged[key] = entry
  }
  return merged
}

export function isSameDocument(one: SettingsDocument, other: SettingsDocument): boolean {
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => one[key]!.at === other[key]?.at && one[key]!.value === other[key]?.value)
  )
}

/**
 * The document with what is set now. What differs was set at this moment, or later than all that is known when a clock is behind. Keys that are
 * not `owned` are of later versions of this program, and stay.
 */
export function withValues(
  document: SettingsDocument,
  values: SettingsValues,
  now: number,
  owned: (key: string) => boolean = () => true,
): SettingsDocument {
  const known = valuesOf(document)
  const at = Object.values(document).reduce((latest, entry) => Math.max(latest, entry.at + 1), now)
  const changed: Record<string, SettingsEntry> = { ...document }
  for (const [key, value] of values) if (known.get(key) !== value) changed[key] = { at, value }
  for (const key of known.keys()) if (!values.has(key) && owned(key)) changed[key] = { at }
  return changed
}

/** Two that were set in the same millisecond are told apart the same way everywhere. */
function isLater(one: SettingsEntry, other: SettingsEntry): boolean {
  return one.at === other.at ? (one.value ?? '') > (other.value ?? '') : one.at > other.at
}
