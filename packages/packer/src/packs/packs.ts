import { randomUUID } from 'node:crypto'
import { cp, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { readFileIfThere } from '../contentStore.ts'
import { isRegistryAway, PackerError } from '../errors.ts'
import { isPackageName } from '../packageName.ts'
import { resolveRecent } from '../resolve/resolveRecent.ts'
import type { InstalledPackage } from '../resolve/resolveTree.ts'
import type { PackageSource } from '../scopedMirror.ts'
import { sideBySide } from '../sideBySide.ts'
import type { Wait } from '../withTries.ts'
import { bundle } from './bundle.ts'
import { hashOf } from './hashOf.ts'
import { layOut } from './layOut.ts'
import { PackageFolders } from './packageFolders.ts'
import { PackStore } from './packStore.ts'

/** Counts up when the same packages lead to other files. */
const FORMAT = 1
/** How long the versions that a set of ranges led to are taken as they were. */
const SAME_VERSIONS_MS = 24 * 60 * 60 * 1000
/** The disk writes several files down together. */
const FILES_AT_ONCE = 8
const SPECIFIER = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~_-][\w.~-]*(?:\/[\w.@+~$-]+)*$/i

export const packRequestSchema = z.object({
  /** Ranges by package name, as in package.json. */
  dependencies: z.record(z.string().max(214), z.string().max(256)).refine((all) => Object.keys(all).length <= 1000),
  /** What is imported: `react`, `react-dom/client`. */
  specifiers: z
    .array(
      z
        .string()
        .max(300)
        .refine((specifier) => SPECIFIER.test(specifier) && !specifier.split('/').includes('..')),
    )
    .max(1000),
})
export type PackRequest = z.infer<typeof packRequestSchema>

export const packManifestSchema = z.object({
  id: z.string(),
  imports: z.record(
    z.string(),
    z.object({
      file: z.string().nullable(),
      css: z.string().nullable(),
      interop: z.enum(['esm', 'cjs']),
      chunks: z.array(z.string()),
    }),
  ),
  /** Versions of the packages that the project sees, by name. */
  versions: z.record(z.string(), z.string()),
})
export type PackManifest = z.infer<typeof packManifestSchema>

const rememberedSchema = z.object({ id: z.string(), at: z.number() })

export interface PacksOptions {
  folder: string
  mirror: PackageSource
  /** What nobody can guess, for packages that not everybody may have: it goes into every id. */
  salt?: string
  /** The room that all makers share; one without a limit when absent. */
  store?: PackStore
  now?: () => number
  /** Lets time pass between two tries. */
  wait?: Wait
}

/**
 * Dependencies made ready for browsers: immutable packs, named by the hash of everything that went into them, kept on disk. The same
 * dependencies lead to the same pack whoever asks, so nobody can put anything into the pack of somebody else.
 */
export class Packs {
  readonly #folder: string
  readonly #store: PackStore
  readonly #mirror: PackageSource
  readonly #wait: Wait
  readonly #folders: PackageFolders
  readonly #format: readonly (number | string)[]
  readonly #now: () => number
  readonly #underWay = new Map<string, Promise<PackManifest>>()

  constructor({ folder, mirror, salt, store, now, wait = sleep }: PacksOptions) {
    this.#folder = folder
    this.#store = store ?? new PackStore({ folder, mostBytes: Infinity })
    this.#mirror = mirror
    this.#wait = wait
    this.#folders = new PackageFolders({ store: this.#store, folder: join(folder, 'unpacked'), mirror, wait })
    this.#format = salt === undefined ? [FORMAT] : [FORMAT, salt]
    this.#now = now ?? Date.now
  }

  /** The pack for these dependencies, made when it is not there yet. The same question at the same time is answered once. */
  async pack(request: PackRequest): Promise<PackManifest> {
    const { key, roots, specifiers } = this.#questionOf(request)
    const running = this.#underWay.get(key)
    if (running) return running
    const started = this.#provide(key, roots, specifiers).finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, started)
    return started
  }

