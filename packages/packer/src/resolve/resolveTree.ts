import { satisfies } from 'semver'
import { PackerError } from '../errors.ts'
import { isPackageName } from '../packageName.ts'
import type { PackageIndexes, VersionFacts } from './packageIndex.ts'
import { pickVersion } from './pickVersion.ts'

/** One installed package: where it stands, and what stands inside of it. */
export interface InstalledPackage {
  /** The name it is imported by. */
  name: string
  /** Its name at the registry; another one where an alias is used. */
  registryName: string
  version: string
  file: string
  children: ReadonlyMap<string, InstalledPackage>
}

interface Place {
  parent: Place | null
  children: Map<string, Place>
  name: string
  registryName: string
  version: string
  facts: VersionFacts
}

/** More than the largest real projects have; a package that depends on more is meant to do harm. */
const MAX_PACKAGES = 3000
/** The answers can be large, and all that are asked for at once are in memory together. */
const ASKED_AT_ONCE = 32
const NO_FACTS: VersionFacts = { dependencies: {}, peers: {}, file: '' }

/** Of what a package depends on, the part that is followed. */
export type Follow = (installed: Pick<InstalledPackage, 'registryName' | 'file'>) => Promise<(name: string) => boolean>

const EVERYTHING: Follow = async () => () => true

/**
 * Lays packages out as npm does: everything as far up as it fits, another version of the same name inside the package that needs
 * it, and peers beside the package that asks for them.
 */
export async function resolveTree(
  roots: Readonly<Record<string, string>>,
  indexes: PackageIndexes,
  follow: Follow = EVERYTHING,
): Promise<ReadonlyMap<string, InstalledPackage>> {
  const root: Place = { parent: null, children: new Map(), name: '', registryName: '', version: '', facts: NO_FACTS }
  let count = 0
  let layer: Place[] = []

  const install = async (from: Place, name: string, range: string, isPeer: boolean): Promise<void> => {
    const found = lookUp(from, name)
    const wanted = readRange(name, range)
    // A peer of another version than asked for is what the project chose; two copies of it would break more.
    if (found && (isPeer || fits(found.place, wanted))) return
    if (count >= MAX_PACKAGES) throw new PackerError('TOO_LARGE', `more than ${MAX_PACKAGES} packages`)
    count += 1
    const index = await indexes.get(wanted.registryName)
    const version = pickVersion(wanted.registryName, wanted.range, index)
    // Another version than the one that is seen from here stands inside the package that needs it; else all the way up.
    const parent = found ? from : root
    const taken = parent.children.get(name)
    if (taken) return
    const place: Place = {
      parent,
      children: new Map(),
      name,
      registryName: wanted.registryName,
      version,
      facts: index.versions.get(version)!,
    }
    parent.children.set(name, place)
    layer.push(place)
  }

  const rootNames = Object.keys(roots).toSorted()
  await prefetch(
    indexes,
    rootNames.map((name) => readRange(name, roots[name]!).registryName),
  )
  for (const name of rootNames) await install(root, name, roots[name]!, false)
  while (layer.length > 0) {
    const current: { place: Place; dependencies: Ranges; peers: Ranges }[] = await Promise.all(
      layer.map(async (place) => {
        const isFollowed = await follow({ registryName: place.registryName, file: place.facts.file })
        const { dependencies, peers } = place.facts
        return { place, dependencies: filtered(dependencies, isFollowed), peers: filtered(peers, isFollowed) }
      }),
    )
    layer = []
    // Metadata of a whole layer is asked for at once; the places are given out one after the other, so that they are always the same.
    await prefetch(
      indexes,
      current.flatMap(({ dependencies, peers }) =>
        Object.entries({ ...peers, ...dependencies }).map(([name, range]) => readRange(name, range).registryName),
      ),
    )
    for (const { place, dependencies, peers } of current) {
      for (const name of Object.keys(dependencies).toSorted()) await install(place, name, dependencies[name]!, false)
      for (const name of Object.keys(peers).toSorted()) {
        if (!(name in dependencies)) await install(place.parent ?? root, name, peers[name]!, true)
      }
    }
  }
  return installed(root)
}

type Ranges = Readonly<Record<string, string>>

const filtered = (ranges: Ranges, isFollowed: (name: string) => boolean): Ranges =>
  Object.fromEntries(Object.entries(ranges).filter(([name]) => isFollowed(name)))

function lookUp(from: Place, name: string): { place: Place } | undefined {
  for (let at: Place | null = from; at; at = at.parent) {
    const place = at.children.get(name)
    if (place) return { place }
    if (at.name === name) return { place: at }
  }
  return undefined
}

interface WantedRange {
  registryName: string
  range: string
}

function readRange(name: string, range: string): WantedRange {
  const alias = /^npm:((?:@[^/@]+\/)?[^@]+)(?:@(.*))?$/.exec(range)
  const wanted = alias ? { registryName: alias[1]!, range: alias[2] ?? 'latest' } : { registryName: name, range }
  if (!isPackageName(wanted.registryName) || !isPackageName(name)) throw new PackerError('BAD_REQUEST', name)
  return wanted
}

function fits(place: Place, { registryName, range }: WantedRange): boolean {
  return (
    place.registryName === registryName && (place.version === range || satisfies(place.version, range, { loose: true }))
  )
}

/** Asks for all of them side by side. What fails here fails again, with its reason, where it is needed. */
async function prefetch(indexes: PackageIndexes, given: readonly string[]): Promise<void> {
  const names = [...new Set(given)]
  // Each would be a question to the registry, before the first of them is counted as a package.
  if (names.length > MAX_PACKAGES) throw new PackerError('TOO_LARGE', `more than ${MAX_PACKAGES} packages`)
  let next = 0
  const ask = async () => {
    for (let name = names[next++]; name !== undefined; name = names[next++])
      await indexes.get(name).catch(() => undefined)
  }
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, ask))
}

function installed(place: Place): ReadonlyMap<string, InstalledPackage> {
  return new Map(
    [...place.children.values()].map((child) => [
      child.name,
      {
        name: child.name,
        registryName: child.registryName,
        version: child.version,
        file: child.facts.file,
        children: installed(child),
      },
    ]),
  )
}
