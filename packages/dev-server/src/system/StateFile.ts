import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { z } from 'zod'

/** One JSON document in the state folder. Written in one step, so that a kill leaves the old or the new one. */
export class StateFile<S extends z.ZodType> {
  readonly #path: string
  readonly #schema: S
  readonly #report: (error: unknown) => void
  #work: Promise<void> = Promise.resolve()

  constructor(path: string, schema: S, report: (error: unknown) => void) {
    this.#path = path
    this.#schema = schema
    this.#report = report
  }

  /** The document, or undefined when there is none yet. One that is not valid is reported and counts as none: a box must start. */
  async read(): Promise<z.output<S> | undefined> {
    let text: string
    try {
      text = await readFile(this.#path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
    try {
      return this.#schema.parse(JSON.parse(text), { jitless: true })
    } catch (error) {
      this.#report(new Error(`${this.#path} is not valid and is not used`, { cause: error }))
      return undefined
    }
  }

  /** Resolves when `document`, as it is now, is on disk. */
  write(document: z.input<S>): Promise<void> {
    const text = JSON.stringify(document)
    const done = this.#work.then(() => this.#replace(text))
    this.#work = done.catch(() => undefined)
    return done
  }

  async #replace(text: string): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true })
    const next = `${this.#path}.new`
    const file = await open(next, 'w')
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(next, this.#path)
  }
}
