import { closeSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

export interface RotatingFileOptions {
  path: string
  /** A file that would grow beyond this is put aside. */
  maxBytes: number
  /** How many put-aside files are kept: `path.1` is the youngest. */
  keep: number
  now?: () => Date
}

/**
 * A log file that takes at most `(keep + 1) * maxBytes` of the disk. The file is opened with the first line, and each line is handed
 * to the kernel before `write` returns, so that a crash loses none. A disk that takes no more must not end the program: such lines are
 * counted, and the file says how many are missing as soon as it can be written again.
 */
export class RotatingFile {
  readonly #options: RotatingFileOptions
  #file: { descriptor: number; bytes: number } | null = null
  #missing = 0

  constructor(options: RotatingFileOptions) {
    this.#options = options
  }

  write(line: string): void {
    try {
      if (this.#missing > 0) {
        const msg = `${this.#missing} lines could not be written`
        this.#append(`${JSON.stringify({ level: 40, time: (this.#options.now?.() ?? new Date()).getTime(), msg })}\n`)
        this.#missing = 0
      }
      this.#append(line)
    } catch {
      this.#missing += 1
    }
  }

  #append(line: string): void {
    const { path, maxBytes } = this.#options
    const content = Buffer.from(line)
    this.#file ??= open(path)
    if (this.#file.bytes > 0 && this.#file.bytes + content.length > maxBytes) this.#file = this.#rotate(this.#file)
    let written = 0
    while (written < content.length) written += writeSync(this.#file.descriptor, content, written)
    this.#file.bytes += content.length
  }

  #rotate({ descriptor }: { descriptor: number }): { descriptor: number; bytes: number } {
    const { path, keep } = this.#options
    closeSync(descriptor)
    this.#file = null
    rmSync(`${path}.${keep}`, { force: true })
    for (let age = keep - 1; age >= 1; age -= 1) renameIfThere(`${path}.${age}`, `${path}.${age + 1}`)
    renameSync(path, `${path}.1`)
    return open(path)
  }
}

function open(path: string): { descriptor: number; bytes: number } {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const descriptor = openSync(path, 'a', 0o600)
  return { descriptor, bytes: fstatSync(descriptor).size }
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}
