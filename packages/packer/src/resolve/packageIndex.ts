import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { PackerError } from '../errors.ts'
import { MAX_METADATA_BYTES, parseMetadata } from '../parseMetadata.ts'
import type { RegistryMirror } from '../registryMirror.ts'
import { withTries } from '../withTries.ts'
import type { Wait } from '../withTries.ts'

const ranges = z.record(z.string(), z.string()).optional().catch(undefined)

const versionSchema = z.object({
  dependencies: ranges,
  optionalDependencies: ranges,
  peerDependencies: ranges,
  peerDependenciesMeta: z
    .record(z.string(), z.object({ optional: z.boolean().optional() }))
    .optional()
    .catch(undefined),
  dist: z.object({ tarball: z.string() }),
})

const indexSchema = z.object({
  'dist-tags': z.record(z.string(), z.string()).default({}),
  versions: z.record(z.string(), versionSchema),
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
  versions: ReadonlyMap<string, VersionFacts>
}

export interface PackageIndexes {
  get(name: string): Promise<PackageIndex>
}

const MAX_REMEMBERED = 500
const METADATA_TRIES = 3

/**
 * The indexes of packages at a mirror. Metadata of big packages takes long to parse, so what was made of one answer is kept until
 * the mirror hands out another one.
 */
export class MirrorIndexes implements PackageIndexes {
  readonly #metadata: Pick<RegistryMirror, 'metadata'>['metadata']
  readonly #remembered = new Map<string, { body: Buffer; index: PackageIndex }>()

  constructor(mirror: Pick<RegistryMirror, 'metadata'>, wait: Wait) {
    this.#metadata = (name) => withTries(METADATA_TRIES, () => mirror.metadata(name), wait)
  }

  async get(name: string): Promise<PackageIndex> {
    const body = await this.#metadata(name)
    const known = this.#remembered.get(name)
    if (known?.body === body) return known.index
    const index = readIndex(name, body)
    this.#remembered.delete(name)
    this.#remembered.set(name, { body, index })
    const oldest = this.#remembered.keys().next()
    if (this.#remembered.size > MAX_REMEMBERED && !oldest.done) this.#remembered.delete(oldest.value)
    return index
  }
}

function readIndex(name: string, body: Buffer): PackageIndex {
  const parsed = indexSchema.safeParse(parseMetadata(name, gunzipSync(body, { maxOutputLength: MAX_METADATA_BYTES })))
  if (!parsed.success) throw new PackerError('UPSTREAM', `the metadata of ${name} can not be read`)
  const versions = new Map<string, VersionFacts>()
  for (const [version, facts] of Object.entries(parsed.data.versions)) {
    const optional = facts.optionalDependencies ?? {}
    const peers = Object.entries(facts.peerDependencies ?? {})
    versions.set(version, {
      // Optional dependencies are native parts for other platforms: nothing of them runs in a browser.
      dependencies: Object.fromEntries(Object.entries(facts.dependencies ?? {}).filter(([key]) => !(key in optional))),
      peers: Object.fromEntries(peers.filter(([key]) => facts.peerDependenciesMeta?.[key]?.optional !== true)),
      file: facts.dist.tarball.split('/').at(-1) ?? '',
    })
  }
  return { tags: parsed.data['dist-tags'], versions }
}
