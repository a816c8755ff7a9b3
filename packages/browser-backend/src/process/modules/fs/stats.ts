import { Buffer } from '../buffer.ts'
import type { Entry } from '../../processFiles.ts'
import type { Loose } from '../../loose.ts'
import { constants } from './constants.ts'

const TYPES = { file: constants.S_IFREG, folder: constants.S_IFDIR }
const BLOCK = 4096

export const sizeOf = (content: string | Uint8Array): number =>
  typeof content === 'string' ? Buffer.byteLength(content) : content.length

/** What both kinds of Node's `Stats` can be asked. */
class Kinds {
  #is(kind: number): boolean {
    return (Number((this as Loose).mode) & constants.S_IFMT) === kind
  }
  isFile(): boolean {
    return this.#is(constants.S_IFREG)
  }
  isDirectory(): boolean {
    return this.#is(constants.S_IFDIR)
  }
  isSymbolicLink(): boolean {
    return this.#is(constants.S_IFLNK)
  }
  isFIFO(): boolean {
    return this.#is(constants.S_IFIFO)
  }
  isSocket(): boolean {
    return this.#is(constants.S_IFSOCK)
  }
  isBlockDevice(): boolean {
    return this.#is(constants.S_IFBLK)
  }
  isCharacterDevice(): boolean {
    return this.#is(constants.S_IFCHR)
  }
}

const TIMES = ['atimeMs', 'mtimeMs', 'ctimeMs', 'birthtimeMs'] as const

/** Node's `Stats`. */
export class Stats extends Kinds {
  constructor(entry?: Entry) {
    super()
    if (!entry) return
    const { kind, mode, ino, mtimeMs, ctimeMs } = entry
    const size = entry.kind === 'folder' ? BLOCK : sizeOf(entry.content)
    Object.assign(this, { dev: 1, mode: TYPES[kind] | mode, nlink: 1, uid: 1000, gid: 1000, rdev: 0, blksize: BLOCK })
    Object.assign(this, { ino, size, blocks: Math.ceil(size / 512) })
    Object.assign(this, { atimeMs: entry.atimeMs ?? mtimeMs, mtimeMs, ctimeMs, birthtimeMs: ctimeMs })
    for (const name of TIMES) Object.assign(this, { [name.slice(0, -2)]: new Date((this as Loose)[name]) })
  }
}

/** Node's `BigIntStats`. */
export class BigIntStats extends Kinds {
  constructor(entry: Entry) {
    super()
    const plain: Loose = new Stats(entry)
    const names = Object.keys(plain).filter((name) => typeof plain[name] === 'number')
    for (const name of names) Object.assign(this, { [name]: BigInt(Math.floor(plain[name])) })
    for (const name of TIMES) {
      const nanoseconds = BigInt(Math.round(plain[name] * 1e6))
      Object.assign(this, { [name.replace('Ms', 'Ns')]: nanoseconds, [name.slice(0, -2)]: plain[name.slice(0, -2)] })
    }
  }
}

/** Of the standard streams, which are a terminal or a line to another program. */
export function standardStats(options?: Loose): Stats | BigIntStats {
  const stats = statsOf({ kind: 'file', content: '', mode: 0, ino: 0, mtimeMs: 0, ctimeMs: 0 }, options)
  const mode = constants.S_IFCHR | 0o620
  return Object.assign(stats, { mode: options?.bigint === true ? BigInt(mode) : mode })
}

export const statsOf = (entry: Entry, options?: Loose): Stats | BigIntStats =>
  options?.bigint === true ? new BigIntStats(entry) : new Stats(entry)

/** Node's `Dirent`. */
export class Dirent {
  readonly name: Loose
  readonly parentPath: string
  readonly path: string
  readonly #kind: Entry['kind']
  constructor(name: Loose, parentPath: string, kind: Entry['kind']) {
    this.name = name
    this.parentPath = parentPath
    this.path = parentPath
    this.#kind = kind
  }
  isFile(): boolean {
    return this.#kind === 'file'
  }
  isDirectory(): boolean {
    return this.#kind === 'folder'
  }
  isSymbolicLink(): boolean {
    return false
  }
  isFIFO(): boolean {
    return false
  }
  isSocket(): boolean {
    return false
  }
  isBlockDevice(): boolean {
    return false
  }
  isCharacterDevice(): boolean {
    return false
  }
}