  /** The pack for these dependencies as far as it needs no work: null when it would have to be made, or its versions to be looked up again. */
  async known(request: PackRequest): Promise<PackManifest | null> {
    const { key } = this.#questionOf(request)
    return (await this.#fresh(await this.#remembered(key))) ?? null
  }

  /** A file of a pack; undefined when there is none of that name. */
  async file(id: string, name: string): Promise<Buffer | undefined> {
    if (!/^[0-9a-f]{64}$/.test(id) || !/^[\w-]+\.(?:js|css)$/.test(name)) return undefined
    const pack = this.#packFolder(id)
    return this.#store.using(pack, () => readFileIfThere(join(pack, name)))
  }

  async #provide(key: string, roots: Record<string, string>, specifiers: string[]): Promise<PackManifest> {
    const remembered = await this.#remembered(key)
    const fresh = await this.#fresh(remembered)
    if (fresh) return fresh
    let tree: ReadonlyMap<string, InstalledPackage>
    try {
      tree = await resolveRecent(roots, this.#mirror, this.#wait)
    } catch (error) {
      // Without the registry, what these ranges meant before still runs the project.
      const manifest = remembered && isRegistryAway(error) ? await this.#manifest(remembered.id) : undefined
      if (manifest) return manifest
      throw error
    }
    const id = hashOf([...this.#format, describeTree(tree), specifiers])
    const manifest = (await this.#manifest(id)) ?? (await this.#make(id, tree, specifiers))
    const place = join(this.#folder, 'requests', `${key}.json`)
    await this.#store.write(place, JSON.stringify({ id, at: this.#now() }))
    return manifest
  }

  #questionOf(request: PackRequest): { key: string; roots: Record<string, string>; specifiers: string[] } {
    const specifiers = [...new Set(request.specifiers)].toSorted()
    const roots = rootsOf(request.dependencies, specifiers)
    return { key: hashOf([...this.#format, Object.entries(roots).toSorted(), specifiers]), roots, specifiers }
  }

  async #fresh(remembered: z.infer<typeof rememberedSchema> | undefined): Promise<PackManifest | undefined> {
    if (!remembered || this.#now() - remembered.at >= SAME_VERSIONS_MS) return undefined
    return this.#manifest(remembered.id)
  }

  async #make(
    id: string,
    tree: ReadonlyMap<string, InstalledPackage>,
    specifiers: readonly string[],
  ): Promise<PackManifest> {
    const work = join(this.#folder, 'work', randomUUID())
    const lease = this.#store.lease()
    try {
      await lease.hold(this.#packFolder(id))
      await mkdir(join(work, 'out'), { recursive: true })
      await layOut(tree, work, this.#folders, lease)
      const entries = await bundle(work, specifiers)
      const manifest: PackManifest = {
        id,
        imports: Object.fromEntries(entries.map(({ specifier, ...entry }) => [specifier, entry])),
        versions: Object.fromEntries([...tree.values()].map(({ name, version }) => [name, version])),
      }
      await writeFile(join(work, 'out', 'manifest.json'), JSON.stringify(manifest))
      const size = await syncFolder(join(work, 'out'))
      await mkdir(join(this.#folder, 'packs', id.slice(0, 2)), { recursive: true })
      // Another process may have made the same pack meanwhile; both are equal.
      await rename(join(work, 'out'), this.#packFolder(id)).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
        await cp(join(work, 'out'), this.#packFolder(id), { recursive: true, force: false })
      })
      await this.#store.made(this.#packFolder(id), size)
      return manifest
    } finally {
      lease.end()
      await rm(work, { recursive: true, force: true })
    }
  }

  #packFolder(id: string): string {
    return join(this.#folder, 'packs', id.slice(0, 2), id.slice(2))
  }

  async #manifest(id: string): Promise<PackManifest | undefined> {
    const pack = this.#packFolder(id)
    const content = await this.#store.using(pack, () => readFileIfThere(join(pack, 'manifest.json')))
    return content && packManifestSchema.parse(JSON.parse(content.toString()))
  }

  async #remembered(key: string): Promise<z.infer<typeof rememberedSchema> | undefined> {
    const content = await readFileIfThere(join(this.#folder, 'requests', `${key}.json`))
    return content && rememberedSchema.parse(JSON.parse(content.toString()))
  }
}

/** The packages that the specifiers belong to, with their ranges. What a project does not name, it does not get. */
function rootsOf(
  dependencies: Readonly<Record<string, string>>,
  specifiers: readonly string[],
): Record<string, string> {
  const roots: Record<string, string> = {}
  for (const specifier of specifiers) {
    const name = packageNameOf(specifier)
    const range = Object.hasOwn(dependencies, name) ? dependencies[name] : undefined
    if (range === undefined || !isPackageName(name)) throw new PackerError('NOT_DECLARED', name)
    roots[name] = range
  }
  return roots
}

/** `@scope/name/deep/path` belongs to `@scope/name`. */
export function packageNameOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

export type Description = [name: string, registryName: string, version: string, file: string, children: Description[]]

/** What a tree is told apart from others by. */
export function describeTree(tree: ReadonlyMap<string, InstalledPackage>): Description[] {
  return [...tree.values()]
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, registryName, version, file, children }) => [
      name,
      registryName,
      version,
      file,
      describeTree(children),
    ])
}

/** Has a folder of files on the disk; tells how much that is. */
async function syncFolder(folder: string): Promise<{ bytes: number; files: number }> {
  const names = await readdir(folder)
  let bytes = 0
  const syncOne = async (name: string) => {
    const file = await open(join(folder, name))
    try {
      bytes += (await file.stat()).size
      await file.sync()
    } finally {
      await file.close()
    }
  }
  await sideBySide(FILES_AT_ONCE, names, syncOne)
  await syncOne('.')
  return { bytes, files: names.length + 1 }
}
