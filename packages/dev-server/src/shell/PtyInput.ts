import { writeSync } from 'node:fs'
import { ProtocolError } from '@boxyard/protocol'
import type { Timers } from './Timers.ts'

/** Between two looks whether a program that lets its input wait reads again: a terminal does not tell. */
const RETRY_MS = 10
/** More than this does not wait for a program. */
const MOST_BYTES = 16 * 1024 * 1024

/**
 * What is typed into a terminal. A program need not read it, and libuv would wait for it with the whole process: the controlling side of a
 * terminal is written to in its blocking way.
 */
export class PtyInput {
  readonly #descriptor: number
  readonly #isOpen: () => boolean
  readonly #timers: Timers
  #waiting: Buffer[] = []
  #bytes = 0
  #cancel: (() => void) | undefined

  /** `descriptor` does not block. It is written to as long as `isOpen` says so. */
  constructor(descriptor: number, isOpen: () => boolean, timers: Timers) {
    this.#descriptor = descriptor
    this.#isOpen = isOpen
    this.#timers = timers
  }

  /** Throws RATE_LIMIT, and takes nothing, where too much waits already. */
  write(input: Buffer): void {
    if (input.length === 0) return
    if (this.#bytes > 0 && this.#bytes + input.length > MOST_BYTES)
      throw new ProtocolError('RATE_LIMIT', 'The program in this terminal does not read what is typed')
    this.#waiting.push(input)
    this.#bytes += input.length
    if (!this.#cancel) this.#flush()
  }

  /** Stops writing and answers what still waits. */
  take(): Buffer {
    this.#cancel?.()
    return Buffer.concat(this.#waiting)
  }

  #flush(): void {
    this.#cancel = undefined
    while (this.#waiting.length > 0 && this.#isOpen()) {
      const [first] = this.#waiting as [Buffer]
      let written: number
      try {
        written = writeSync(this.#descriptor, first)
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        // EIO: the program has closed its side. What it was told last goes nowhere.
        if (code === 'EIO') break
        if (code !== 'EAGAIN') throw error
        this.#cancel = this.#timers.after(RETRY_MS, () => this.#flush())
        return
      }
      this.#bytes -= written
      if (written === first.length) this.#waiting.shift()
      else this.#waiting[0] = first.subarray(written)
    }
    this.#waiting = []
    this.#bytes = 0
  }
}
