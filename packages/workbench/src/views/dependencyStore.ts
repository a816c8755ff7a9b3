import type { DevServerClient } from '@boxyard/dev-server-client'

export interface Dependency {
  name: string
  range: string
}

/** What package.json depends on, as it is saved; null while it can't be read. */
export interface DependencyStore {
  getSnapshot(): readonly Dependency[] | null
  subscribe(listener: () => void): () => void
}

/** The dependencies of a saved package.json, by name; null for a text that is none. */
export function dependenciesOf(text: string): readonly Dependency[] | null {
  let manifest: unknown
  try {
    manifest = JSON.parse(text)
  } catch {
    // Somebody is in the middle of editing it.
    return null
  }
  if (typeof manifest !== 'object' || manifest === null) return null
  const groups = manifest as { dependencies?: unknown; devDependencies?: unknown }
  const all = [groups.devDependencies, groups.dependencies].flatMap((group) =>
    typeof group === 'object' && group !== null ? Object.entries(group) : [],
  )
  return all
    .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    .map(([name, range]) => ({ name, range }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Follows package.json at the top of the workspace. */
export function dependencyStore(
  fs: Pick<DevServerClient['fs'], 'readFile' | 'watch'>,
  workspacePath: string,
): DependencyStore {
  let snapshot: readonly Dependency[] | null = null
  const listeners = new Set<() => void>()
  const path = `${workspacePath}/package.json`
  const read = async () => {
    const content = await fs.readFile(path).catch(() => null)
    snapshot = content && dependenciesOf(new TextDecoder().decode(content))
    for (const listener of listeners) listener()
  }
  void read()
  fs.watch(path, {}, () => void read()).catch(() => undefined)
  return {
    getSnapshot: () => snapshot,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
