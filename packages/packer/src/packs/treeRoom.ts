import { PackerError } from '../errors.ts'

/** What all packages of a tree may unpack to. Real projects have some hundred megabytes in some ten thousand files. */
const MAX_BYTES = 1024 * 1024 * 1024
const MAX_FILES = 200_000

/** What may still come out of the archives of a whole tree: each for itself may be far below what one may have. */
export class TreeRoom {
  #bytes: number
  #files: number

  constructor({ bytes = MAX_BYTES, files = MAX_FILES }: { bytes?: number; files?: number } = {}) {
    this.#bytes = bytes
    this.#files = files
  }

  /** @throws PackerError TOO_LARGE when there is less left */
  take({ bytes, files }: { bytes: number; files: number }): void {
    this.#bytes -= bytes
    this.#files -= files
    if (this.#bytes < 0) throw new PackerError('TOO_LARGE', 'packages that unpack to too much together')
    if (this.#files < 0) throw new PackerError('TOO_LARGE', 'packages with too many files together')
  }
}
