import { appendFile, readFile, rename, rm } from 'node:fs/promises'
import type { Timers } from './Timers.ts'
import { SCROLLBACK_LENGTH } from './Scrollback.ts'

/** Output waits this long to be written. A kill loses no more than that. */
const WRITE_MS = 100
/** Behind a write of this length a flood goes on, of which the end alone counts: the disk is left to those who edit. */
const FLOOD_LENGTH = 128 * 1024
const FLOOD_MS = 1000

/**
 * What a shell wrote, on disk: a current file and the one before it, each at most about 1 MB, so the end of the output is always
 * there and the disk use is bounded. Failures to write are reported once and do not disturb the shell.
 */
export class ScrollbackFile {
  readonly #path: string
  readonly #timers: Timers
  readonly #report: (error: unknown) => void
  #pending: string[] = []
  #pendingLength = 0
  #fileBytes = 0
  #lastLength = 0
  #cancel: (() => void) | undefined
  #work: Promise<void> = Promise.resolve()
  #reported = false

  constructor(path: string, timers: Timers, report: (error: unknown) => void) {
    this.#path = path
    this.#timers = timers
    this.#report = report
  }

  get #olderPath(): string {
    return `${this.#path}.1`
  }

  async read(): Promise<string> {
    const parts = await Promise.all([this.#olderPath, this.#path].map(readIfThere))
    this.#fileBytes = parts[1]!.byteLength
    return Buffer.concat(parts)
      .toString('utf8')
      .replace(/\uFFFD$/, '')
  }

  append(text: string): void {
    this.#pending.push(text)
    this.#pendingLength += text.length
    while (this.#pending.length > 1 && this.#pendingLength - this.#pending[0]!.length >= SCROLLBACK_LENGTH) {
      this.#pendingLength -= this.#pending.shift()!.length
    }
    const wait = this.#lastLength >= FLOOD_LENGTH ? FLOOD_MS : WRITE_MS
    this.#cancel ??= this.#timers.after(wait, () => void this.flush())
  }

  /** Resolves when everything appended so far is written. */
  flush(): Promise<void> {
    this.#cancel?.()
    this.#cancel = undefined
    if (this.#pendingLength > 0) {
      const text = this.#pending.join('')
      this.#lastLength = text.length
      this.#pending = []
      this.#pendingLength = 0
      this.#enqueue(() => this.#write(text))
    }
    return this.#work
  }

  /** Removes the files. */
  clear(): Promise<void> {
    this.#cancel?.()
    this.#cancel = undefined
    this.#pending = []
    this.#pendingLength = 0
    this.#enqueue(async () => {
      this.#fileBytes = 0
      await Promise.all([rm(this.#path, { force: true }), rm(this.#olderPath, { force: true })])
    })
    return this.#work
  }

  async #write(text: string): Promise<void> {
    if (this.#fileBytes > SCROLLBACK_LENGTH) {
      await rename(this.#path, this.#olderPath)
      this.#fileBytes = 0
    }
    await appendFile(this.#path, text)
    this.#fileBytes += Buffer.byteLength(text)
  }

  #enqueue(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch((error: unknown) => {
      if (!this.#reported) this.#report(error)
      this.#reported = true
    })
  }
}

async function readIfThere(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
}
