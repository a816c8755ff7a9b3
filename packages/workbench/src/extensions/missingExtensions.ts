import { z } from 'zod'
import type { MissingExtensions } from './installedExtensions.ts'

const NAME = 'boxyard.extensions.missing'
const schema = z.record(z.string(), z.string())

/** In the storage of the browser, which all its windows share. */
export function missingExtensions(storage: Storage): MissingExtensions {
  return {
    read() {
      const text = storage.getItem(NAME)
      if (text === null) return new Map()
      try {
        return new Map(Object.entries(schema.parse(JSON.parse(text))))
      } catch (error) {
        console.warn(`What this browser has remembered as ${NAME} is not used`, error)
        return new Map()
      }
    },
    write: (missing) => storage.setItem(NAME, JSON.stringify(Object.fromEntries(missing))),
  }
}
