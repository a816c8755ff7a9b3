import type { LocalSettings } from './settingsSync.ts'

/** Several parts of what a person has set, as one. Each key belongs to the part that owns it. */
export function joinSettings(parts: readonly LocalSettings[]): LocalSettings {
  return {
    owns: (key) => parts.some((part) => part.owns(key)),
    async read() {
      const all = await Promise.all(parts.map((part) => part.read()))
      return new Map(all.flatMap((values) => [...values]))
    },
    async write(changes, known) {
      for (const part of parts) {
        const own = [...changes].filter(([key]) => part.owns(key))
        if (own.length > 0) await part.write(new Map(own), known)
      }
    },
  }
}
