import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { isRegistryAway, PackerError } from '../errors.ts'
import { isPackageName } from '../packageName.ts'
import { CompressedPacks } from '../packs/compressedPacks.ts'
import { hashOf } from '../packs/hashOf.ts'
import { packageArchives } from '../packs/packageArchives.ts'
import type { OpenArchive } from '../packs/packageArchives.ts'
import { describeTree, packRequestSchema } from '../packs/packs.ts'
import type { PackStore } from '../packs/packStore.ts'
import { TreeRoom } from '../packs/treeRoom.ts'
import { Effort } from '../resolve/effort.ts'
import { MirrorIndexes } from '../resolve/mirrorIndexes.ts'
import { pickVersion } from '../resolve/pickVersion.ts'
import { prefetch } from '../resolve/prefetch.ts'
import { resolveTree } from '../resolve/resolveTree.ts'
import type { InstalledPackage } from '../resolve/resolveTree.ts'
import type { PackageSource } from '../scopedMirror.ts'
import { ARCHIVES_AT_ONCE, METADATA_AT_ONCE, sideBySide } from '../sideBySide.ts'
import { turns } from '../turns.ts'
import type { Wait } from '../withTries.ts'
import { readTypes, typesPackageOf } from './readTypes.ts'
import type { PackageTypes } from './readTypes.ts'

/** Counts up when the same packages lead to other files. */
const FORMAT = 1
/** What a worker in a browser can hold beside the project. */
const MAX_BYTES = 48 * 1024 * 1024
/** The compiler that reads the types brings its own. */
const WITHOUT: ReadonlySet<string> = new Set(['typescript'])
/** What is read of all packages together, to choose from: all of it is in memory. */
const MAX_READ_BYTES = 4 * MAX_BYTES

export const typePackRequestSchema = packRequestSchema.pick({ dependencies: true })
export type TypePackRequest = z.infer<typeof typePackRequestSchema>

export const typePackManifestSchema = z.object({
  id: z.string(),
  /** Dependencies that there are no versions of, with the reason. */
  missing: z.record(z.string(), z.string()),
})
export type TypePackManifest = z.infer<typeof typePackManifestSchema>

export interface TypePacksOptions {
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
 * The declarations of dependencies, for compilers in browsers: immutable packs of all `.d.ts` files of a project's packages and of those
 * that their declarations name. A pack is JSON `{ files: { [path in node_modules]: text } }`, compressed. Nothing of a package is run.
 */
export class TypePacks {
  readonly #packs: CompressedPacks<TypePackManifest>
  readonly #indexes: MirrorIndexes
  readonly #open: OpenArchive
  readonly #format: readonly (number | string)[]

