import {
  clearLeftOvers,
  isPrivatePackage,
  Packs,
  PackStore,
  RegistryMirror,
  scopedMirror,
  SourceTrees,
  TypePacks,
} from '@boxyard/packer'
import type { PackageSource, SafeFetch } from '@boxyard/packer'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Configuration } from '../configuration.ts'
import type { PackageRegistries } from '../packageRegistries.ts'
import { openKey } from '../registries/registries.ts'
import type { PrivateRegistryRow } from '../registries/graphqlTypes.ts'
import type { Sealer } from '../tokens/sealer.ts'

/** What makes dependencies ready for browsers, from one source of packages. */
export interface Makers {
  packs: Packs
  typePacks: TypePacks
  sources: SourceTrees
}

export interface PackMakersOptions {
  configuration: Pick<Configuration, 'home'>
  registries: Pick<PackageRegistries, 'npm'>
  sealer: Sealer
  fetch: SafeFetch
}

/** Workspaces whose makers stay in memory. */
const MOST_KEPT = 50

/**
 * The makers for everybody, and those of workspaces with a private registry. All share the folders of what was made: what nobody may guess has
 * a name that nobody can guess, and what was unpacked is only found by whoever its registry gave the checksum.
 */
export class PackMakers {
  readonly usual: Makers
  readonly mirror: RegistryMirror
  readonly #options: PackMakersOptions
  readonly #packs: string
  readonly #packages: string
  readonly #store: PackStore
  readonly #own = new Map<string, Makers>()

  constructor(options: PackMakersOptions) {
    this.#options = options
    this.#packs = join(options.configuration.home, 'packs')
    this.#packages = join(options.configuration.home, 'packages')
    this.#store = new PackStore({ folder: this.#packs })
    // The store is by checksum and written atomically, so it is shared with the mirror that boxes use.
    this.mirror = this.#mirror(this.#packages, options.registries.npm)
    this.usual = this.#makers(this.mirror)
  }

  /** Clears away what a server before this one has left half-made, and what there is no room for. */
  async open(): Promise<void> {
    await clearLeftOvers({
      packs: this.#packs,
      packages: this.#packages,
      startedAt: Date.now() - process.uptime() * 1000,
    })
    await this.#store.open()
  }

  /** The makers for these dependencies: those of the registry when it has one of them. */
  for(registry: PrivateRegistryRow | undefined, dependencies: Readonly<Record<string, string>>): Makers {
    if (!registry || privateOnes(registry, dependencies).length === 0) return this.usual
    const { id, sealedAuthKey, authType, registryType, registryUrl, limitToScopes, enabledScopes } = registry
    // The sealed key is different each time it is set, and never leaves the server.
    const salt = createHash('sha256')
      .update(JSON.stringify([id, sealedAuthKey, authType, registryType, registryUrl, limitToScopes, enabledScopes]))
      .digest('hex')
    const known = this.#own.get(salt)
    this.#own.delete(salt)
    const made = known ?? this.#make(registry, salt)
    this.#own.set(salt, made)
    const oldest = this.#own.keys().next()
    if (this.#own.size > MOST_KEPT && !oldest.done) this.#own.delete(oldest.value)
    return made
  }

  #make(registry: PrivateRegistryRow, salt: string): Makers {
    const { registries, sealer } = this.#options
    const folder = join(this.#packages, 'private', salt)
    const key = openKey(sealer, registry)
    const scheme = registry.authType === 'basic' ? 'Basic' : 'Bearer'
    const address = registry.registryUrl ?? (registry.registryType === 'npm' ? registries.npm : null)
    const own = this.#mirror(folder, address, { authorization: key === null ? null : `${scheme} ${key}` })
    return this.#makers(scopedMirror(this.mirror, own, registry), salt)
  }

  #mirror(folder: string, registry: string | null, own?: { authorization: string | null }): RegistryMirror {
    return new RegistryMirror({
      folder,
      registry,
      publicBase: 'http://registry.invalid/npm',
      fetch: this.#options.fetch,
      ...(own && { private: own }),
    })
  }

  #makers(mirror: PackageSource, salt?: string): Makers {
    const options = { folder: this.#packs, store: this.#store, mirror, ...(salt && { salt }) }
    return { packs: new Packs(options), typePacks: new TypePacks(options), sources: new SourceTrees(options) }
  }
}

/** Of these dependencies, those that come from the private registry. */
export function privateOnes(
  registry: PrivateRegistryRow,
  dependencies: Readonly<Record<string, string>>,
): [name: string, range: string][] {
  return Object.entries(dependencies).filter(([name, range]) => {
    const alias = /^npm:((?:@[^/@]+\/)?[^@]+)/.exec(range)?.[1]
    return isPrivatePackage(alias ?? name, registry)
  })
}
