import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Transform } from 'node:stream'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { PackerError } from './errors.ts'

/** The checksum a registry gives for a tarball: an SRI string with sha512 where there is one, else the old sha1 in hex. */
export interface Checksum {
  algorithm: 'sha512' | 'sha1'
  hex: string
}

const SHA512_LETTERS = 128

export function checksumOf(dist: { integrity?: string; shasum?: string }): Checksum | undefined {
  const sha512 = dist.integrity?.split(/\s+/).find((part) => part.startsWith('sha512-'))
  const hex = sha512 && Buffer.from(sha512.slice(7).split('?', 1)[0] ?? '', 'base64').toString('hex')
  // A part of one would match nothing, and name a folder instead of a file.
  if (hex?.length === SHA512_LETTERS) return { algorithm: 'sha512', hex }
  if (dist.shasum && /^[0-9a-f]{40}$/.test(dist.shasum)) return { algorithm: 'sha1', hex: dist.shasum }
  return undefined
}

const MAX_TARBALL_BYTES = 512 * 1024 * 1024

/** Package archives on disk, each under its own checksum: what is there is complete and correct, or it is not there. */
export class ContentStore {
  private readonly folder: string
  private readonly mostBytes: number

  constructor(folder: string, mostBytes = MAX_TARBALL_BYTES) {
    this.folder = folder
    this.mostBytes = mostBytes
  }

  pathOf({ algorithm, hex }: Checksum): string {
    return join(this.folder, algorithm, hex.slice(0, 2), hex.slice(2))
  }

  async sizeOf(checksum: Checksum): Promise<number | undefined> {
    try {
      return (await stat(this.pathOf(checksum))).size
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  /** Writes what the stream brings, if it matches the checksum. Throws INTEGRITY or TOO_LARGE, and then keeps nothing. */
  async add(checksum: Checksum, source: Readable | AsyncIterable<Buffer>): Promise<void> {
    const temporary = join(this.folder, 'incoming', randomUUID())
    await mkdir(dirname(temporary), { recursive: true })
    const hash = createHash(checksum.algorithm)
    let bytes = 0
    const { mostBytes } = this
    const check = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.length
        hash.update(chunk)
        done(bytes > mostBytes ? new PackerError('TOO_LARGE') : null, chunk)
      },
    })
    try {
      await pipeline(source, check, createWriteStream(temporary, { flags: 'wx' }))
      if (hash.digest('hex') !== checksum.hex) throw new PackerError('INTEGRITY')
      const target = this.pathOf(checksum)
      await mkdir(dirname(target), { recursive: true })
      const file = await open(temporary)
      await file.sync().finally(() => file.close())
      await rename(temporary, target)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  }
}

/** Writes a file so that a reader sees the old or the new content, never a part. */
export async function writeFileAtomically(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.${randomUUID()}`
  const file = await open(temporary, 'wx')
  try {
    await file.writeFile(content)
    await file.sync()
    await file.close()
    await rename(temporary, path)
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(temporary, { force: true })
    throw error
  }
}

export async function readFileIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
