import { statfs } from 'node:fs/promises'
import { BYTES_PER_MIB } from '../driver.ts'

/** Between two looks at the room that is left; asking costs microseconds. */
const LOOK_MS = 1_000
const LARGEST_RESERVE_BYTES = 2 * 1024 ** 3
/** Of the whole file system. */
const RESERVE_SHARE = 0.05

export interface DiskGuardOptions {
  /** A folder on the file system of the disks. */
  folder: string
  /** Room that boxes must leave to the host and to each other; a twentieth of the file system, at most 2 GiB, when left out. */
  reserveBytes?: number | undefined
  /** The boxes that run, with what their tier allows them, in MiB. */
  running: () => Promise<readonly { id: string; disk: number }[]>
  usage: (id: string) => Promise<number>
  /** Ends a box that took more than it may. */
  end: (id: string, usedBytes: number) => void
  onError: (error: unknown) => void
}

/**
 * Holds boxes to the disk of their tier where the file system has no quotas. Measuring a disk means walking it, so nothing is measured
 * while there is room; once the reserve is touched, each running box that has more than its tier is ended. Its files stay.
 */
export class DiskGuard {
  readonly #options: DiskGuardOptions
  #timer: NodeJS.Timeout | null = null
  #looking: Promise<void> = Promise.resolve()

  constructor(options: DiskGuardOptions) {
    this.#options = options
  }

  watch(): void {
    const look = (): void => {
      this.#looking = this.#look()
        .catch(this.#options.onError)
        .finally(() => {
          if (this.#timer !== null) this.#timer = setTimeout(look, LOOK_MS).unref()
        })
    }
    this.#timer = setTimeout(look, LOOK_MS).unref()
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    await this.#looking
  }

  async #look(): Promise<void> {
    const { folder, reserveBytes, running, usage, end } = this.#options
    const { bavail, blocks, bsize } = await statfs(folder)
    const reserve = reserveBytes ?? Math.min(LARGEST_RESERVE_BYTES, blocks * bsize * RESERVE_SHARE)
    if (bavail * bsize >= reserve) return
    for (const { id, disk } of await running()) {
      const used = await usage(id)
      if (used > disk * BYTES_PER_MIB) end(id, used)
    }
  }
}
