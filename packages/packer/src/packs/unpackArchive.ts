import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { PackerError } from '../errors.ts'
import { readArchive } from './readArchive.ts'
import type { ArchiveLimits } from './readArchive.ts'

/** The largest packages that browsers get unpack to about a hundred megabytes; the largest file is the program of Node. */
export const PACKAGE_LIMITS: Readonly<ArchiveLimits> = {
  bytes: 512 * 1024 * 1024,
  entryBytes: 256 * 1024 * 1024,
  files: 50_000,
}

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
  const makeFolder = async (path: string): Promise<void> => {
    if (folders.has(path)) return
    await makeFolder(dirname(path))
    left.files -= 1
    if (left.files < 0) throw new PackerError('TOO_LARGE', 'an archive with too many folders')
    folders.add(path)
    unpacked.files += 1
    await mkdir(join(folder, path), { recursive: true })
  }
  await readArchive(
    archive,
    left,
    async ({ path, header, content }) => {
      await makeFolder(dirname(path))
      await writeFile(join(folder, path), content)
      unpacked.bytes += header.size ?? 0
      unpacked.files += 1
    },
    { isWanted },
  )
  return unpacked
}
