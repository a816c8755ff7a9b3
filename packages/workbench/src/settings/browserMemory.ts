import { z } from 'zod'
import { documentText, parseDocument, type SettingsDocument } from './settingsDocument.ts'
import type { SettingsMemory } from './settingsSync.ts'

const OWNER = 'boxyard.settings'
const ownerSchema = z.object({ id: z.string(), isWhole: z.boolean() })

/** In the storage of the browser, which all its windows share. */
export function browserMemory(storage: Storage): SettingsMemory {
  return {
    owner: () => read(storage, OWNER, (text) => ownerSchema.parse(JSON.parse(text))),
    setOwner: (owner) => storage.setItem(OWNER, JSON.stringify(owner)),
    document: (owner) => read(storage, `${OWNER}.${owner}`, parseDocument),
    setDocument: (owner, document: SettingsDocument) => storage.setItem(`${OWNER}.${owner}`, documentText(document)),
  }
}

/** What another version has written is as good as nothing: what the account has is read again. */
function read<T>(storage: Storage, key: string, parse: (text: string) => T): T | null {
  const text = storage.getItem(key)
  if (text === null) return null
  try {
    return parse(text)
  } catch (error) {
    console.warn(`What this browser has remembered as ${key} is not used`, error)
    return null
  }
}
