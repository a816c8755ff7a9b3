import { gunzip } from 'node:zlib'
import { promisify } from 'node:util'
import { z } from 'zod'
import { PackerError } from '../errors.ts'
import { MAX_METADATA_BYTES, parseMetadata } from '../parseMetadata.ts'
import { RecentlyUsed } from '../recentlyUsed.ts'
import type { RegistryMirror } from '../registryMirror.ts'
import { withTries } from '../withTries.ts'
import type { Wait } from '../withTries.ts'

const unzip = promisify(gunzip)

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
  versions: ReadonlyMap<string, VersionFacts | null>
}

export interface PackageIndexes {
  get(name: string): Promise<PackageIndex>
}

/** Of indexes in memory, and of the metadata that they were made of. */
const REMEMBERED = { entries: 500, weight: 128 * 1024 * 1024 }
/** In bytes, beside the texts. */
const VERSION_WEIGHT = 400
const ENTRY_WEIGHT = 100
const METADATA_TRIES = 3

/**
 * The indexes of packages at a mirror. Metadata of big packages takes long to parse, so what was made of one answer is kept until
 * the mirror hands out another one.
 */
export class MirrorIndexes implements PackageIndexes {
  readonly #metadata: Pick<RegistryMirror, 'metadata'>['metadata']
  readonly #remembered = new RecentlyUsed<{ body: Buffer; index: PackageIndex }>(REMEMBERED)
  readonly #reading = new Map<Buffer, Promise<PackageIndex>>()

  constructor(mirror: Pick<RegistryMirror, 'metadata'>, wait: Wait) {
    this.#metadata = (name) => withTries(METADATA_TRIES, () => mirror.metadata(name), wait)
  }

  async get(name: string): Promise<PackageIndex> {
    const body = await this.#metadata(name)
    const known = this.#remembered.get(name)
    if (known?.body === body) return known.index
    const reading = this.#reading.get(body) ?? this.#read(name, body).finally(() => this.#reading.delete(body))
    this.#reading.set(body, reading)
    return reading
  }

  async #read(name: string, body: Buffer): Promise<PackageIndex> {
    const content = await unzip(body, { maxOutputLength: MAX_METADATA_BYTES })
    const index = readIndex(name, content)
    this.#remembered.set(name, { body, index }, body.length + weightOf(index))
    return index
  }
}

/** About what an index takes, which is a fraction of the text that it was read from. */
function weightOf({ tags, versions }: PackageIndex): number {
  const textsIn = (all: Readonly<Record<string, string>>) =>
    Object.entries(all).reduce((sum, [key, value]) => sum + ENTRY_WEIGHT + key.length + value.length, 0)
  let weight = textsIn(tags)
  for (const [version, facts] of versions) {
    weight += VERSION_WEIGHT + version.length
    if (facts) weight += textsIn(facts.dependencies) + textsIn(facts.peers) + facts.file.length
  }
  return weight
}

function readIndex(name: string, content: Buffer): PackageIndex {
  const parsed = indexSchema.safeParse(parseMetadata(name, content))
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
  return { tags: parsed.data['dist-tags'], versions }
}
