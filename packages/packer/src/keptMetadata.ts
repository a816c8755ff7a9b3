import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { z } from 'zod'
import { checksumOf } from './contentStore.ts'
import type { Checksum } from './contentStore.ts'
import { PackerError } from './errors.ts'
import { encodeRows, MetadataRows } from './metadataRows.ts'
import { MAX_METADATA_BYTES, parseMetadata } from './parseMetadata.ts'
import { readIndex } from './resolve/packageIndex.ts'
import type { PackageIndex, VersionFacts } from './resolve/packageIndex.ts'

const compress = promisify(gzip)
const unzip = promisify(gunzip)

/** Counts up when the same metadata is kept in another way. */
const FORMAT = 1
const MAX_FILE_NAME = 300
const LINE_END = 0x0a

const documentSchema = z.looseObject({
  name: z.string(),
  versions: z
    .record(
      z.string(),
      z.looseObject({
        dist: z.looseObject({ tarball: z.string(), integrity: z.string().optional(), shasum: z.string().optional() }),
      }),
    )
    .default({}),
})
const factsSchema = z
  .object({
    dependencies: z.record(z.string(), z.string()),
    peers: z.record(z.string(), z.string()),
    file: z.string(),
  })
  .nullable()
const archiveSchema = z.object({
  url: z.string(),
  checksum: z.object({ algorithm: z.enum(['sha512', 'sha1']), hex: z.string() }).nullable(),
})
const headSchema = z.object({
  format: z.literal(FORMAT),
  name: z.string(),
  etag: z.string().optional(),
  lastModified: z.string().optional(),
  /** Where the archives are said to be. */
  base: z.string(),
  /** Of all that follows. */
  checksum: z.string(),
  /** Versions that ranges can mean, which come first among all. */
  inOrder: z.number(),
  tags: z.record(z.string(), z.string()),
  /** What choosing versions can't be done with: why, the answer itself tells. */
  isRefused: z.boolean(),
  lengths: z.tuple([z.number(), z.number(), z.number(), z.number()]),
})
type Head = z.infer<typeof headSchema>

export interface Archive {
  url: string
  checksum: Checksum | null
}

export interface MetadataSource {
  name: string
  etag: string | undefined
  lastModified: string | undefined
  /** Where the archives are to be looked for by who reads the answer. */
  base: string
}

/**
 * The metadata of one package as it is kept: the answer for installers, gzipped, and before it the little that choosing versions and fetching
 * archives need, which is read without parsing the rest. All of it is one file, so that its parts never contradict each other.
 */
export class KeptMetadata {
  readonly file: Buffer
  readonly etag: string | undefined
  readonly lastModified: string | undefined
  readonly #head: Head
  readonly #parts: readonly Buffer[]
  readonly #bodies = new Map<string, Promise<Buffer>>()
  #index: Promise<PackageIndex> | undefined
  #archives: MetadataRows | undefined

  private constructor(file: Buffer, head: Head, parts: readonly Buffer[]) {
    this.file = file
    this.etag = head.etag
    this.lastModified = head.lastModified
    this.#head = head
    this.#parts = parts
  }

  /** What a registry answered. @throws PackerError UPSTREAM for what is no metadata */
  static async of(answer: unknown, source: MetadataSource): Promise<KeptMetadata> {
    const parsed = documentSchema.safeParse(answer)
    if (!parsed.success) throw new PackerError('UPSTREAM', `the answer for ${source.name} is not package metadata`)
    const archives = new Map<string, Archive>()
    for (const { dist } of Object.values(parsed.data.versions)) {
      const file = dist.tarball.split('/').at(-1)?.split('?', 1)[0]
      if (!file || file.length > MAX_FILE_NAME) continue
      archives.set(file, { url: dist.tarball, checksum: checksumOf(dist) ?? null })
      dist.tarball = `${source.base}/${source.name}/-/${file}`
    }
    return KeptMetadata.#encode(parsed.data, archives, source)
  }

  /** As it was kept; undefined for what is damaged or of another format. */
  static read(file: Buffer): KeptMetadata | undefined {
    const end = file.indexOf(LINE_END)
    const head = headSchema.safeParse(jsonOrNothing(file.toString('utf8', 0, Math.max(0, end))))
    if (!head.success || checksum(file.subarray(end + 1)) !== head.data.checksum) return undefined
    return KeptMetadata.#decode(file, head.data, end + 1)
  }

