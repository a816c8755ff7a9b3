import type { DirectoryEntry } from '@boxyard/dev-server-client'
import { NODE_FILE } from '@boxyard/protocol'

/** The file to show first: the one asked for, or else the README of the workspace. */
export function firstFile(asked: string | undefined, entries: readonly DirectoryEntry[]): string | undefined {
  if (asked) return asked.replace(/^\/+/, '')
  const readmes = entries.filter(({ name, type }) => type === NODE_FILE && /^readme(\.(md|markdown|txt))?$/i.test(name))
  return readmes.map(({ name }) => name).toSorted((a, b) => Number(/\.md$/i.test(b)) - Number(/\.md$/i.test(a)))[0]
}
