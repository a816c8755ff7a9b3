import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { z } from 'zod'
import { readFileIfThere } from '../contentStore.ts'
import { isRegistryAway } from '../errors.ts'
import { hashOf } from './hashOf.ts'
import { PackStore } from './packStore.ts'

/** How long the versions that a set of ranges led to are taken as they were. */
const SAME_VERSIONS_MS = 24 * 60 * 60 * 1000
const compress = promisify(gzip)
const timeSchema = z.object({ at: z.number() })

export interface CompressedPacksOptions<Manifest> {
  folder: string
  /** The folders for the packs and for what was asked. */
  packs: string
  requests: string
  schema: z.ZodType<Manifest>
  /** What else than the dependencies decides what comes of them. */
  format: readonly (number | string)[]
  /** One without a limit when absent. */
  store: PackStore | undefined
  now: (() => number) | undefined
}

/** Packs of one file of JSON each, compressed with gzip, and what is known of each: for the same dependencies the same one for a day. */
export class CompressedPacks<Manifest extends { id: string }> {
  readonly #options: CompressedPacksOptions<Manifest>
  readonly #store: PackStore
  readonly #now: () => number
  readonly #underWay = new Map<string, Promise<Manifest>>()

  constructor(options: CompressedPacksOptions<Manifest>) {
    this.#options = options
    this.#store = options.store ?? new PackStore({ folder: options.folder, mostBytes: Infinity })
    this.#now = options.now ?? Date.now
  }

  /** What is known of the pack for these dependencies, by `make` when it is not there yet. The same question at the same time is answered once. */
  async provide(dependencies: Readonly<Record<string, string>>, make: () => Promise<Manifest>): Promise<Manifest> {
    const key = hashOf([...this.#options.format, Object.entries(dependencies).toSorted()])
    const running = this.#underWay.get(key)
    if (running) return running
    const started = this.#provide(key, make).finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, started)
    return started
  }

  /** A pack, compressed; undefined when there is none of that id. */
  async read(id: string): Promise<Buffer | undefined> {
    if (!/^[0-9a-f]{64}$/.test(id)) return undefined
    return this.#store.read(this.#pathOf(id))
  }

  async write(id: string, content: object): Promise<void> {
    await this.#store.write(this.#pathOf(id), await compress(JSON.stringify(content)))
  }

  async #provide(key: string, make: () => Promise<Manifest>): Promise<Manifest> {
    const { folder, requests } = this.#options
    const place = join(folder, requests, `${key}.json`)
    const remembered = await this.#remembered(place)
    if (remembered && this.#now() - remembered.at < SAME_VERSIONS_MS) return remembered.manifest
    try {
      const made = await make()
      await this.#store.write(place, JSON.stringify({ ...made, at: this.#now() }))
      return made
    } catch (error) {
      // Without the registry, what these ranges meant before is still of use.
      if (remembered && isRegistryAway(error)) return remembered.manifest
      throw error
    }
  }

  /** What the dependencies led to before, while its pack is there. */
  async #remembered(place: string): Promise<{ manifest: Manifest; at: number } | undefined> {
    const kept = await readFileIfThere(place)
    if (!kept) return undefined
    const value: unknown = JSON.parse(kept.toString())
    const manifest = this.#options.schema.parse(value)
    const isThere = (await this.read(manifest.id)) !== undefined
    return isThere ? { manifest, at: timeSchema.parse(value).at } : undefined
  }

  #pathOf(id: string): string {
    return join(this.#options.folder, this.#options.packs, id.slice(0, 2), `${id.slice(2)}.json.gz`)
  }
}
