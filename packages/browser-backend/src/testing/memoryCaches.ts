import type { Caches } from '../offline/keptAnswers.ts'

/** The caches of a browser, in memory and without conditions on headers. */
export function memoryCaches(): Caches {
  const all = new Map<string, Map<string, Response>>()
  const keyOf = (key: RequestInfo | URL) => (key instanceof Request ? key.url : String(key))
  const match = (name: string, key: RequestInfo | URL) => all.get(name)?.get(keyOf(key))?.clone()
  return {
    async open(name) {
      const entries = all.get(name) ?? new Map<string, Response>()
      all.set(name, entries)
      const cache: Pick<Cache, 'put' | 'match'> = {
        async put(key, response) {
          entries.set(keyOf(key), response)
        },
        match: async (key) => match(name, key),
      }
      return cache as Cache
    },
    match: async (key) => [...all.keys()].map((name) => match(name, key)).find((found) => found !== undefined),
    keys: async () => [...all.keys()],
    delete: async (name) => all.delete(name),
  }
}
