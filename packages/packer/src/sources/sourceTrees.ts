import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { z } from 'zod'
import { readFileIfThere, writeFileAtomically } from '../contentStore.ts'
import { PackerError } from '../errors.ts'
import { PackageFolders } from '../packs/packageFolders.ts'
import { describeTree, packRequestSchema } from '../packs/packs.ts'
import { MirrorIndexes } from '../resolve/packageIndex.ts'
import { resolveTree } from '../resolve/resolveTree.ts'
import type { InstalledPackage } from '../resolve/resolveTree.ts'
import type { PackageSource } from '../scopedMirror.ts'
import type { Wait } from '../withTries.ts'

/** Counts up when the same packages lead to other files. */
const FORMAT = 1
const SAME_VERSIONS_MS = 24 * 60 * 60 * 1000
/** What a process in a browser can hold beside its own work. */
const MAX_BYTES = 64 * 1024 * 1024
const MAX_DEPTH = 20
/** What no program reads: declarations, source maps, what is written for people. */
const LEFT_OUT = /\.d\.[cm]?ts$|\.map$|\.(?:md|markdown|flow)$/i
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
  now?: () => number
  wait?: Wait
}

/**
 * The files of packages as they are, for programs that run in a browser: immutable trees of what npm would put into node_modules, each one
 * file of JSON `{ texts: { [path]: text }, bytes: { [path]: base64 } }`, compressed. Nothing of a package is run.
 */
export class SourceTrees {
  readonly #folder: string
  readonly #indexes: MirrorIndexes
  readonly #folders: PackageFolders
  readonly #format: readonly (number | string)[]
  readonly #now: () => number
  readonly #underWay = new Map<string, Promise<SourceTreeManifest>>()

  constructor({ folder, mirror, salt, now, wait = sleep }: SourceTreesOptions) {
    this.#folder = folder
    this.#indexes = new MirrorIndexes(mirror, wait)
    this.#folders = new PackageFolders(join(folder, 'unpacked'), mirror, wait)
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
    return /^[0-9a-f]{64}$/.test(id) ? readFileIfThere(this.#pathOf(id)) : undefined
  }

  async #provide(key: string, dependencies: Readonly<Record<string, string>>): Promise<SourceTreeManifest> {
    const place = join(this.#folder, 'source-requests', `${key}.json`)
    const kept = await readFileIfThere(place)
    const remembered = kept && rememberedSchema.parse(JSON.parse(kept.toString()))
    const isThere = remembered !== undefined && (await this.file(remembered.id)) !== undefined
    if (isThere && this.#now() - remembered.at < SAME_VERSIONS_MS) return withoutTime(remembered)
    try {
      const made = await this.#make(dependencies)
      await writeFileAtomically(place, JSON.stringify({ ...made, at: this.#now() }))
      return made
    } catch (error) {
      // Without the registry, what these ranges meant before still runs the project.
      if (isThere && error instanceof PackerError && error.code === 'UPSTREAM') return withoutTime(remembered)
      throw error
    }
  }

  async #make(dependencies: Readonly<Record<string, string>>): Promise<SourceTreeManifest> {
    const tree = await resolveTree(dependencies, this.#indexes)
    const id = hashOf([...this.#format, describeTree(tree)])
    if ((await this.file(id)) === undefined) {
      const texts: Record<string, string> = {}
      const bytes: Record<string, string> = {}
      let size = 0
      for (const { place, installed } of places(tree, '')) {
        const folder = await this.#folders.folderOf(installed)
        for await (const path of filesIn(folder, '', 0)) {
          if (LEFT_OUT.test(path)) continue
          const content = await readFile(join(folder, path))
          size += content.length
          if (size > MAX_BYTES) throw new PackerError('TOO_LARGE', 'packages of more than 64 MB')
          const text = content.toString()
          if (Buffer.from(text).equals(content)) texts[`${place}/${path}`] = text
          else bytes[`${place}/${path}`] = content.toString('base64')
        }
      }
      await writeFileAtomically(this.#pathOf(id), await compress(JSON.stringify({ texts, bytes })))
    }
    return { id, versions: Object.fromEntries([...tree.values()].map(({ name, version }) => [name, version])) }
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

async function* filesIn(root: string, folder: string, depth: number): AsyncGenerator<string> {
  if (depth > MAX_DEPTH) return
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isFile()) yield path
    else if (entry.isDirectory() && entry.name !== 'node_modules') yield* filesIn(root, path, depth + 1)
  }
}

const withoutTime = ({ id, versions }: SourceTreeManifest): SourceTreeManifest => ({ id, versions })
const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')
