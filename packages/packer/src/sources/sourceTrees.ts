import { isUtf8 } from 'node:buffer'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { PackerError } from '../errors.ts'
import { CompressedPacks } from '../packs/compressedPacks.ts'
import { hashOf } from '../packs/hashOf.ts'
import { NO_PROGRAM_READS } from '../packs/noProgramReads.ts'
import { packageArchives } from '../packs/packageArchives.ts'
import type { OpenArchive } from '../packs/packageArchives.ts'
import { describeTree, packRequestSchema } from '../packs/packs.ts'
import type { PackStore } from '../packs/packStore.ts'
import { contentOf, readArchive } from '../packs/readArchive.ts'
import { TreeRoom } from '../packs/treeRoom.ts'
import { PACKAGE_LIMITS } from '../packs/unpackArchive.ts'
import { resolveRecent } from '../resolve/resolveRecent.ts'
import type { InstalledPackage } from '../resolve/resolveTree.ts'
import type { PackageSource } from '../scopedMirror.ts'
import { ARCHIVES_AT_ONCE, sideBySide } from '../sideBySide.ts'
import type { Wait } from '../withTries.ts'

/** Counts up when the same packages lead to other files. */
const FORMAT = 1
/** What a process in a browser can hold beside its own work. */
const MAX_BYTES = 64 * 1024 * 1024

export const sourceTreeRequestSchema = packRequestSchema.pick({ dependencies: true })
export type SourceTreeRequest = z.infer<typeof sourceTreeRequestSchema>

export const sourceTreeManifestSchema = z.object({
  id: z.string(),
  /** Versions of the packages that the project sees, by name. */
  versions: z.record(z.string(), z.string()),
})
export type SourceTreeManifest = z.infer<typeof sourceTreeManifestSchema>

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
  readonly #packs: CompressedPacks<SourceTreeManifest>
  readonly #mirror: PackageSource
  readonly #wait: Wait
  readonly #open: OpenArchive
  readonly #format: readonly (number | string)[]

  constructor({ folder, mirror, salt, store, now, wait = sleep }: SourceTreesOptions) {
    this.#mirror = mirror
    this.#wait = wait
    this.#open = packageArchives(mirror, wait)
    this.#format = salt === undefined ? [FORMAT] : [FORMAT, salt]
    this.#packs = new CompressedPacks({
      folder,
      packs: 'sources',
      requests: 'source-requests',
      schema: sourceTreeManifestSchema,
      format: this.#format,
      store,
      now,
    })
  }

  /** The tree for these dependencies, made when it is not there yet. The same question at the same time is answered once. */
  async tree({ dependencies }: SourceTreeRequest): Promise<SourceTreeManifest> {
    return this.#packs.provide(dependencies, () => this.#make(dependencies))
  }

  /** A tree, compressed with gzip; undefined when there is none of that id. */
  async file(id: string): Promise<Buffer | undefined> {
    return this.#packs.read(id)
  }

  async #make(dependencies: Readonly<Record<string, string>>): Promise<SourceTreeManifest> {
    const tree = await resolveRecent(dependencies, this.#mirror, this.#wait)
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
      await this.#packs.write(id, { texts, bytes })
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