  static async #encode(
    document: unknown,
    archives: ReadonlyMap<string, Archive>,
    { name, etag, lastModified, base }: MetadataSource,
  ): Promise<KeptMetadata> {
    const index = indexOrRefusal(name, document)
    const facts = index ? inOrder(index) : []
    const versionRows = encodeRows(facts)
    const archiveRows = encodeRows(archives)
    const parts = [versionRows.names, versionRows.values, archiveRows.names, archiveRows.values]
    const content = Buffer.concat([...parts, await compress(JSON.stringify(document))])
    const head: Head = {
      format: FORMAT,
      name,
      ...(etag !== undefined && { etag }),
      ...(lastModified !== undefined && { lastModified }),
      base,
      checksum: checksum(content),
      inOrder: index?.newestFirst.length ?? 0,
      tags: index?.tags ?? {},
      isRefused: index === undefined,
      lengths: parts.map(({ length }) => length) as Head['lengths'],
    }
    const line = Buffer.from(`${JSON.stringify(head)}\n`)
    return KeptMetadata.#decode(Buffer.concat([line, content]), head, line.length)
  }

  static #decode(file: Buffer, head: Head, start: number): KeptMetadata {
    let at = start
    const parts = head.lengths.map((length) => file.subarray(at, (at += length)))
    return new KeptMetadata(file, head, [...parts, file.subarray(at)])
  }

  /** Bytes in memory, about: names are there twice. */
  get weight(): number {
    return this.file.length + 2 * (this.#parts[0]!.length + this.#parts[2]!.length)
  }

  /** What choosing versions needs of it. @throws PackerError TOO_LARGE */
  index(): Promise<PackageIndex> {
    return (this.#index ??= this.#readIndex())
  }

  async #readIndex(): Promise<PackageIndex> {
    if (this.#head.isRefused) return readIndex(this.#head.name, parseMetadata(this.#head.name, await this.#text()))
    const rows = new MetadataRows({ names: this.#parts[0]!, values: this.#parts[1]! })
    const read = new Map<string, VersionFacts | null>()
    return {
      tags: this.#head.tags,
      newestFirst: rows.names.slice(0, this.#head.inOrder),
      versions: {
        has: (version) => rows.has(version),
        keys: () => rows.names.values() as MapIterator<string>,
        get(version) {
          const known = read.get(version)
          if (known !== undefined || !rows.has(version)) return known
          const facts = factsSchema.parse(rows.get(version))
          read.set(version, facts)
          return facts
        },
      },
    }
  }

  archive(file: string): Archive | undefined {
    this.#archives ??= new MetadataRows({ names: this.#parts[2]!, values: this.#parts[3]! })
    return this.#archives.has(file) ? archiveSchema.parse(this.#archives.get(file)) : undefined
  }

  /** The answer for installers, gzipped, whose archives are below this address. */
  async body(base: string): Promise<Buffer> {
    if (base === this.#head.base) return this.#parts[4]!
    const known = this.#bodies.get(base) ?? this.#bodyWith(base)
    this.#bodies.set(base, known)
    return known
  }

  /** Quotes within texts have a stroke before them, so what is found is an address. */
  async #bodyWith(base: string): Promise<Buffer> {
    const before = `"tarball":"${JSON.stringify(this.#head.base).slice(1, -1)}/`
    const text = (await this.#text()).toString()
    return compress(text.replaceAll(before, () => `"tarball":"${JSON.stringify(base).slice(1, -1)}/`))
  }

  #text(): Promise<Buffer> {
    return unzip(this.#parts[4]!, { maxOutputLength: MAX_METADATA_BYTES })
  }
}

/** Undefined for what versions can't be chosen from: installers get it all the same. */
function indexOrRefusal(name: string, document: unknown): PackageIndex | undefined {
  try {
    return readIndex(name, document)
  } catch (error) {
    if (error instanceof PackerError) return undefined
    throw error
  }
}

function* inOrder({ newestFirst, versions }: PackageIndex): Generator<[string, VersionFacts | null]> {
  for (const version of newestFirst) yield [version, versions.get(version) ?? null]
  const isOrdered = new Set(newestFirst)
  for (const version of versions.keys()) if (!isOrdered.has(version)) yield [version, versions.get(version) ?? null]
}

function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const checksum = (content: Buffer): string => createHash('sha256').update(content).digest('hex')
