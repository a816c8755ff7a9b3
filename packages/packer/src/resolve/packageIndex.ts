import { parse, rcompare } from 'semver'
import { z } from 'zod'
import { PackerError } from '../errors.ts'

/** Far beyond real packages: the most published have some thousand versions, the greediest depend on some hundred packages. */
const MAX_VERSIONS = 20_000
const MAX_TAGS = 10_000
const MAX_DEPENDENCIES = 1_000
const MAX_NAME = 214
const MAX_RANGE = 512
const MAX_ADDRESS = 2_000

const ranges = z
  .record(z.string(), z.string())
  .optional()
  .catch(undefined)
  .refine((all) => {
    const entries = Object.entries(all ?? {})
    return (
      entries.length <= MAX_DEPENDENCIES &&
      entries.every(([name, range]) => name.length <= MAX_NAME && range.length <= MAX_RANGE)
    )
  })

const versionSchema = z.object({
  dependencies: ranges,
  optionalDependencies: ranges,
  peerDependencies: ranges,
  peerDependenciesMeta: z
    .record(z.string(), z.object({ optional: z.boolean().optional() }))
    .optional()
    .catch(undefined),
  dist: z.object({ tarball: z.string().max(MAX_ADDRESS) }),
})

const atMost = (most: number) => (all: object) => Object.keys(all).length <= most
const indexSchema = z.object({
  'dist-tags': z.record(z.string(), z.string()).refine(atMost(MAX_TAGS), 'too many tags').default({}),
  // One version that goes too far must not take the others away.
  versions: z
    .record(z.string(), versionSchema.nullable().catch(null))
    .refine(atMost(MAX_VERSIONS), 'too many versions'),
})

/** What choosing versions needs of one version. */
export interface VersionFacts {
  dependencies: Readonly<Record<string, string>>
  /** Installed with it when nobody else brings them. */
  peers: Readonly<Record<string, string>>
  /** Name of its archive at the mirror. */
  file: string
}

/** What choosing versions needs of one package. */
export interface PackageIndex {
  tags: Readonly<Record<string, string>>
  /** Null: what the version says of itself is not read, as it goes beyond all limits. */
  versions: Pick<ReadonlyMap<string, VersionFacts | null>, 'get' | 'has' | 'keys'>
  /** Those that ranges can mean. */
  newestFirst: readonly string[]
}

export interface PackageIndexes {
  get(name: string): Promise<PackageIndex>
}

/** The index of a package by its metadata. @throws PackerError TOO_LARGE, or UPSTREAM for what is no metadata */
export function readIndex(name: string, document: unknown): PackageIndex {
  const parsed = indexSchema.safeParse(document)
  if (!parsed.success) {
    const tooMuch = parsed.error.issues.find(({ code }) => code === 'custom')
    if (tooMuch) throw new PackerError('TOO_LARGE', `the metadata of ${name} has ${tooMuch.message}`)
    throw new PackerError('UPSTREAM', `the metadata of ${name} can not be read`)
  }
  const versions = new Map<string, VersionFacts | null>()
  for (const [version, facts] of Object.entries(parsed.data.versions)) {
    if (facts === null) {
      versions.set(version, null)
      continue
    }
    const optional = facts.optionalDependencies ?? {}
    const peers = Object.entries(facts.peerDependencies ?? {})
    versions.set(version, {
      // Optional dependencies are native parts for other platforms: nothing of them runs in a browser.
      dependencies: Object.fromEntries(
        Object.entries(facts.dependencies ?? {}).filter(([key]) => !Object.hasOwn(optional, key)),
      ),
      peers: Object.fromEntries(peers.filter(([key]) => facts.peerDependenciesMeta?.[key]?.optional !== true)),
      file: facts.dist.tarball.split('/').at(-1) ?? '',
    })
  }
  return indexOf(parsed.data['dist-tags'], versions)
}

export function indexOf(
  tags: Readonly<Record<string, string>>,
  versions: ReadonlyMap<string, VersionFacts | null>,
): PackageIndex {
  const newestFirst = [...versions.keys()]
    .flatMap((version) => parse(version) ?? [])
    .toSorted(rcompare)
    .map(({ raw }) => raw)
  return { tags, versions, newestFirst }
}
