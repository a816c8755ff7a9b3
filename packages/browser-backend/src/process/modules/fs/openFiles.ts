import { codedError, nodeError } from '../../nodeError.ts'
import { checkInteger, wrongValue } from '../check.ts'
import type { Entry, FileEntry, ProcessFiles } from '../../processFiles.ts'
import { FLAGS, constants } from './constants.ts'

const ACCESS = 3
const encoder = new TextEncoder()

interface OpenFile {
  path: string
  /** It stays what it is when its name is taken away or given to another. */
  entry: Entry
  position: number
  flags: number
}

/** The files that a process has open, by their numbers. */
export class OpenFiles {
  readonly #files: ProcessFiles
  readonly #open = new Map<number, OpenFile>()
  #lastDuplicate = 2 ** 31

  constructor(files: ProcessFiles) {
    this.#files = files
  }

  /** `flags`: as a word or a number. */
  open(path: string, flags: string | number, mode: number): number {
    const wanted = flagsOf(flags)
    const found = this.#files.find(path)
    if (found && wanted & constants.O_EXCL && wanted & constants.O_CREAT) throw nodeError('EEXIST', 'open', path)
    if (!found && !(wanted & constants.O_CREAT)) this.#files.entry('open', path)
    const writes = (wanted & ACCESS) !== constants.O_RDONLY
    if (found?.kind === 'folder' && writes) throw nodeError('EISDIR', 'open', path)
    if (found?.kind === 'file' && wanted & constants.O_DIRECTORY) throw nodeError('ENOTDIR', 'open', path)
    if (!found || (wanted & constants.O_TRUNC && writes)) this.#files.write(path, '')
    const entry = this.#files.entry('open', path)
    if (!found) entry.mode = mode & ~0o022 & 0o777
    // The standard streams are the first three.
    let fd = 3
    while (this.#open.has(fd)) fd += 1
    this.#open.set(fd, { path, entry, position: 0, flags: wanted })
    return fd
  }

  /** The same file under a number that no program is given, for who goes on with it when this one is closed. */
  duplicate(fd: number): number {
    const file = this.find(fd, 'dup')
    this.#lastDuplicate += 1
    this.#open.set(this.#lastDuplicate, file)
    return this.#lastDuplicate
  }

  find(fd: number, call: string): OpenFile {
    const found = this.#open.get(fd)
    if (!found) throw nodeError('EBADF', call)
    return found
  }

  close(fd: number): void {
    this.find(fd, 'close')
    this.#open.delete(fd)
  }

  /** All that is in it, of one that may be read. */
  bytes(fd: number): Uint8Array {
    const { entry, flags } = this.find(fd, 'read')
    if ((flags & ACCESS) === constants.O_WRONLY) throw nodeError('EBADF', 'read')
    return bytesOf(fileOf(entry, 'read'))
  }

  /** The next bytes, or those from a place on. */
  read(fd: number, length: number, place: number | null): Uint8Array {
    const file = this.find(fd, 'read')
    const from = place ?? file.position
    const bytes = this.bytes(fd).subarray(from, from + length)
    if (place === null) file.position += bytes.length
    return bytes
  }

  write(fd: number, bytes: Uint8Array, place: number | null): void {
    const file = this.find(fd, 'write')
    if ((file.flags & ACCESS) === constants.O_RDONLY) throw nodeError('EBADF', 'write')
    const before = bytesOf(fileOf(file.entry, 'write'))
    const start = file.flags & constants.O_APPEND ? before.length : (place ?? file.position)
    if (place === null) file.position = start + bytes.length
    if (bytes.length === 0) return
    const after = new Uint8Array(Math.max(before.length, start + bytes.length))
    after.set(before)
    after.set(bytes, start)
    this.#keep(file, after)
  }

  truncate(fd: number, length: number): void {
    const file = this.find(fd, 'ftruncate')
    if ((file.flags & ACCESS) === constants.O_RDONLY) throw nodeError('EINVAL', 'ftruncate')
    const cut = new Uint8Array(length)
    cut.set(bytesOf(fileOf(file.entry, 'ftruncate')).subarray(0, length))
    this.#keep(file, cut)
  }

  /** Puts it where the file is now; one without a name is only for whoever has it open. */
  #keep({ path, entry }: OpenFile, content: Uint8Array): void {
    const now = this.#files.find(path) === entry ? path : this.#files.pathOf(entry)
    if (now === undefined) Object.assign(entry, { content, mtimeMs: Date.now() })
    else this.#files.write(now, content)
  }
}

function fileOf(entry: Entry, call: string): FileEntry {
  if (entry.kind === 'folder') throw nodeError('EISDIR', call)
  return entry
}
const bytesOf = ({ content }: FileEntry): Uint8Array =>
  typeof content === 'string' ? encoder.encode(content) : content

export function flagsOf(flags: unknown, name = 'flags'): number {
  if (typeof flags === 'number') {
    checkInteger(name, flags, -(2 ** 31), 2 ** 31 - 1)
    return flags
  }
  if (flags === undefined || flags === null) return constants.O_RDONLY
  if (typeof flags === 'string' && Object.hasOwn(FLAGS, flags)) return FLAGS[flags]!
  throw wrongValue(name, flags)
}

/** The rights of a new file, as a number or a text of it to the base eight. */
export function modeOf(given: unknown, name: string, otherwise?: number): number {
  if (given === undefined || given === null) {
    if (otherwise !== undefined) return otherwise
  }
  if (typeof given === 'string') {
    if (!/^[0-7]+$/.test(given))
      throw codedError(
        'ERR_INVALID_ARG_VALUE',
        `The argument '${name}' must be a 32-bit unsigned integer or an octal string. Received '${given}'`,
        TypeError,
      )
    return Number.parseInt(given, 8)
  }
  checkInteger(name, given, 0, 2 ** 32 - 1)
  return given as number
}
