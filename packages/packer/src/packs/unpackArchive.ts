import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { PackerError } from '../errors.ts'
import { pathInPackage } from './pathInPackage.ts'

export interface ArchiveLimits {
  bytes: number
  files: number
}

/** The largest packages that browsers get unpack to about a hundred megabytes. */
const PACKAGE_LIMITS: ArchiveLimits = { bytes: 512 * 1024 * 1024, files: 50_000 }

/**
 * Unpacks the archive of a package into an empty folder. Only plain files come out, without rights of their own, each inside of the
 * folder: links, devices and paths that lead elsewhere are refused or left out. Stops as soon as the archive is larger than allowed,
 * however small it is on the wire. Of its files, by their paths in the package, only those that are wanted are written.
 */
export async function unpackArchive(
  archive: Readable,
  folder: string,
  limits = PACKAGE_LIMITS,
  isWanted: (path: string) => boolean = () => true,
): Promise<void> {
  const entries = extract()
  let bytes = 0
  let files = 0
  const reading = pipeline(archive, createGunzip(), entries)
  // Awaited below; a failure while an entry is written must not count as unhandled meanwhile.
  reading.catch(() => undefined)
  try {
    for await (const entry of entries) {
      const inside = pathInPackage(entry.header, { isBundle: false })
      const path = inside !== undefined && isWanted(inside) ? inside : undefined
      files += 1
      if (files > limits.files) throw new PackerError('TOO_LARGE', 'an archive with too many files')
      const chunks: Buffer[] = []
      for await (const chunk of entry as AsyncIterable<Buffer>) {
        bytes += chunk.length
        if (bytes > limits.bytes) throw new PackerError('TOO_LARGE', 'an archive that unpacks to too much')
        if (path !== undefined) chunks.push(chunk)
      }
      if (path === undefined) continue
      const target = join(folder, path)
      await mkdir(dirname(target), { recursive: true })
      await writeFile(target, Buffer.concat(chunks))
    }
    await reading
  } catch (error) {
    entries.destroy()
    archive.destroy()
    if (error instanceof PackerError) throw error
    throw new PackerError('UNSAFE_ARCHIVE', (error as Error).message, { cause: error })
  }
}
