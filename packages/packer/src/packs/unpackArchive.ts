import { mkdirSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { PackerError } from '../errors.ts'
import { contentOf, readArchive } from './readArchive.ts'
import type { ArchiveLimits } from './readArchive.ts'

/** The largest packages that browsers get unpack to about a hundred megabytes; the largest file is the program of Node. */
export const PACKAGE_LIMITS: Readonly<ArchiveLimits> = {
  bytes: 512 * 1024 * 1024,
  entryBytes: 256 * 1024 * 1024,
  files: 50_000,
}

/**
 * Most files of packages are small. One written at once takes a tenth of the time of one that is written by way of other threads, and a
 * package has thousands.
 */
const SMALL_BYTES = 64 * 1024

/** What came out of an archive. */
export interface Unpacked {
  bytes: number
  /** With the folders that they stand in. */
  files: number
}

/**
 * Unpacks the archive of a package into an empty folder, part by part. Only plain files come out, without rights of their own, each inside of
 * the folder: links, devices and paths that lead elsewhere are refused or left out. Stops as soon as the archive is larger than allowed,
 * however small it is on the wire. Of its files, by their paths in the package, only those that are wanted are written. What a failure leaves
 * in the folder is half a package: whoever asks gives it a name only when this has ended well.
 */
export async function unpackArchive(
  archive: Readable,
  folder: string,
  limits: Readonly<ArchiveLimits> = PACKAGE_LIMITS,
  isWanted: (path: string) => boolean = () => true,
): Promise<Unpacked> {
  const left = { ...limits }
  const folders = new Set(['.'])
  const unpacked: Unpacked = { bytes: 0, files: 0 }
  /** A deep path costs a folder a part, which no header counts. */
  const makeFolder = (path: string): void => {
    if (folders.has(path)) return
    makeFolder(dirname(path))
    left.files -= 1
    if (left.files < 0) throw new PackerError('TOO_LARGE', 'an archive with too many folders')
    folders.add(path)
    unpacked.files += 1
    mkdirSync(join(folder, path), { recursive: true })
  }
  await readArchive(
    archive,
    left,
    async ({ path, header, content }) => {
      const size = header.size ?? 0
      makeFolder(dirname(path))
      if (size > SMALL_BYTES) await writeFile(join(folder, path), content)
      else writeFileSync(join(folder, path), await contentOf(content))
      unpacked.bytes += size
      unpacked.files += 1
    },
    { isWanted },
  )
  return unpacked
}
