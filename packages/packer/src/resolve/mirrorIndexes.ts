import type { RegistryMirror } from '../registryMirror.ts'
import { withTries } from '../withTries.ts'
import type { Wait } from '../withTries.ts'
import type { PackageIndex, PackageIndexes } from './packageIndex.ts'

const METADATA_TRIES = 3

/** The indexes of packages at a mirror; a registry that does not answer is asked again. */
export class MirrorIndexes implements PackageIndexes {
  readonly #mirror: Pick<RegistryMirror, 'index'>
  readonly #wait: Wait

  constructor(mirror: Pick<RegistryMirror, 'index'>, wait: Wait) {
    this.#mirror = mirror
    this.#wait = wait
  }

  get(name: string): Promise<PackageIndex> {
    return withTries(METADATA_TRIES, () => this.#mirror.index(name), this.#wait)
  }
}
