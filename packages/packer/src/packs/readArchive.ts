import { Transform } from 'node:stream'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import type { Headers } from 'tar-stream'
import { PackerError } from '../errors.ts'
import { pathInPackage } from './pathInPackage.ts'
import type { TreeRoom } from './treeRoom.ts'

/** What may still come out of archives; counted down while they are read. */
export interface ArchiveLimits {
  bytes: number
  /** Of one file. */
  entryBytes: number
  /** Entries of any kind, and folders. */
  files: number
}

/** A file in an archive: what is read of it is gone, and it is read to its end before the next one comes. */
export interface ArchiveEntry {
  /** In the package. */
  path: string
  header: Headers
  content: AsyncIterable<Buffer>
}

export interface ReadArchiveOptions {
  /** Whether the packages inside of the package come along. */
  isBundle?: boolean
  /** By the path in the package. What is not wanted counts all the same: it has to be unpacked to get past it. */
  isWanted?: (path: string) => boolean
  /** What may still come out of this and other archives. */
  room?: TreeRoom
}

/**
 * Between two files, or two parts of one, stand headers alone. They are put together in memory before anybody can look at them, so what goes
 * on without a file is refused; the streams in between hold less than this.
 */
const MAX_BETWEEN_BYTES = 512 * 1024

/** What is unpacked at a time. */
const PART_BYTES = 64 * 1024

/** Errors of the system that a package leads to by what it names its files. All others are about this machine. */
const LED_TO: ReadonlySet<string | undefined> = new Set(['EEXIST', 'EISDIR', 'ENOTDIR'])

/**
 * The one way to read the archive of a package, which anybody may have written: its plain files one after the other, each with a path that is
 * safe, never more than a part of one in memory. Ends with TOO_LARGE before a limit is passed.
 */
export async function readArchive(
  archive: Readable,
  left: ArchiveLimits,
  take: (entry: ArchiveEntry) => Promise<void>,
  { isBundle = false, isWanted = () => true, room }: ReadArchiveOptions = {},
): Promise<void> {
  const entries = extract()
  let between = 0
  let refused: PackerError | null = null
  const watched = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      between += chunk.length
      if (between > MAX_BETWEEN_BYTES)
        refused = new PackerError('TOO_LARGE', 'an archive with too much around its files')
      done(refused, chunk)
    },
  })
  const reading = pipeline(archive, createGunzip({ chunkSize: PART_BYTES }), watched, entries)
  // Awaited below; a failure while an entry is taken must not count as unhandled meanwhile.
  reading.catch(() => undefined)
  const watchedParts = async function* (parts: AsyncIterable<Buffer>) {
    for await (const part of parts) {
      between = 0
      yield part
    }
  }
  try {
    for await (const entry of entries) {
      between = 0
      const { header } = entry
      count(left, header)
      room?.take({ bytes: header.size ?? 0, files: 1 })
      const inside = pathInPackage(header, { isBundle })
      // A folder has nothing to read, whatever its header says.
      if (header.type === 'directory') continue
      const content = watchedParts(entry as AsyncIterable<Buffer>)
      if (inside !== undefined && isWanted(inside)) await take({ path: inside, header, content })
      else for await (const part of content) void part
    }
    await reading
  } catch (error) {
    entries.destroy()
    archive.destroy()
    throw refused ?? reasonOf(error)
  }
}

/** The whole of a file, for what is small. */
export async function contentOf(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of content) parts.push(part)
  return Buffer.concat(parts)
}

/** Before anything of it is read: an entry is exactly as long as its header says. */
function count(left: ArchiveLimits, { size = 0 }: Headers): void {
  // A length that is no number would never end.
  if (!Number.isSafeInteger(size) || size < 0) throw new PackerError('UNSAFE_ARCHIVE', 'a file without a length')
  left.files -= 1
  left.bytes -= size
  if (left.files < 0) throw new PackerError('TOO_LARGE', 'an archive with too many files')
  if (left.bytes < 0) throw new PackerError('TOO_LARGE', 'an archive that unpacks to too much')
  if (size > left.entryBytes) throw new PackerError('TOO_LARGE', 'an archive with a file that is too large')
}

function reasonOf(error: unknown): unknown {
  if (error instanceof PackerError) return error
  const { code, message, syscall } = error as NodeJS.ErrnoException
  if (syscall !== undefined && !LED_TO.has(code)) return error
  return new PackerError('UNSAFE_ARCHIVE', syscall === undefined ? message : 'files that stand in the way of others', {
    cause: error,
  })
}
