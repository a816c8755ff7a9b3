import { z } from 'zod'

/** What an extension says of others. */
export interface Needs {
  dependencies: readonly string[]
  pack: readonly string[]
}

const ids = z.array(z.string()).catch([])
const manifestSchema = z.object({ extensionDependencies: ids, extensionPack: ids })

/** What the package.json of an extension says of others; one that says it wrongly says nothing. */
export function needsOf(manifest: unknown): Needs {
  const { data } = manifestSchema.safeParse(manifest)
  return { dependencies: data?.extensionDependencies ?? [], pack: data?.extensionPack ?? [] }
}

/** What the registry says that an extension needs. */
export function needsInRegistry({
  identifier,
  properties,
}: {
  identifier: { id: string }
  properties: { dependencies?: string[]; extensionPack?: string[] }
}): Needs & { id: string } {
  return { id: identifier.id, dependencies: properties.dependencies ?? [], pack: properties.extensionPack ?? [] }
}

export interface ExtensionSource<Found> {
  /** `publisher.name` of what is there. */
  installed: readonly string[]
  /** What a registry has of these. */
  find(ids: readonly string[]): Promise<readonly Found[]>
  describe(found: Found): Needs & { id: string }
}

export interface NeededExtensions<Found> {
  /** What is depended on stands before what depends on it. */
  found: Found[]
  /** Of packs, what can not be had. */
  missing: string[]
}

/**
 * What an extension depends on and what is in its pack, those that need something themselves too, each once. Without what it depends on it would
 * not run: that is an error which names it.
 */
export async function neededExtensions<Found>(
  id: string,
  first: Needs,
  source: ExtensionSource<Found>,
): Promise<NeededExtensions<Found>> {
  const there = new Set([id, ...source.installed].map(lower))
  const known = await lookUp(first, there, source)
  const lacking = (needs: Needs, seen = new Set<string>()): string[] =>
    needs.dependencies
      .filter((one) => !there.has(lower(one)) && !seen.has(lower(one)) && seen.add(lower(one)))
      .flatMap((one) => {
        const needed = known.get(lower(one))
        return needed ? lacking(needed, seen) : [one]
      })
  const unmet = lacking(first)
  if (unmet.length > 0)
    throw new Error(
      `It depends on ${unmet.join(' and ')}, which the extension registry does not have for this editor. Install that first, from a file.`,
    )

  const found: Found[] = []
  const missing: string[] = []
  const add = (one: string): void => {
    if (there.has(lower(one))) return
    there.add(lower(one))
    const needed = known.get(lower(one))
    if (!needed || lacking(needed).length > 0) {
      missing.push(one)
      return
    }
    for (const dependency of needed.dependencies) add(dependency)
    found.push(needed.found)
    for (const member of needed.pack) add(member)
  }
  for (const one of [...first.dependencies, ...first.pack]) add(one)
  return { found, missing }
}

/** Whatever of it a registry has, by its name in small letters. */
async function lookUp<Found>(
  first: Needs,
  there: ReadonlySet<string>,
  { find, describe }: ExtensionSource<Found>,
): Promise<Map<string, Needs & { found: Found }>> {
  const known = new Map<string, Needs & { found: Found }>()
  const asked = new Set(there)
  const unasked = ({ dependencies, pack }: Needs) =>
    [...dependencies, ...pack].filter((one) => !asked.has(lower(one)) && asked.add(lower(one)))
  for (let next = unasked(first); next.length > 0;) {
    const answers = await find(next)
    for (const found of answers) {
      const { id, ...needs } = describe(found)
      known.set(lower(id), { ...needs, found })
    }
    next = answers.flatMap((one) => unasked(describe(one)))
  }
  return known
}

/** Names of extensions are the same in whatever case they are written. */
const lower = (id: string): string => id.toLowerCase()
