import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { readFileIfThere } from '../contentStore.ts'
import type { InstalledPackage } from '../resolve/resolveTree.ts'
import type { RegistryMirror } from '../registryMirror.ts'
import type { Wait } from '../withTries.ts'
import { NO_PROGRAM_READS } from './noProgramReads.ts'
import { packageArchives } from './packageArchives.ts'
import type { OpenArchive } from './packageArchives.ts'
import type { Lease, PackStore } from './packStore.ts'
import { PACKAGE_LIMITS, unpackArchive } from './unpackArchive.ts'

/** Counts up when other files of the same archive are unpacked. */
const FORMAT = 2
const sizeSchema = z.object({ bytes: z.number(), files: z.number() })

export interface PackageFolder {
  path: string
  bytes: number
  files: number
}

export interface PackageFoldersOptions {
  store: PackStore
  folder: string
  mirror: Pick<RegistryMirror, 'tarball'>
  wait: Wait
}

/** Unpacked packages on disk, one folder a version, with what a bundler reads of them: what is there is complete, or it is not there. */
export class PackageFolders {
  readonly #store: PackStore
  readonly #folder: string
  readonly #open: OpenArchive
  readonly #underWay = new Map<string, Promise<PackageFolder>>()

  constructor({ store, folder, mirror, wait }: PackageFoldersOptions) {
    this.#store = store
    this.#folder = folder
    this.#open = packageArchives(mirror, wait)
  }

  /** The folder of a package; fetched, checked and unpacked when it is not there yet. It stays as long as the lease. */
  async folderOf(
    installed: Pick<InstalledPackage, 'registryName' | 'file'>,
    lease: Pick<Lease, 'hold'>,
  ): Promise<PackageFolder> {
    const { etag, stream } = await this.#open(installed)
    // By checksum: the same name and version of another registry is another package.
    const path = join(this.#folder, placeOf(etag))
    await lease.hold(path)
    const running = this.#underWay.get(path)
    if (running) return running
    const started = this.#provide(path, stream).finally(() => this.#underWay.delete(path))
    this.#underWay.set(path, started)
    return started
  }

  async #provide(path: string, stream: () => Readable): Promise<PackageFolder> {
    const known = await this.#known(path)
    if (known) return known
    const temporary = join(this.#folder, 'incoming', randomUUID())
    try {
      await mkdir(temporary, { recursive: true })
      const size = await unpackArchive(stream(), temporary, PACKAGE_LIMITS, (name) => !NO_PROGRAM_READS.test(name))
      await mkdir(dirname(path), { recursive: true })
      // The size is there before the folder is, so whoever finds the folder finds both.
      await writeFile(sizePath(temporary), JSON.stringify(size))
      await rename(sizePath(temporary), sizePath(path))
      await rename(temporary, path)
      await this.#store.made(path, size)
      return { path, ...size }
    } catch (error) {
      await rm(temporary, { recursive: true, force: true })
      await rm(sizePath(temporary), { force: true })
      // Another server process on the same folder was faster.
      const made = await this.#known(path)
      if (made) return made
      throw error
    }
  }

  async #known(path: string): Promise<PackageFolder | undefined> {
    const size = await readFileIfThere(sizePath(path))
    if (!size || !(await exists(path))) return undefined
    return { path, ...sizeSchema.parse(JSON.parse(size.toString())) }
  }
}

const sizePath = (path: string): string => `${path}.json`

/** Where the package of an archive stands among all. */
export function placeOf(etag: string): string {
  const hash = createHash('sha256').update(`${FORMAT} ${etag}`).digest('hex')
  return join(hash.slice(0, 2), hash.slice(2))
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return false
    },
  )
}
