import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { z } from 'zod'
import { readFileIfThere } from '../contentStore.ts'
import { isRegistryAway, PackerError } from '../errors.ts'
import { NO_PROGRAM_READS } from '../packs/noProgramReads.ts'
import { packageArchives } from '../packs/packageArchives.ts'
import type { OpenArchive } from '../packs/packageArchives.ts'
import { describeTree, packRequestSchema } from '../packs/packs.ts'
import { PackStore } from '../packs/packStore.ts'
import { contentOf, readArchive } from '../packs/readArchive.ts'
import { TreeRoom } from '../packs/treeRoom.ts'
import { PACKAGE_LIMITS } from '../packs/unpackArchive.ts'
import { MirrorIndexes } from '../resolve/mirrorIndexes.ts'
import { resolveTree } from '../resolve/resolveTree.ts'
import type { InstalledPackage } from '../resolve/resolveTree.ts'
import type { PackageSource } from '../scopedMirror.ts'
import { ARCHIVES_AT_ONCE, sideBySide } from '../sideBySide.ts'
import type { Wait } from '../withTries.ts'

/** Counts up when the same packages lead to other files. */
const FORMAT = 1
const SAME_VERSIONS_MS = 24 * 60 * 60 * 1000
/** What a process in a browser can hold beside its own work. */
const MAX_BYTES = 64 * 1024 * 1024
const compress = promisify(gzip)

export const sourceTreeRequestSchema = packRequestSchema.pick({ dependencies: true })
export type SourceTreeRequest = z.infer<typeof sourceTreeRequestSchema>

export const sourceTreeManifestSchema = z.object({
  id: z.string(),
  /** Versions of the packages that the project sees, by name. */
  versions: z.record(z.string(), z.string()),
})
export type SourceTreeManifest = z.infer<typeof sourceTreeManifestSchema>

const rememberedSchema = sourceTreeManifestSchema.extend({ at: z.number() })

export interface SourceTreesOptions {
  folder: string
  mirror: PackageSource
  /** What nobody can guess, for packages that not everybody may have: it goes into every id. */
  salt?: string
  /** The room that all makers share; one without a limit when absent. */
  store?: PackStore
  now?: () => number
  wait?: Wait
}

/**
 * The files of packages as they are, for programs that run in a browser: immutable trees of what npm would put into node_modules, each one
 * file of JSON `{ texts: { [path]: text }, bytes: { [path]: base64 } }`, compressed. Nothing of a package is run.
 */
export class SourceTrees {
  readonly #folder: string
  readonly #store: PackStore
  readonly #indexes: MirrorIndexes
  readonly #open: OpenArchive
  readonly #format: readonly (number | string)[]
  readonly #now: () => number
  readonly #underWay = new Map<string, Promise<SourceTreeManifest>>()

  constructor({ folder, mirror, salt, store, now, wait = sleep }: SourceTreesOptions) {
    this.#folder = folder
    this.#store = store ?? new PackStore({ folder, mostBytes: Infinity })
    this.#indexes = new MirrorIndexes(mirror, wait)
    this.#open = packageArchives(mirror, wait)
    this.#format = salt === undefined ? [FORMAT] : [FORMAT, salt]
    this.#now = now ?? Date.now
  }

  /** The tree for these dependencies, made when it is not there yet. The same question at the same time is answered once. */
  async tree({ dependencies }: SourceTreeRequest): Promise<SourceTreeManifest> {
    const key = hashOf([...this.#format, Object.entries(dependencies).toSorted()])
    const running = this.#underWay.get(key)
    if (running) return running
    const started = this.#provide(key, dependencies).finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, started)
    return started
  }

  /** A tree, compressed with gzip; undefined when there is none of that id. */
  async file(id: string): Promise<Buffer | undefined> {
    if (!/^[0-9a-f]{64}$/.test(id)) return undefined
    return this.#store.read(this.#pathOf(id))
  }

  async #provide(key: string, dependencies: Readonly<Record<string, string>>): Promise<SourceTreeManifest> {
    const place = join(this.#folder, 'source-requests', `${key}.json`)
    const kept = await readFileIfThere(place)
    const remembered = kept && rememberedSchema.parse(JSON.parse(kept.toString()))
    const isThere = remembered !== undefined && (await this.file(remembered.id)) !== undefined
    if (isThere && this.#now() - remembered.at < SAME_VERSIONS_MS) return withoutTime(remembered)
    try {
      const made = await this.#make(dependencies)
      await this.#store.write(place, JSON.stringify({ ...made, at: this.#now() }))
      return made
    } catch (error) {
      // Without the registry, what these ranges meant before still runs the project.
      if (isThere && isRegistryAway(error)) return withoutTime(remembered)
      throw error
    }
  }

  async #make(dependencies: Readonly<Record<string, string>>): Promise<SourceTreeManifest> {
    const tree = await resolveTree(dependencies, this.#indexes)
    const id = hashOf([...this.#format, describeTree(tree)])
    if ((await this.file(id)) === undefined) {
      const read = await this.#filesOf(tree)
      const texts: Record<string, string> = {}
      const bytes: Record<string, string> = {}
      let size = 0
      for (const { place, installed } of places(tree, '')) {
        for (const [path, content] of read.get(keyOf(installed))!) {
          size += content.length
          if (size > MAX_BYTES) throw tooLarge()
          if (isUtf8(content)) texts[`${place}/${path}`] = content.toString()
          else bytes[`${place}/${path}`] = content.toString('base64')
        }
      }
      await this.#store.write(this.#pathOf(id), await compress(JSON.stringify({ texts, bytes })))
    }
    return { id, versions: Object.fromEntries([...tree.values()].map(({ name, version }) => [name, version])) }
  }

  /** The files of each package, which may stand in several places. */
  async #filesOf(tree: ReadonlyMap<string, InstalledPackage>): Promise<ReadonlyMap<string, PackageFiles>> {
    const packages = new Map([...places(tree, '')].map(({ installed }) => [keyOf(installed), installed]))
    const read = new Map<string, PackageFiles>()
    const room = new TreeRoom()
    let left = MAX_BYTES
    await sideBySide(ARCHIVES_AT_ONCE, packages, async ([key, installed]) => {
      const files = new Map<string, Buffer>()
      read.set(key, files)
      const { stream } = await this.#open(installed)
      await readArchive(
        stream(),
        { ...PACKAGE_LIMITS },
        async ({ path, header: { size = 0 }, content }) => {
          left -= size
          if (left < 0) throw tooLarge()
          files.set(path, await contentOf(content))
        },
        { isWanted: (path) => !NO_PROGRAM_READS.test(path), room },
      )
    })
    return read
  }

  #pathOf(id: string): string {
    return join(this.#folder, 'sources', id.slice(0, 2), `${id.slice(2)}.json.gz`)
  }
}

function* places(
  tree: ReadonlyMap<string, InstalledPackage>,
  within: string,
): Generator<{ place: string; installed: InstalledPackage }> {
  for (const installed of tree.values()) {
    const place = `${within}${installed.name}`
    yield { place, installed }
    yield* places(installed.children, `${place}/node_modules/`)
  }
}

type PackageFiles = ReadonlyMap<string, Buffer>

const keyOf = ({ registryName, file }: InstalledPackage): string => `${registryName}/${file}`
const tooLarge = () => new PackerError('TOO_LARGE', 'packages of more than 64 MB')
const withoutTime = ({ id, versions }: SourceTreeManifest): SourceTreeManifest => ({ id, versions })
const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')
