import type { DirectoryEntry } from '@boxyard/dev-server-client'
import { NODE_FILE } from '@boxyard/protocol'

/** The README of a folder, whatever its case; the one in Markdown where there are several. */
export function readmeOf(entries: readonly DirectoryEntry[]): string | undefined {
  const names = entries.filter(({ type }) => type === NODE_FILE).map(({ name }) => name)
  return (
    names.find((name) => /^readme\.(md|markdown)$/i.test(name)) ?? names.find((name) => /^readme(\.txt)?$/i.test(name))
  )
}
