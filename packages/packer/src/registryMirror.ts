import { createReadStream } from 'node:fs'
import { rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { answerParts } from './answerParts.ts'
import { ContentStore, readFileIfThere, writeFileAtomically } from './contentStore.ts'
import type { Checksum } from './contentStore.ts'
import { isRegistryAway, PackerError } from './errors.ts'
import { KeptMetadata } from './keptMetadata.ts'
import { metadataOfBefore } from './metadataOfBefore.ts'
import { MAX_METADATA_BYTES, parseMetadata } from './parseMetadata.ts'
import { RecentlyUsed } from './recentlyUsed.ts'
import { registryDetail, USUAL_DETAIL } from './registryDetail.ts'
import type { PackageIndex } from './resolve/packageIndex.ts'
import type { SafeFetch } from './safeFetch.ts'

/** The form of metadata that installers ask for: what is needed to install, without readmes. */
const INSTALL_FORM = 'application/vnd.npm.install-v1+json'

/** Metadata of the public registry that may still be of use where nobody waits for what was published since. */
const RECENT_MS = 24 * 60 * 60 * 1000
/** For all of an answer. The largest metadata has some megabytes; an archive has the usual time. */
const METADATA_MS = 120_000
/** A box that asks for every package there is does not fill the server's memory, and neither does a package with all the versions there are. */
const REMEMBERED = { entries: 2_000, weight: 256 * 1024 * 1024 }
/** Of what is known of each package beside its file, about. */
const ENTRY_WEIGHT = 2_000

interface CachedMetadata {
  fetchedAt: number
  kept: KeptMetadata
}

export interface RegistryMirrorOptions {
  folder: string
  /** Address of the registry, with a trailing slash or without. Null: none is known, and only what was seen before is served. */
  registry: string | null
  /** Address under which boxes reach this mirror; archive addresses in the metadata are rewritten to it. */
  publicBase: string
  fetch: SafeFetch
  /** For a private registry: the header that lets us in. It is sent to the registry's own origin alone; failures are told in its words. */
  private?: { authorization: string | null }
  now?: () => number
  /** Metadata younger than this is served without asking the registry, in milliseconds. */
  maxAge?: number
}

/**
 * A read-only npm registry that keeps what it has seen: archives by checksum, for good; metadata with revalidation, and stale when
 * the registry is out of reach. The registry's address and credentials never reach a box.
 */
export class RegistryMirror {
  private readonly options: RegistryMirrorOptions
  private readonly store: ContentStore
  private readonly registry: string | null
  private readonly memory = new RecentlyUsed<CachedMetadata>(REMEMBERED)
  private readonly underWay = new Map<string, Promise<unknown>>()

  constructor(options: RegistryMirrorOptions) {
    this.options = options
    this.registry = options.registry?.replace(/\/*$/, '/') ?? null
    this.store = new ContentStore(join(options.folder, 'archives'))
  }

  /** The metadata of a package as gzipped JSON. */
  async metadata(name: string): Promise<Buffer> {
    return (await this.current(name)).kept.body(this.options.publicBase)
  }

  /** What choosing versions of a package needs. @throws PackerError TOO_LARGE for metadata that goes beyond all limits */
  async index(name: string): Promise<PackageIndex> {
    return (await this.current(name)).kept.index()
  }

  /** The same, without asking the registry where it was asked in the last day. A private registry says each time who may know. */
  async recentIndex(name: string): Promise<PackageIndex> {
    return (await this.recent(name)).kept.index()
  }

  /** An archive of a package, verified. */
  async tarball(name: string, file: string): Promise<{ size: number; stream: () => Readable; etag: string }> {
    // One that is there stays what it is, whatever was published since.
    const checked = (await this.recent(name)).kept.archive(file)?.checksum
    const there = checked ? await this.store.sizeOf(checked) : undefined
    if (checked && there !== undefined) return this.archive(checked, there)
    // Metadata may be older than the archive a lockfile names, so an unknown archive asks the registry once more.
    const archive = (await this.current(name)).kept.archive(file) ?? (await this.current(name, 0)).kept.archive(file)
    if (!archive) throw new PackerError('NOT_FOUND', `${name}/${file}`)
    const { checksum } = archive
    if (!checksum) throw new PackerError('INTEGRITY', `the registry gives no checksum for ${file}`)
    const known = await this.store.sizeOf(checksum)
    if (known === undefined) await this.once(`archive ${checksum.hex}`, () => this.download(archive.url, checksum))
    const size = known ?? (await this.store.sizeOf(checksum))
    if (size === undefined) throw new PackerError('UPSTREAM', file)
    return this.archive(checksum, size)
  }

  private archive(checksum: Checksum, size: number): { size: number; stream: () => Readable; etag: string } {
    return { size, stream: () => createReadStream(this.store.pathOf(checksum)), etag: `"${checksum.hex}"` }
  }

  private async download(url: string, checksum: Checksum): Promise<void> {
    try {
      const response = await this.options.fetch.fetch(url, { accept: '*/*', ...this.credentials(url) })
      if (response.status !== 200) {
        response.body.resume()
        if (this.options.private && isRefusal(response.status)) throw new PackerError('ARCHIVE_REFUSED', { url })
        throw new PackerError(response.status === 404 ? 'NOT_FOUND' : 'UPSTREAM', `${response.status} for an archive`)
      }
      await this.store.add(checksum, answerParts(response.body))
    } catch (cause) {
      if (this.options.private && isRegistryAway(cause)) throw new PackerError('ARCHIVE_AWAY', { url }, { cause })
      throw cause
    }
  }

  private recent(name: string): Promise<CachedMetadata> {
    return this.options.private ? this.current(name) : this.current(name, RECENT_MS)
  }

  private async current(name: string, maxAge = this.options.maxAge ?? 300_000): Promise<CachedMetadata> {
    const now = this.options.now ?? Date.now
    const cached = this.memory.get(name) ?? (await this.once(`kept ${name}`, () => this.read(name)))
    if (cached && now() - cached.fetchedAt < maxAge) return cached
    return this.once(`metadata ${name}`, async () => {
      try {
        const fresh = await this.refresh(name, cached, now())
        this.remember(name, fresh)
        return fresh
      } catch (error) {
        // Yesterday's answer installs a project; no answer installs nothing.
        if (cached && isRegistryAway(error)) return cached
        const isTold = error instanceof PackerError && error.code === 'REGISTRY_AWAY'
        if (!this.options.private || isTold || !isRegistryAway(error)) throw error
        throw new PackerError('REGISTRY_AWAY', { detail: USUAL_DETAIL }, { cause: error })
      }
    })
  }

  private async refresh(name: string, cached: CachedMetadata | undefined, fetchedAt: number): Promise<CachedMetadata> {
    if (this.registry === null) throw new PackerError('UPSTREAM', 'no registry is configured')
    const address = this.registry + name.replace('/', '%2f')
    const headers: Record<string, string> = {
      accept: `${INSTALL_FORM}; q=1.0, application/json; q=0.8`,
      'content-type': 'application/json',
      ...this.credentials(address),
    }
    if (cached?.kept.etag) headers['if-none-match'] = cached.kept.etag
    if (cached?.kept.lastModified) headers['if-modified-since'] = cached.kept.lastModified
    const response = await this.options.fetch.fetch(address, headers, METADATA_MS)
    if (response.status === 304 && cached) {
      response.body.resume()
      const renewed = { ...cached, fetchedAt }
      if (!(await this.setFetchedAt(name, fetchedAt))) await this.write(name, renewed)
      return renewed
    }
    if (this.options.private && response.status !== 200) {
      const code = isRefusal(response.status) ? 'REGISTRY_REFUSED' : 'REGISTRY_AWAY'
      throw new PackerError(code, { detail: await registryDetail(response.body) })
    }
    if (response.status !== 200) {
      response.body.resume()
      throw new PackerError(response.status === 404 ? 'NOT_FOUND' : 'UPSTREAM', `${response.status} for ${name}`)
    }
    const kept = await KeptMetadata.of(parseMetadata(name, await contentOf(response.body)), {
      name,
      etag: single(response.headers['etag']),
      lastModified: single(response.headers['last-modified']),
      base: this.options.publicBase,
    })
    const fresh: CachedMetadata = { fetchedAt, kept }
    await this.write(name, fresh)
    return fresh
  }

  private credentials(address: string): Record<string, string> {
    const authorization = this.options.private?.authorization
    // What is no address goes nowhere: asking for it says so.
    if (authorization == null || this.registry === null || !URL.canParse(address)) return {}
    return new URL(address).origin === new URL(this.registry).origin ? { authorization } : {}
  }

  private pathOf(name: string): string {
    return join(this.options.folder, 'metadata', `${encodeURIComponent(name)}.kept`)
  }

  private async read(name: string): Promise<CachedMetadata | undefined> {
    const file = await readFileIfThere(this.pathOf(name))
    if (!file) return this.readOfBefore(name)
    const kept = KeptMetadata.read(file)
    // What is damaged is as good as nothing: the registry has it.
    if (!kept) return undefined
    const { mtimeMs: fetchedAt } = await stat(this.pathOf(name))
    const cached = { fetchedAt, kept }
    this.remember(name, cached)
    return cached
  }

  private async readOfBefore(name: string): Promise<CachedMetadata | undefined> {
    const path = join(this.options.folder, 'metadata', `${encodeURIComponent(name)}.json`)
    const file = await readFileIfThere(path)
    const before = file && (await metadataOfBefore(file))
    if (!before) return undefined
    const { answer, ...validators } = before
    const kept = await KeptMetadata.of(answer, { name, ...validators, base: this.options.publicBase })
    const cached = { fetchedAt: (await stat(path)).mtimeMs, kept }
    await this.write(name, cached)
    await rm(path, { force: true })
    this.remember(name, cached)
    return cached
  }

  private async write(name: string, { fetchedAt, kept }: CachedMetadata): Promise<void> {
    await writeFileAtomically(this.pathOf(name), kept.file)
    await this.setFetchedAt(name, fetchedAt)
  }

  /** The age of a file is that of what stands in it: what is still true need not be written again. False when there is no file. */
  private async setFetchedAt(name: string, fetchedAt: number): Promise<boolean> {
    try {
      await utimes(this.pathOf(name), fetchedAt / 1000, fetchedAt / 1000)
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
      throw error
    }
  }

  private remember(name: string, cached: CachedMetadata): void {
    this.memory.set(name, cached, cached.kept.weight + ENTRY_WEIGHT)
  }

  /** Requests for the same thing at the same time share one answer. */
  private once<T>(key: string, work: () => Promise<T>): Promise<T> {
    const running = this.underWay.get(key) as Promise<T> | undefined
    if (running) return running
    const started = work().finally(() => this.underWay.delete(key))
    this.underWay.set(key, started)
    return started
  }
}

/** An answer that asking again does not change. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 429

const single = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)

async function contentOf(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answerParts(body)) {
    bytes += chunk.length
    if (bytes > MAX_METADATA_BYTES) throw new PackerError('TOO_LARGE')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
