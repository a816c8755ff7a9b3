import {
  packRequestSchema,
  readFileIfThere,
  sourceTreeRequestSchema,
  typePackRequestSchema,
  writeFileAtomically,
} from '@boxyard/packer'
import { createHash } from 'node:crypto'
import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { pageAheadSchema } from './lookInProcess.ts'
import type { Ahead } from './lookInProcess.ts'
import type { ProjectFiles } from './projectFiles.ts'

/** On disk. Those that were asked for last are kept. */
const MOST_KEPT = 2_000
/** Between two looks at how many there are. */
const WRITES_BETWEEN = 100
/** In memory. */
const MOST_REMEMBERED = 50

const keptSchema = z.object({
  questions: z.array(packRequestSchema),
  sources: sourceTreeRequestSchema.nullable(),
  types: typePackRequestSchema.nullable(),
  ahead: pageAheadSchema.nullable(),
})

export interface PreparedPagesOptions {
  folder: string
  /** The files of the compiler: what another one has made is not found. */
  compiler: readonly string[]
}

/**
 * What was found out of projects before somebody opens them, by the hash of their files: the same files lead to the same page, whosever they
 * are. Which packages a page runs is asked for whenever it is shown.
 */
export class PreparedPages {
  readonly #options: PreparedPagesOptions
  readonly #remembered = new Map<string, Ahead>()
  #compiler: Promise<string> | undefined
  #writes = 0

  constructor(options: PreparedPagesOptions) {
    this.#options = options
  }

  async keyOf(files: ProjectFiles): Promise<string> {
    this.#compiler ??= this.#hashOfCompiler()
    const sorted = [...files].toSorted(([one], [other]) => (one < other ? -1 : 1))
    return createHash('sha256')
      .update(await this.#compiler)
      .update(JSON.stringify(sorted))
      .digest('hex')
  }

  /** Null when these files were not looked at. */
  async find(key: string): Promise<Ahead | null> {
    const remembered = this.#remembered.get(key)
    if (remembered) {
      this.#remember(key, remembered)
      return remembered
    }
    const path = this.#pathOf(key)
    const content = await readFileIfThere(path)
    if (!content) return null
    const now = new Date()
    // It may be taken away meanwhile, as one of too many.
    await utimes(path, now, now).catch(() => undefined)
    const found = keptSchema.parse(JSON.parse(content.toString()))
    this.#remember(key, found)
    return found
  }

  async write(key: string, ahead: Ahead): Promise<void> {
    await writeFileAtomically(this.#pathOf(key), JSON.stringify(ahead))
    this.#remember(key, ahead)
    this.#writes += 1
    if (this.#writes % WRITES_BETWEEN === 1) await this.#removeOldest()
  }

  #remember(key: string, ahead: Ahead): void {
    this.#remembered.delete(key)
    this.#remembered.set(key, ahead)
    const oldest = this.#remembered.keys().next()
    if (this.#remembered.size > MOST_REMEMBERED && !oldest.done) this.#remembered.delete(oldest.value)
  }

  async #removeOldest(): Promise<void> {
    const paths = (await readdir(this.#options.folder)).map((name) => join(this.#options.folder, name))
    if (paths.length <= MOST_KEPT) return
    // What is being written or taken away by another process is gone when it is looked at.
    const used = await Promise.all(
      paths.map(async (path) => ({
        path,
        at: await stat(path).then(
          ({ mtimeMs }) => mtimeMs,
          () => Infinity,
        ),
      })),
    )
    const gone = used.toSorted((one, other) => one.at - other.at).slice(0, paths.length - MOST_KEPT)
    await Promise.all(gone.map(({ path }) => rm(path, { force: true })))
  }

  async #hashOfCompiler(): Promise<string> {
    const hash = createHash('sha256')
    for (const file of this.#options.compiler) hash.update(await readFile(file))
    return hash.digest('hex')
  }

  #pathOf(key: string): string {
    return join(this.#options.folder, `${key}.json`)
  }
}
