import type { LocalSettings } from '../settings/settingsSync.ts'
import type { SettingsValues } from '../settings/settingsDocument.ts'
import {
  entryText,
  extensionKey,
  extensionOf,
  isExtensionKey,
  parseEntry,
  type ExtensionEntry,
} from './extensionEntry.ts'

/** What this browser's editor has, and how it gets and loses it. */
export interface ExtensionShelf {
  /** By `publisher.name`. */
  list(): Promise<ReadonlyMap<string, ExtensionEntry>>
  /** Rejects when it can not be had now. */
  install(id: string, entry: ExtensionEntry): Promise<void>
  enable(id: string, enabled: boolean): Promise<void>
  remove(id: string): Promise<void>
}

/** Extensions that the person has and this browser could not get so far, as they are kept. */
export interface MissingExtensions {
  read(): ReadonlyMap<string, string>
  write(missing: ReadonlyMap<string, string>): void
}

/**
 * The extensions of the person, as a part of what they have set. One that can not be had now, because its registry is away or has lost it, is
 * told of and stays the person's: the next visit tries again, and nobody takes it for removed.
 */
export function installedExtensions(
  shelf: ExtensionShelf,
  missing: MissingExtensions,
  tell: (ids: readonly string[], error: unknown) => void,
): LocalSettings {
  const present = async () => {
    const found = new Map<string, string>()
    for (const [id, entry] of await shelf.list()) found.set(extensionKey(id), entryText(entry))
    return found
  }
  const read = async (): Promise<SettingsValues> => new Map([...missing.read(), ...(await present())])

  const apply = async (key: string, wanted: string | undefined, now: string | undefined) => {
    const id = extensionOf(key)
    if (wanted === undefined) {
      if (now !== undefined) await shelf.remove(id)
      return
    }
    const entry = parseEntry(wanted)
    if (!entry) throw new Error('It was kept by a later version of this program')
    const before = now === undefined ? null : parseEntry(now)
    if (!before || before.from !== entry.from) await shelf.install(id, entry)
    await shelf.enable(id, entry.enabled)
  }

  return {
    owns: isExtensionKey,
    read,
    async write(changes, known) {
      const before = await read()
      const installed = await present()
      const failed: { id: string; error: unknown }[] = []
      const stillMissing = new Map(missing.read())
      for (const [key, wanted] of changes) {
        if (before.get(key) !== known.get(key)) continue
        stillMissing.delete(key)
        try {
          await apply(key, wanted, installed.get(key))
        } catch (error) {
          if (wanted !== undefined) stillMissing.set(key, wanted)
          failed.push({ id: extensionOf(key), error })
        }
      }
      missing.write(stillMissing)
      if (failed.length > 0)
        tell(
          failed.map(({ id }) => id),
          failed[0]!.error,
        )
    },
  }
}
