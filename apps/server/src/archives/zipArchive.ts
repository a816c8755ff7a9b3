import { ApiError } from '@boxyard/api'
import type { Readable } from 'node:stream'
import { fromBuffer, open } from 'yauzl'
import type { Entry, Options, ZipFile } from 'yauzl'

export interface ZipLimits {
  files: number
  /** Unpacked, all files together, as the archive says; no file gives more than it says. */
  bytes: number
}

/** A zip archive of a stranger's. Files are read out of it one by one; nothing of it is ever unpacked to a disk. */
export class ZipArchive {
  /** By their names, which do not leave the archive. Of two with one name the first counts. */
  readonly files: ReadonlyMap<string, Entry>
  readonly #zip: ZipFile

  private constructor(zip: ZipFile, files: ReadonlyMap<string, Entry>) {
    this.#zip = zip
    this.files = files
  }

  /** Takes a path, or the bytes themselves. @throws ApiError INVALID_INPUT, which says what is wrong with it */
  static async open(file: string | Buffer, limits: ZipLimits, noArchive: string): Promise<ZipArchive> {
    const zip = await openZip(file, noArchive)
    try {
      return new ZipArchive(zip, await filesOf(zip, limits))
    } catch (error) {
      zip.close()
      throw error
    }
  }

  /** Ends with an error where the archive is broken, or where the file is longer than it says. */
  content(entry: Entry): Promise<Readable> {
    return new Promise((resolve, reject) => {
      this.#zip.openReadStream(entry, (error, content) => {
        if (content) resolve(content)
        else reject(invalidArchive('The archive is broken.', error))
      })
    })
  }

  /** The whole content, for files that are known to be small. */
  async bytes(entry: Entry): Promise<Buffer> {
    const chunks: Buffer[] = []
    for await (const chunk of await this.content(entry)) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks)
  }

  /** After the last file was read to its end. */
  close(): void {
    this.#zip.close()
  }
}

/** Names that leave their folder, and files that are longer than they say, are errors. */
const options: Options = { lazyEntries: true, autoClose: false, strictFileNames: true, validateEntrySizes: true }

function openZip(file: string | Buffer, noArchive: string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, zip: ZipFile | undefined) => {
      if (zip) resolve(zip)
      else reject(invalidArchive(noArchive, error))
    }
    if (typeof file === 'string') open(file, options, done)
    else fromBuffer(file, options, done)
  })
}

function filesOf(zip: ZipFile, limits: ZipLimits): Promise<Map<string, Entry>> {
  return new Promise((resolve, reject) => {
    const files = new Map<string, Entry>()
    let unpacked = 0
    if (zip.entryCount > limits.files) return reject(invalidArchive(`It has more than ${limits.files} files.`))
    zip.on('error', (error) => reject(invalidArchive('The archive is broken, or has names that leave it.', error)))
    zip.on('end', () => resolve(files))
    zip.on('entry', (entry: Entry) => {
      const { fileName } = entry
      unpacked += entry.uncompressedSize
      if (unpacked > limits.bytes)
        return reject(invalidArchive(`Unpacked it is larger than ${limits.bytes / 1024 / 1024} MB.`))
      if (!fileName.endsWith('/') && !files.has(fileName)) files.set(fileName, entry)
      zip.readEntry()
    })
    zip.readEntry()
  })
}

export function invalidArchive(detail: string, cause?: unknown): ApiError {
  return new ApiError('INVALID_INPUT', { detail, cause })
}
