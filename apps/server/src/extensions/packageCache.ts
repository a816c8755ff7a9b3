import { ApiError } from '@boxyard/api'
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExtensionName } from './extensionName.ts'
import { ExtensionPackage, LARGEST_PACKAGE } from './extensionPackage.ts'

/** Bytes of all archives together. */
const LARGEST_CACHE = 2 * 1024 * 1024 * 1024

/**
 * Archives of a registry, each fetched once: a version never changes. What was not used for longest goes when there are too many bytes, and is
 * fetched again when it is wanted.
 */
export class PackageCache {
  readonly #folder: string
  readonly #download: (extension: ExtensionName) => Promise<AsyncIterable<Uint8Array>>
  readonly #largest: number
  readonly #underWay = new Map<string, Promise<void>>()

  constructor(
    folder: string,
    download: (extension: ExtensionName) => Promise<AsyncIterable<Uint8Array>>,
    largest = LARGEST_CACHE,
  ) {
    this.#folder = folder
    this.#download = download
    this.#largest = largest
  }

  async has(extension: ExtensionName): Promise<boolean> {
    return (await statOrNull(this.#pathOf(extension))) !== null
  }

  /** Where the archive is. @throws ApiError of the download, and INVALID_INPUT when it is not that extension */
  async path(extension: ExtensionName): Promise<string> {
    const path = this.#pathOf(extension)
    if (!(await this.has(extension))) await this.#fetchOnce(extension, path)
    const now = new Date()
    await utimes(path, now, now)
    return path
  }

  /** The archive, which whoever asks closes. @throws ApiError as `path` does */
  async open(extension: ExtensionName): Promise<ExtensionPackage> {
    return ExtensionPackage.open(await this.path(extension))
  }

  #pathOf({ publisher, name, version, targetPlatform = '' }: ExtensionName): string {
    // Publishers and names are the same in whatever case they are written.
    const key = [publisher.toLowerCase(), name.toLowerCase(), version, targetPlatform].join('/')
    return join(this.#folder, `${createHash('sha256').update(key).digest('hex')}.vsix`)
  }

  #fetchOnce(extension: ExtensionName, path: string): Promise<void> {
    const present = this.#underWay.get(path)
    if (present) return present
    const fetching = this.#fetch(extension, path).finally(() => this.#underWay.delete(path))
    this.#underWay.set(path, fetching)
    return fetching
  }

  async #fetch(extension: ExtensionName, path: string): Promise<void> {
    const content = await this.#download(extension)
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const draft = `${path}.${randomUUID()}`
    try {
      await write(draft, content)
      const archive = await ExtensionPackage.open(draft)
      archive.close()
      if (!isSame(archive.manifest, extension)) {
        throw new ApiError('INVALID_INPUT', { detail: 'The extension registry answered with another extension' })
      }
      await rename(draft, path)
    } finally {
      await rm(draft, { force: true })
    }
    await this.#makeRoom(path)
  }

  async #makeRoom(newest: string): Promise<void> {
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith('.vsix'))
    const found = await Promise.all(
      names.map(async (name) => {
        const path = join(this.#folder, name)
        const state = await statOrNull(path)
        return state ? [{ path, size: state.size, used: state.mtimeMs }] : []
      }),
    )
    const archives = found.flat().toSorted((a, b) => a.used - b.used)
    let size = archives.reduce((sum, archive) => sum + archive.size, 0)
    for (const archive of archives) {
      if (size <= this.#largest || archive.path === newest) continue
      await rm(archive.path, { force: true })
      size -= archive.size
    }
  }
}

function isSame(manifest: ExtensionPackage['manifest'], { publisher, name, version }: ExtensionName): boolean {
  return (
    manifest.publisher.toLowerCase() === publisher.toLowerCase() &&
    manifest.name.toLowerCase() === name.toLowerCase() &&
    manifest.version === version
  )
}

async function write(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    let size = 0
    for await (const chunk of content) {
      size += chunk.length
      if (size > LARGEST_PACKAGE) {
        throw new ApiError('PAYLOAD_TOO_LARGE', { detail: 'This extension is larger than 64 MB' })
      }
      await file.writeFile(chunk)
    }
  } catch (error) {
    if (error instanceof ApiError || isDiskError(error)) throw error
    throw new ApiError('EXTENSION_REGISTRY_UNREACHABLE', {
      detail: 'The extension registry ended its answer too early',
      cause: error,
    })
  } finally {
    await file.close()
  }
}

/** Of the file system: it says which call failed. */
function isDiskError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && (error.syscall === 'write' || error.syscall === 'open')
}

async function statOrNull(path: string): Promise<{ size: number; mtimeMs: number } | null> {
  try {
    return await stat(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
