import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, statfs, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readFileIfThere, writeFileAtomically } from '../contentStore.ts'
import { isTemporary } from '../leftOvers.ts'
import { namesIn } from '../namesIn.ts'
import { unlessMissing } from '../unlessMissing.ts'

/** What is made stands in folders by its kind; packages and what is made of them in a folder of the first letters of its name. */
const NESTED = ['packs', 'sources', 'types', 'unpacked']
const FLAT = ['requests', 'source-requests', 'type-requests']
/** Besides packages that are being unpacked, which are no entries yet. */
const NO_ENTRIES: ReadonlySet<string> = new Set(['incoming'])

const MOST_BYTES = 10 * 1024 ** 3
/** Of the disk, where that is less. */
const MOST_OF_DISK = 0.1
/** Room is made for more than one pack at a time. */
const LEFT_AFTERWARDS = 0.9
/** A file takes whole blocks. */
const BLOCK_BYTES = 4096
/** When something was used last is written down so often. */
const MARK_MS = 60 * 60 * 1000

interface Entry {
  bytes: number
  usedAt: number
  /** As the disk has it. */
  markedAt: number
}

export interface PackStoreOptions {
  folder: string
  /** Without it ten gigabytes, or a tenth of the disk. */
  mostBytes?: number
  now?: () => number
}

/**
 * The room that packs, trees, and the unpacked packages that they are made of take. What was not used for longest goes first, and what is
 * read or written at the moment never does. All of it can be made again.
 */
export class PackStore {
  readonly #folder: string
  readonly #now: () => number
  readonly #most: Promise<number>
  readonly #entries = new Map<string, Entry>()
  readonly #held = new Map<string, number>()
  readonly #going = new Map<string, Promise<void>>()
  #bytes = 0
  #clearing: Promise<void> | undefined

  constructor({ folder, mostBytes, now = Date.now }: PackStoreOptions) {
    this.#folder = folder
    this.#now = now
    this.#most = mostBytes === undefined ? usualRoom(folder) : Promise.resolve(mostBytes)
    // Whoever makes room hears of it.
    this.#most.catch(() => undefined)
  }

  /** Counts what is there from before. */
  async open(): Promise<void> {
    for (const kind of NESTED)
      for (const first of await namesIn(join(this.#folder, kind)))
        if (!NO_ENTRIES.has(first)) await this.#countIn(join(this.#folder, kind, first), kind === 'unpacked')
    for (const kind of FLAT) await this.#countIn(join(this.#folder, kind), false)
    await this.#makeRoom()
  }

  /** Something that stays while this work goes on, whether it is there already or made by it. */
  async using<T>(path: string, work: () => Promise<T>): Promise<T> {
    const lease = new Lease(this)
    try {
      await lease.hold(path)
      return await work()
    } finally {
      lease.end()
    }
  }

  /** For what is held one after the other and let go together. */
  lease(): Lease {
    return new Lease(this)
  }

  /** Something new is there. Resolves when there is room for it. */
  async made(path: string, { bytes, files }: { bytes: number; files: number }): Promise<void> {
    this.#count(path, bytes + files * BLOCK_BYTES, this.#now())
    await this.#makeRoom()
  }

  /** Something of one file. Resolves when it is on the disk and there is room for it. */
  async write(path: string, content: string | Buffer): Promise<void> {
    await this.using(path, async () => {
      await writeFileAtomically(path, content)
      await this.made(path, { bytes: content.length, files: 1 })
    })
  }

  /** A file that stays while it is read; undefined where there is none. */
  read(path: string): Promise<Buffer | undefined> {
    return this.using(path, () => readFileIfThere(path))
  }

  async hold(path: string): Promise<void> {
    this.#held.set(path, (this.#held.get(path) ?? 0) + 1)
    await this.#going.get(path)
    const entry = this.#entries.get(path)
    if (!entry) return
    const now = this.#now()
    entry.usedAt = now
    if (now - entry.markedAt < MARK_MS) return
    entry.markedAt = now
    // Somebody else may have taken it away, which whoever reads it finds.
    await utimes(path, now / 1000, now / 1000).catch(unlessMissing)
  }

  letGo(path: string): void {
    const others = (this.#held.get(path) ?? 1) - 1
    if (others > 0) this.#held.set(path, others)
    else this.#held.delete(path)
  }

  async #countIn(folder: string, isUnpacked: boolean): Promise<void> {
    for (const name of await namesIn(folder)) {
      const path = join(folder, name)
      if (isTemporary(name) || this.#entries.has(path)) continue
      // What stands beside an unpacked package belongs to it.
      if (isUnpacked && name.endsWith('.json')) continue
      const found = await sizeOf(path)
      // It may have been counted or have gone meanwhile.
      if (found && !this.#entries.has(path)) this.#count(path, found.bytes, found.usedAt)
    }
  }

  #count(path: string, bytes: number, usedAt: number): void {
    this.#bytes += bytes - (this.#entries.get(path)?.bytes ?? 0)
    this.#entries.set(path, { bytes, usedAt, markedAt: usedAt })
  }

  /** One at a time; who comes meanwhile waits for the same. */
  async #makeRoom(): Promise<void> {
    const most = await this.#most
    if (this.#bytes <= most) return
    this.#clearing ??= this.#clear(most * LEFT_AFTERWARDS).finally(() => (this.#clearing = undefined))
    await this.#clearing
  }

  async #clear(wanted: number): Promise<void> {
    const oldest = [...this.#entries].toSorted(([, one], [, other]) => one.usedAt - other.usedAt)
    for (const [path] of oldest) {
      if (this.#bytes <= wanted) return
      if (this.#held.has(path)) continue
      const going = this.#remove(path).finally(() => this.#going.delete(path))
      this.#going.set(path, going)
      await going
    }
  }

  /** It is gone at once and as a whole, also for a server that ends meanwhile. */
  async #remove(path: string): Promise<void> {
    const trash = join(this.#folder, 'trash', randomUUID())
    await mkdir(dirname(trash), { recursive: true })
    this.#bytes -= this.#entries.get(path)?.bytes ?? 0
    this.#entries.delete(path)
    await rename(path, trash).catch(unlessMissing)
    await rm(`${path}.json`, { force: true })
    await rm(trash, { recursive: true, force: true })
  }
}

/** Holds things of a store until it ends. */
export class Lease {
  readonly #store: PackStore
  readonly #paths: string[] = []

  constructor(store: PackStore) {
    this.#store = store
  }

  async hold(path: string): Promise<void> {
    this.#paths.push(path)
    await this.#store.hold(path)
  }

  end(): void {
    for (const path of this.#paths.splice(0)) this.#store.letGo(path)
  }
}

async function usualRoom(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true })
  const { blocks, bsize } = await statfs(folder)
  return Math.min(MOST_BYTES, blocks * bsize * MOST_OF_DISK)
}

/** Undefined for what has gone. A folder that has its size beside it need not be walked through. */
async function sizeOf(path: string): Promise<{ bytes: number; usedAt: number } | undefined> {
  try {
    const { size, mtimeMs: usedAt } = await stat(path)
    const told = await readFileIfThere(`${path}.json`)
    if (told) {
      const { bytes, files } = JSON.parse(told.toString()) as { bytes: number; files: number }
      return { bytes: bytes + files * BLOCK_BYTES, usedAt }
    }
    let bytes = size + BLOCK_BYTES
    const inside = await readdir(path, { recursive: true, withFileTypes: true }).catch(unlessMissing)
    for (const entry of inside ?? [])
      if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size + BLOCK_BYTES
    return { bytes, usedAt }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
