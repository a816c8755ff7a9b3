import { satisfies } from 'semver'
import { PackerError } from '../errors.ts'
import { isPackageName } from '../packageName.ts'
import { Effort } from './effort.ts'
import type { PackageIndexes, VersionFacts } from './packageIndex.ts'
import { pickVersion } from './pickVersion.ts'
import { MAX_PACKAGES, prefetch } from './prefetch.ts'

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
  /** Of its path below the outermost node_modules. */
  pathLength: number
}

/** Packages inside of packages inside of packages have to be laid out on a disk. */
const MAX_PATH_LENGTH = 2_000
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
  const root: Place = {
    parent: null,
    children: new Map(),
    name: '',
    registryName: '',
    version: '',
    facts: NO_FACTS,
    pathLength: 0,
  }
  const effort = new Effort()
  let count = 0
  let layer: Place[] = []
  let failed: ReadonlyMap<string, unknown> = new Map()

  const install = async (from: Place, name: string, range: string, isPeer: boolean): Promise<void> => {
    const found = lookUp(from, name)
    const wanted = readRange(name, range)
    // A peer of another version than asked for is what the project chose; two copies of it would break more.
    if (found && (isPeer || fits(found.place, wanted))) return
    if (count >= MAX_PACKAGES) throw new PackerError('TOO_LARGE', `more than ${MAX_PACKAGES} packages`)
    count += 1
    if (failed.has(wanted.registryName)) throw failed.get(wanted.registryName)
    const index = await indexes.get(wanted.registryName)
    const version = pickVersion(wanted.registryName, wanted.range, index, (made) => effort.compare(made))
    const facts = index.versions.get(version)
    if (!facts) throw new PackerError('TOO_LARGE', `what ${wanted.registryName}@${version} says of itself`)
    // Another version than the one that is seen from here stands inside the package that needs it; else all the way up.
    const parent = found ? from : root
    const taken = parent.children.get(name)
    if (taken) return
    const pathLength = parent.pathLength + '/node_modules/'.length + name.length
    if (pathLength > MAX_PATH_LENGTH) throw new PackerError('TOO_LARGE', 'packages too deep inside of packages')
    const place: Place = {
      parent,
      children: new Map(),
      name,
      registryName: wanted.registryName,
      version,
      facts,
      pathLength,
    }
    parent.children.set(name, place)
    layer.push(place)
  }

  const rootNames = Object.keys(roots).toSorted()
  failed = await prefetch(
    indexes,
    rootNames.map((name) => readRange(name, roots[name]!).registryName),
  )
  for (const name of rootNames) {
    await effort.depend(1)
    await install(root, name, roots[name]!, false)
  }
  while (layer.length > 0) {
    const follows = await Promise.all(
      layer.map((place) => follow({ registryName: place.registryName, file: place.facts.file })),
    )
    const current: { place: Place; dependencies: Ranges; peers: Ranges }[] = []
    for (const [index, place] of layer.entries()) {
      const { dependencies, peers } = place.facts
      // All of them, also those that are not followed: to find that out is work too.
      await effort.depend(Object.keys(dependencies).length + Object.keys(peers).length)
      const isFollowed = follows[index]!
      current.push({ place, dependencies: filtered(dependencies, isFollowed), peers: filtered(peers, isFollowed) })
    }
    layer = []
    // Metadata of a whole layer is asked for at once; the places are given out one after the other, so that they are always the same.
    failed = await prefetch(
      indexes,
      current.flatMap(({ dependencies, peers }) =>
        Object.entries({ ...peers, ...dependencies }).map(([name, range]) => readRange(name, range).registryName),
      ),
    )
    for (const { place, dependencies, peers } of current) {
      for (const name of Object.keys(dependencies).toSorted()) {
        await effort.pause()
        await install(place, name, dependencies[name]!, false)
      }
      for (const name of Object.keys(peers).toSorted()) {
        await effort.pause()
        if (!Object.hasOwn(dependencies, name)) await install(place.parent ?? root, name, peers[name]!, true)
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
