import { createWriteStream } from 'node:fs'
import type { WriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { isMissing } from './durableFile.ts'

const TAIL_BYTES = 64 * 1024
/** A box that prints without end must not fill the disk of the host. */
const FILE_BYTES = 1024 * 1024

/** The console of one run: the end of it in memory, its beginning in a file that outlives the server. */
export class ConsoleLog {
  readonly #file: WriteStream
  #written = 0
  #tail = Buffer.alloc(0)

  constructor(file: string) {
    this.#file = createWriteStream(file, { mode: 0o600 })
    // A full disk must not end the box; the tail in memory stays.
    this.#file.on('error', () => (this.#written = FILE_BYTES))
  }

  attach(stream: Readable): void {
    stream.on('data', (chunk: Buffer) => this.append(chunk))
  }

  append(chunk: Buffer): void {
    this.#tail = Buffer.concat([this.#tail, chunk]).subarray(-TAIL_BYTES)
    if (this.#written >= FILE_BYTES) return
    this.#written += chunk.length
    this.#file.write(chunk)
  }

  close(): void {
    this.#file.end()
  }

  text(): string {
    return this.#tail.toString('utf8')
  }

  /** The last `count` lines that are not empty, in one text. */
  lastLines(count: number): string {
    return this.text()
      .split('\n')
      .filter((line) => line.trim() !== '')
      .slice(-count)
      .join('\n')
  }

  static async read(file: string): Promise<string> {
    try {
      return (await readFile(file)).subarray(-TAIL_BYTES).toString('utf8')
    } catch (error) {
      if (isMissing(error)) return ''
      throw error
    }
  }
}
