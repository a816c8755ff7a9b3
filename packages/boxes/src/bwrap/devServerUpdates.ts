import { createHash } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { cloneTree } from '../disk/copyTree.ts'
import { isThere } from '../durableFile.ts'

/**
 * The dev servers that come while boxes run. A box keeps seeing the folder of the dev server that it was started with, whatever takes its place
 * on the host, so every later one is copied into a folder that all boxes see, read-only and once for all of them.
 */
export class DevServerUpdates {
  /** What boxes see. */
  readonly folder: string
  readonly #source: string
  #publishing: Promise<unknown> = Promise.resolve()

  constructor(source: string, folder: string) {
    this.#source = source
    this.folder = folder
  }

  /** To be called while no box runs. */
  async open(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true })
    await mkdir(this.folder, { mode: 0o755 })
  }

  /** The name of the folder that holds the dev server as it is now. */
  publish(): Promise<string> {
    const published = this.#publishing.then(() => this.#publish())
    this.#publishing = published.catch(() => undefined)
    return published
  }

  async #publish(): Promise<string> {
    const name = await fingerprint(this.#source)
    const target = path.join(this.folder, name)
    if (await isThere(target)) return name
    const unfinished = `${target}.new`
    await rm(unfinished, { recursive: true, force: true })
    await cloneTree(this.#source, unfinished, 'auto')
    await rename(unfinished, target)
    return name
  }
}

/** Tells one build from another by the names, sizes and times of its files. */
async function fingerprint(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
  const hash = createHash('sha256')
  for (const file of files.toSorted()) {
    const { size, mtimeMs } = await stat(file)
    hash.update(`${path.relative(folder, file)}\0${size}\0${mtimeMs}\0`)
  }
  return hash.digest('hex').slice(0, 32)
}