  constructor({ folder, mirror, salt, store, now, wait = sleep }: TypePacksOptions) {
    this.#indexes = new MirrorIndexes(mirror, wait)
    this.#open = packageArchives(mirror, wait)
    this.#format = salt === undefined ? [FORMAT] : [FORMAT, salt]
    this.#packs = new CompressedPacks({
      folder,
      packs: 'types',
      requests: 'type-requests',
      schema: typePackManifestSchema,
      format: this.#format,
      store,
      now,
    })
  }

  /** The pack for these dependencies, made when it is not there yet. The same question at the same time is answered once. */
  async pack({ dependencies }: TypePackRequest): Promise<TypePackManifest> {
    return this.#packs.provide(dependencies, () => this.#make(dependencies))
  }

  /** A pack, compressed with gzip; undefined when there is none of that id. */
  async file(id: string): Promise<Buffer | undefined> {
    return this.#packs.read(id)
  }

  async #make(dependencies: Readonly<Record<string, string>>): Promise<TypePackManifest> {
    const read = new Map<string, Promise<PackageTypes>>()
    const inTurn = turns(ARCHIVES_AT_ONCE)
    const room = new TreeRoom()
    let kept = 0
    const readOne = async (installed: Pick<InstalledPackage, 'registryName' | 'file'>): Promise<PackageTypes> => {
      const types = await readTypes((await this.#open(installed)).stream(), room)
      for (const text of types.files.values()) kept += text.length
      if (kept > MAX_READ_BYTES) throw new PackerError('TOO_LARGE', 'packages with too many declarations together')
      return types
    }
    const typesOf = (installed: Pick<InstalledPackage, 'registryName' | 'file'>): Promise<PackageTypes> => {
      const key = `${installed.registryName}/${installed.file}`
      const types = read.get(key) ?? inTurn(() => readOne(installed))
      read.set(key, types)
      return types
    }
    const { roots, missing } = await this.#roots(dependencies)
    const follow = async (installed: Pick<InstalledPackage, 'registryName' | 'file'>) => {
      const { mentions } = await typesOf(installed)
      return mentions
    }
    const alone = await resolveTree(roots, this.#indexes, follow)
    const declared = await this.#declaredElsewhere(roots, alone, typesOf)
    const tree =
      Object.keys(declared).length === 0 ? alone : await resolveTree({ ...roots, ...declared }, this.#indexes, follow)
    const id = hashOf([...this.#format, describeTree(tree)])
    if ((await this.file(id)) === undefined) {
      const files: Record<string, string> = {}
      let bytes = 0
      for (const { path, installed } of breadthFirst(tree)) {
        const types = await typesOf(installed)
        // A package without declarations is looked for all the same, to tell one that is there from one that is not.
        for (const [name, text] of types.files) {
          if (!types.hasTypes && name !== 'package.json') continue
          bytes += text.length
          if (bytes > MAX_BYTES) break
          files[`${path}/${name}`] = text
        }
      }
      await this.#packs.write(id, { files })
    }
    return { id, missing }
  }

  /** The dependencies that have a version. One that has none must not take the types of all others away. */
  async #roots(dependencies: Readonly<Record<string, string>>) {
    const roots: Record<string, string> = {}
    const missing: Record<string, string> = {}
    const named = Object.entries(dependencies).filter(([name]) => !WITHOUT.has(name))
    const effort = new Effort()
    const failed = await prefetch(
      this.#indexes,
      named.flatMap(([name]) => (isPackageName(name) ? [name] : [])),
    )
    for (const [name, range] of named) {
      await effort.depend(1)
      if (!isPackageName(name)) {
        missing[name] = 'This is not the name of a package'
        continue
      }
      try {
        if (failed.has(name)) throw failed.get(name)
        if (!range.startsWith('npm:'))
          pickVersion(name, range, await this.#indexes.get(name), (made) => effort.compare(made))
        roots[name] = range
      } catch (error) {
        if (!(error instanceof PackerError) || isRegistryAway(error)) throw error
        missing[name] = error.message
      }
    }
    return { roots, missing }
  }

  /** The packages of `@types` that declare what dependencies without declarations are, in the version that fits best. */
  async #declaredElsewhere(
    roots: Readonly<Record<string, string>>,
    tree: ReadonlyMap<string, InstalledPackage>,
    typesOf: (installed: InstalledPackage) => Promise<PackageTypes>,
  ): Promise<Record<string, string>> {
    const declared: Record<string, string> = {}
    await sideBySide(METADATA_AT_ONCE, tree.values(), async (installed) => {
      const { name, registryName, version } = installed
      const typesName = typesPackageOf(registryName)
      if (!Object.hasOwn(roots, name) || name.startsWith('@types/') || Object.hasOwn(roots, typesName)) return
      if ((await typesOf(installed)).hasTypes) return
      try {
        const index = await this.#indexes.get(typesName)
        const major = version.split('.', 1)[0]!
        const hasMajor = [...index.versions.keys()].some((candidate) => candidate.startsWith(`${major}.`))
        declared[typesName] = hasMajor ? `${major}.x` : 'latest'
      } catch (error) {
        // Nobody declares it: it is of any type, as for any compiler.
        if (!(error instanceof PackerError) || isRegistryAway(error)) throw error
      }
    })
    return declared
  }
}

/** What the project itself names comes first, so that it is what a limit leaves. */
function* breadthFirst(tree: ReadonlyMap<string, InstalledPackage>) {
  let layer = [...tree.values()].map((installed) => ({ path: installed.name, installed }))
  while (layer.length > 0) {
    yield* layer
    layer = layer.flatMap(({ path, installed }) =>
      [...installed.children.values()].map((child) => ({
        path: `${path}/node_modules/${child.name}`,
        installed: child,
      })),
    )
  }
}
