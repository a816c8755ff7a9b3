import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { InstalledPackage } from '../resolve/resolveTree.ts'
import type { RegistryMirror } from '../registryMirror.ts'
import { withTries } from '../withTries.ts'
import type { Wait } from '../withTries.ts'
import { unpackArchive } from './unpackArchive.ts'

const ARCHIVE_TRIES = 6

/** Unpacked packages on disk, one folder a version: what is there is complete, or it is not there. */
export class PackageFolders {
  readonly #folder: string
  readonly #mirror: Pick<RegistryMirror, 'tarball'>
  readonly #wait: Wait
  readonly #underWay = new Map<string, Promise<string>>()

  constructor(folder: string, mirror: Pick<RegistryMirror, 'tarball'>, wait: Wait) {
    this.#folder = folder
    this.#wait = wait
    this.#mirror = mirror
  }

  /** The folder of a package; fetched, checked and unpacked when it is not there yet. */
  folderOf({ registryName, file }: Pick<InstalledPackage, 'registryName' | 'file'>): Promise<string> {
    const key = `${registryName}/${file}`
    const running = this.#underWay.get(key)
    if (running) return running
    const started = this.#provide(registryName, file).finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, started)
    return started
  }

  async #provide(name: string, file: string): Promise<string> {
    const { etag, stream } = await withTries(ARCHIVE_TRIES, () => this.#mirror.tarball(name, file), this.#wait)
    // By checksum: the same name and version of another registry is another package.
    const hash = createHash('sha256').update(etag).digest('hex')
    const target = join(this.#folder, hash.slice(0, 2), hash.slice(2))
    if (await exists(target)) return target
    const temporary = join(this.#folder, 'incoming', randomUUID())
    try {
      await mkdir(temporary, { recursive: true })
      await unpackArchive(stream(), temporary)
      await mkdir(dirname(target), { recursive: true })
      await rename(temporary, target)
    } catch (error) {
      await rm(temporary, { recursive: true, force: true })
      // Another server process on the same folder was faster.
      if (!(await exists(target))) throw error
    }
    return target
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
