import { constants, readFileSync } from 'node:fs'
import { open, readFile, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode } from '../fs/errno.ts'
import { syncFolder } from '../syncFolder.ts'
import { frameRecord, readRecords } from './recordFrame.ts'

/** Called in the order of appending, when the record is on disk or when it could not be written. */
export type Durable = (error: Error | null) => void

interface Entry {
  /** Null for a barrier, which only waits for what stands before it. */
  record: Uint8Array | null
  done: Durable
}

export interface JournalOptions {
  path: string
  /** The records that stand for everything appended so far, entries still waiting included. */
  snapshot: () => Uint8Array[]
  /**
   * Called before the failed entries hear of it, with the records that are on disk: whoever applied a record before it was durable
   * goes back to these.
   */
  onFailure: (error: Error, records: Uint8Array[]) => void
  /** The file is replaced by a snapshot when it is longer than this and than four times the last snapshot. */
  compactAbove?: number
}

const COMPACT_ABOVE = 8 * 1024 * 1024

/**
 * Zeros that stand behind the records. A record that takes their place changes neither the size of the file nor where it is on the disk, so
 * the file system has nothing to note of it, and nothing that others write has to be written with it.
 */
const ROOM = Buffer.alloc(256 * 1024)

/** A write resolves when it is on disk: one way to a thread and back instead of two. */
const DURABLE = constants.O_RDWR | (constants.O_DSYNC ?? constants.O_SYNC)

/**
 * An append-only file of records. All records that arrive while a write is under way share the next one, which makes them durable together.
 */
export class Journal {
  readonly #options: JournalOptions
  #file: FileHandle
  /** Everything before this offset is durable and whole. */
  #length: number
  /** What the file has in all, zeros included. */
  #size: number
  #compactAt: number
  #queue: Entry[] = []
  #running: Promise<void> | undefined

  private constructor(options: JournalOptions, file: FileHandle, length: number, size: number) {
    this.#options = options
    this.#file = file
    this.#length = length
    this.#size = size
    this.#compactAt = this.#nextCompaction(0)
  }

  /** Opens the journal and hands out the records of earlier processes. A torn record at the end is dropped. */
  static async open(options: JournalOptions): Promise<{ journal: Journal; records: Uint8Array[] }> {
    await rm(nextPath(options.path), { force: true })
    const file = await open(options.path, DURABLE | constants.O_CREAT, 0o666)
    const bytes = await readFile(options.path)
    const { records, length } = readRecords(bytes)
    const isRoom = isZeros(bytes.subarray(length))
    if (!isRoom) {
      await file.truncate(length)
      await file.datasync()
    }
    await syncFolder(dirname(options.path))
    return { journal: new Journal(options, file, length, isRoom ? bytes.length : length), records }
  }

  /** Appends a record. `done` is called once. */
  append(record: Uint8Array, done: Durable): void {
    this.#queue.push({ record: frameRecord(record), done })
    this.#start()
  }

  /** Resolves when the record is durable. */
  appended(record: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => this.append(record, (error) => (error ? reject(error) : resolve())))
  }

  /** Calls `done` when everything appended before is durable: at once when nothing waits. */
  barrier(done: Durable): void {
    if (!this.#running) {
      done(null)
      return
    }
    this.#queue.push({ record: null, done })
  }

  /** Resolves when everything appended before is durable. */
  flushed(): Promise<void> {
    return new Promise((resolve, reject) => this.barrier((error) => (error ? reject(error) : resolve())))
  }

  async close(): Promise<void> {
    await this.#running
    await this.#file.close()
  }

  #start(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
      if (this.#queue.length > 0) this.#start()
    })
  }

  async #run(): Promise<void> {
    // Entries appended in the same turn of the event loop share the first write.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#queue.length > 0) {
      const batch = this.#queue
      this.#queue = []
      try {
        if (!(await this.#compact())) await this.#write(batch)
      } catch (cause) {
        this.#fail(batch, cause instanceof Error ? cause : new Error(String(cause)))
        continue
      }
      for (const { done } of batch) done(null)
    }
  }

  async #write(batch: readonly Entry[]): Promise<void> {
    const records = batch.flatMap(({ record }) => (record ? [record] : []))
    if (records.length === 0) return
    const bytes = records.length === 1 ? records[0]! : Buffer.concat(records)
    try {
      if (this.#length + bytes.byteLength <= this.#size || !(await this.#extend(bytes))) {
        await writeFully(this.#file, bytes, this.#length)
      }
    } catch (error) {
      // Whatever part of the batch arrived must not come back at the next start: its entries hear of the failure.
      await this.#cut()
      throw error
    }
    this.#length += bytes.byteLength
    this.#size = Math.max(this.#size, this.#length)
  }

  /** Writes records with room behind them. False when the disk has no space for that; it may have for the records alone. */
  async #extend(bytes: Uint8Array): Promise<boolean> {
    try {
      await writeFully(this.#file, Buffer.concat([bytes, ROOM]), this.#length)
    } catch (error) {
      if (!hasCode(error, 'ENOSPC', 'EDQUOT')) throw error
      await this.#cut()
      return false
    }
    this.#size = this.#length + bytes.byteLength + ROOM.byteLength
    return true
  }

  /** Takes everything away that is behind the records. */
  async #cut(): Promise<void> {
    this.#size = this.#length
    await this.#file.truncate(this.#length)
  }

  /**
   * Puts a snapshot in the place of the journal, in one step for a crash. The snapshot covers the batch, so the batch is durable
   * with it. A failure leaves the old journal in use.
   */
  async #compact(): Promise<boolean> {
    if (this.#length < this.#compactAt) return false
    const { path, snapshot } = this.#options
    const waiting = this.#queue.length
    const bytes = Buffer.concat(snapshot().map(frameRecord))
    if (waiting !== this.#queue.length) throw new Error('A snapshot appends nothing')
    let file: FileHandle | undefined
    try {
      file = await open(nextPath(path), DURABLE | constants.O_CREAT | constants.O_TRUNC, 0o666)
      await writeFully(file, bytes, 0)
      await rename(nextPath(path), path)
    } catch {
      await file?.close()
      await rm(nextPath(path), { force: true })
      this.#compactAt = this.#length * 2
      return false
    }
    const replaced = this.#file
    this.#file = file
    this.#length = bytes.byteLength
    this.#size = bytes.byteLength
    this.#compactAt = this.#nextCompaction(bytes.byteLength)
    await replaced.close()
    await syncFolder(dirname(path))
    return true
  }

  #nextCompaction(snapshotLength: number): number {
    return Math.max(this.#options.compactAbove ?? COMPACT_ABOVE, snapshotLength * 4)
  }

  #fail(batch: readonly Entry[], error: Error): void {
    // What waits was applied on top of the failed batch, so it fails with it.
    const failed = [...batch, ...this.#queue]
    this.#queue = []
    this.#options.onFailure(error, readRecords(readFileSync(this.#options.path)).records)
    for (const { done } of failed) done(error)
  }
}

function isZeros(bytes: Uint8Array): boolean {
  return Buffer.compare(bytes, Buffer.alloc(bytes.byteLength)) === 0
}

const nextPath = (path: string): string => `${path}.next`

async function writeFully(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let written = 0
  while (written < bytes.byteLength) {
    const { bytesWritten } = await file.write(bytes, written, bytes.byteLength - written, position + written)
    written += bytesWritten
  }
}
