import path from 'path-browserify'
import { codedError, nodeError } from '../../nodeError.ts'
import type { Entry, ProcessFiles } from '../../processFiles.ts'
import { Buffer } from '../buffer.ts'
import {
  abortError,
  checkBoolean,
  checkEncoding,
  checkFunction,
  checkInteger,
  checkObject,
  checkSignal,
  outOfRange,
  viewed,
  wrongType,
  wrongValue,
} from '../check.ts'
import { fileURLToPath } from '../url.ts'
import { util } from '../util.ts'
import type { Loose } from '../../loose.ts'
import { constants } from './constants.ts'
import type { OpenFiles } from './openFiles.ts'
import { flagsOf, modeOf } from './openFiles.ts'
import { Dirent, standardStats, statsOf } from './stats.ts'

/** Looks at what it was given at once, and does it when what it returns is called. */
export type Operation = (...given: Loose[]) => () => Loose
export type Operations = Readonly<Record<string, Operation>>

export interface OperationsOptions {
  files: ProcessFiles
  open: OpenFiles
  cwd(): string
  /** Of the standard streams: what is written to 1 and 2. */
  writeStandard(fd: 1 | 2, data: Uint8Array): void
}

const MOST_FD = 2 ** 31 - 1
const MOST_ID = 2 ** 32 - 1
const isBytes = (given: unknown): given is ArrayBufferView => ArrayBuffer.isView(given)

/** A path as Node takes it. */
export function textOfPath(given: unknown, name = 'path'): string {
  const text =
    given instanceof URL ? fileURLToPath(given) : given instanceof Uint8Array ? Buffer.from(given).toString() : given
  if (typeof text !== 'string') throw wrongType(name, 'of type string or an instance of Buffer or URL', given)
  if (text.includes('\0')) throw wrongValue(name, given, 'must be a string, Uint8Array, or URL without null bytes')
  return text
}

export function checkFd(given: unknown, name = 'fd'): number {
  checkInteger(name, given, 0, MOST_FD)
  return given as number
}

/** Options, or an encoding in their place. */
export function optionsOf(given: unknown, otherwise: Loose = {}): Loose {
  if (given === undefined || given === null || typeof given === 'function') return otherwise
  if (typeof given !== 'string' && typeof given !== 'object')
    throw wrongType('options', 'of type string or an instance of Object', given)
  const options: Loose = typeof given === 'string' ? { ...otherwise, encoding: given } : given
  if (options.encoding !== 'buffer') checkEncoding(options.encoding)
  checkSignal('options.signal', options.signal)
  return options
}

const tellOfRmdir: () => void = util.deprecate(
  () => undefined,
  'In future versions of Node.js, fs.rmdir(path, { recursive: true }) will be removed. Use fs.rm(path, { recursive: true }) instead',
  'DEP0147',
)

const encoded = (text: string, encoding: unknown): Loose => {
  if (!encoding || encoding === 'utf8' || encoding === 'utf-8') return text
  return encoding === 'buffer' ? Buffer.from(text) : Buffer.from(text).toString(encoding as BufferEncoding)
}

/** What is to be written, of texts as their bytes. */
function bytesOf(data: unknown, encoding: unknown, name: string): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data, (encoding ?? 'utf8') as BufferEncoding)
  if (isBytes(data)) return viewed(data).slice()
  throw wrongType(name, 'of type string or an instance of Buffer, TypedArray, or DataView', data)
}

function secondsOf(name: string, given: unknown): number {
  if (typeof given === 'string' && given !== '' && !Number.isNaN(Number(given))) return Number(given)
  if (typeof given === 'number' && Number.isFinite(given)) return given < 0 ? Date.now() / 1000 : given
  if (given instanceof Date) return given.getTime() / 1000
  throw wrongType(name, 'of type number or an instance of Date', given)
}

/** What Node's `fs` does, over the files of a process. */
export function makeOperations({ files, open, cwd, writeStandard }: OperationsOptions): Operations {
  const at = (given: unknown, name?: string): string => {
    const text = textOfPath(given, name)
    // An empty one is none, also for the system.
    if (text === '') return ''
    const full = path.resolve(cwd(), text)
    return full.length > 1 && full.endsWith('/') ? full.slice(0, -1) : full
  }
  const target = (given: unknown): string | number => (typeof given === 'number' ? checkFd(given) : at(given))

  /** Of two numbers where to begin and how much, none of which leads out of the bytes. */
  const range = (buffer: ArrayBufferView, offset: unknown, length: unknown): [offset: number, length: number] => {
    const first = offset === undefined || offset === null ? 0 : offset
    checkInteger('offset', first, 0)
    const from = first as number
    const size = length === undefined || length === null ? buffer.byteLength - from : length
    checkInteger('length', size)
    return [from, size as number]
  }
  const placeOf = (given: unknown): number | null => {
    if (given === undefined || given === null || given === -1 || given === -1n) return null
    if (typeof given === 'bigint') {
      if (given < 0n || given > 2n ** 63n - 1n) throw outOfRange('position', `>= -1 && <= ${2n ** 63n - 1n}`, given)
      return Number(given)
    }
    if (typeof given !== 'number') throw wrongType('position', 'of type bigint or integer', given)
    checkInteger('position', given, -1)
    return given
  }
  /** Rights and owners are kept and not asked for: there is one person. */
  const setMode = (name: 'chmod' | 'fchmod', entry: () => Entry, mode: number) => () => {
    entry().mode = mode & 0o7777
    return name && undefined
  }
  const setTimes = (entry: () => Entry, atime: unknown, mtime: unknown) => {
    const [used, changed] = [secondsOf('time', atime), secondsOf('time', mtime)]
    return () => void Object.assign(entry(), { atimeMs: used * 1000, mtimeMs: changed * 1000 })
  }
  const owned = (entry: () => Entry, uid: unknown, gid: unknown) => {
    checkInteger('uid', uid, -1, MOST_ID)
    checkInteger('gid', gid, -1, MOST_ID)
    return () => void entry()
  }
  const ofFd = (given: unknown, call: string) => {
    const fd = checkFd(given)
    return () => open.find(fd, call).entry
  }
  const write = (fd: number, bytes: Uint8Array, place: number | null): number => {
    if (fd === 1 || fd === 2) writeStandard(fd, bytes)
    else open.write(fd, bytes, place)
    return bytes.length
  }
  const vectors = (given: unknown): Uint8Array[] => {
    if (!Array.isArray(given) || !given.every(isBytes))
      throw wrongType('buffers', 'an instance of ArrayBufferView[]', given)
    return given.map(viewed)
  }
  const names = (folder: string, top: string, options: Loose): Loose[] =>
    [...files.folder('scandir', folder).names].toSorted().flatMap((name) => {
      const full = folder === '/' ? `/${name}` : `${folder}/${name}`
      const entry = files.entry('scandir', full)
      const shown = options.withFileTypes
        ? new Dirent(encoded(name, options.encoding), folder, entry.kind)
        : encoded(path.relative(top, full), options.encoding)
      return options.recursive && entry.kind === 'folder' ? [shown, ...names(full, top, options)] : [shown]
    })
  /** The first folder that had to be made. */
  const makeFolder = (where: string, recursive: boolean, mode: number): string | undefined => {
    let first = where
    if (recursive) while (!files.find(path.dirname(first))) first = path.dirname(first)
    const isThere = files.isFolder(where)
    files.mkdir(where, recursive)
    if (!isThere) files.entry('mkdir', where).mode = mode & ~0o022 & 0o7777
    return recursive && !isThere ? first : undefined
  }
  const copyTree = (source: string, destination: string, options: Loose): void => {
    if (options.filter && !options.filter(source, destination)) return
    const entry = files.entry('cp', source)
    if (entry.kind === 'file') {
      const isThere = files.find(destination) !== undefined
      if (isThere && options.errorOnExist && options.force === false)
        throw codedError(
          'ERR_FS_CP_EEXIST',
          `Target already exists: cp returned EEXIST (file already exists) ${destination}`,
        )
      if (isThere && options.force === false) return
      files.mkdir(path.dirname(destination), true)
      files.write(destination, entry.content)
      return
    }
    if (!options.recursive)
      throw codedError(
        'ERR_FS_EISDIR',
        `Recursive option not enabled, cannot copy a directory: cp returned EISDIR (${source} is a directory (not copied)) ${source}`,
      )
    if (files.isFile(destination))
      throw codedError(
        'ERR_FS_CP_DIR_TO_NON_DIR',
        `Cannot overwrite non-directory with directory: cp returned EISDIR (cannot overwrite non-directory ${destination} with directory ${source}) ${destination}`,
      )
    if (`${destination}/`.startsWith(`${source}/`))
      throw codedError(
        'ERR_FS_CP_EINVAL',
        `Invalid src or dest: cp returned EINVAL (cannot copy ${source} to a subdirectory of self ${destination}) ${destination}`,
      )
    files.mkdir(destination, true)
    for (const name of [...entry.names].toSorted()) copyTree(`${source}/${name}`, `${destination}/${name}`, options)
  }
  const noLinks = (call: string) => (from: unknown, to: unknown) => {
    const [source, place] = [
      at(from, call === 'link' ? 'existingPath' : 'target'),
      at(to, call === 'link' ? 'newPath' : 'path'),
    ]
    return () => {
      throw Object.assign(nodeError('EPERM', call, source), { dest: place })
    }
  }
  const existing = (given: unknown, call: string) => {
    const where = at(given)
    return () => files.entry(call, where)
  }
  const writing = (given: unknown, data: unknown, more: unknown, flag: string) => {
    const options = optionsOf(more, { encoding: 'utf8', mode: 0o666, flag })
    const to = typeof given === 'number' ? checkFd(given) : textOfPath(given) && given
    if (options.flush !== undefined && options.flush !== null) checkBoolean('flush', options.flush)
    const bytes =
      typeof data === 'string' && (options.encoding ?? 'utf8') === 'utf8'
        ? data
        : bytesOf(data, options.encoding, 'data')
    const flags = flagsOf(options.flag ?? flag)
    const mode = modeOf(options.mode, 'mode', 0o666)
    return () => {
      if (options.signal?.aborted) throw abortError(options.signal)
      if (typeof to === 'number') return void write(to, bytesOf(bytes, 'utf8', 'data'), null)
      const where = at(to)
      const entry = files.find(where)
      if (entry && flags & constants.O_EXCL) throw nodeError('EEXIST', 'open', where)
      if (!entry && !(flags & constants.O_CREAT)) throw nodeError('ENOENT', 'open', where)
      const before = entry && !(flags & constants.O_TRUNC) ? files.bytes(where) : undefined
      // A text stays one, so that it is told as it is.
      if (!before?.length) files.write(where, bytes)
      else {
        const added = bytesOf(bytes, 'utf8', 'data')
        const rest = flags & constants.O_APPEND ? [before, added] : [added, before.subarray(added.length)]
        files.write(where, Buffer.concat(rest))
      }
      if (!entry) files.entry('open', where).mode = mode & ~0o022 & 0o777
      return undefined
    }
  }

  const all: Record<string, Operation> = {
    readFile(given, more) {
      const options = optionsOf(more)
      const from = target(given)
      const flags = flagsOf(options.flag ?? 'r')
      return () => {
        if (options.signal?.aborted) throw abortError(options.signal)
        const { encoding } = options
        if (typeof from === 'string' && (flags & 3) === 0 && (encoding === 'utf8' || encoding === 'utf-8'))
          return files.text(from)
        let bytes: Uint8Array
        if (typeof from === 'number') {
          open.find(from, 'read')
          bytes = open.read(from, Infinity, null)
        } else if (flags === constants.O_RDONLY) bytes = files.bytes(from)
        else {
          const fd = open.open(from, flags, 0o666)
          try {
            bytes = open.bytes(fd)
          } finally {
            open.close(fd)
          }
        }
        const made = Buffer.from(bytes)
        return !encoding || encoding === 'buffer' ? made : made.toString(encoding as BufferEncoding)
      }
    },
    writeFile: (given, data, more) => writing(given, data, more, 'w'),
    appendFile: (given, data, more) => writing(given, data, more, 'a'),
    stat(given, options) {
      const where = at(given)
      return () =>
        options?.throwIfNoEntry === false && !files.find(where)
          ? undefined
          : statsOf(files.entry('stat', where), options)
    },
    lstat(given, options) {
      const where = at(given)
      return () =>
        options?.throwIfNoEntry === false && !files.find(where)
          ? undefined
          : statsOf(files.entry('lstat', where), options)
    },
    fstat(given, options) {
      const fd = checkFd(given)
      return () => (fd <= 2 ? standardStats(options) : statsOf(open.find(fd, 'fstat').entry, options))
    },
    statfs(given, options) {
      const entry = existing(given, 'statfs')
      return () => {
        entry()
        const found = {
          type: 61_267,
          bsize: 4096,
          blocks: 2 ** 20,
          bfree: 2 ** 19,
          bavail: 2 ** 19,
          files: 0,
          ffree: 0,
        }
        if (options?.bigint !== true) return found
        return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, BigInt(value)]))
      }
    },
    access(given, mode = constants.F_OK) {
      const where = at(given)
      checkInteger('mode', mode, 0, 7)
      return () => void files.entry('access', where)
    },
    readdir(given, more) {
      const options = optionsOf(more)
      if (options.recursive !== undefined && options.recursive !== null)
        checkBoolean('options.recursive', options.recursive)
      const where = at(given)
      return () => names(where, where, options)
    },
    mkdir(given, more) {
      const options: Loose = typeof more === 'number' || typeof more === 'string' ? { mode: more } : (more ?? {})
      const where = at(given)
      const { recursive = false } = options
      checkBoolean('options.recursive', recursive)
      const mode = modeOf(options.mode, 'mode', 0o777)
      return () => makeFolder(where, recursive, mode)
    },
    mkdtemp(prefix, more) {
      const options = optionsOf(more)
      const text = textOfPath(prefix, 'prefix')
      return () => {
        const made = `${text}${Math.random().toString(36).slice(2).padEnd(6, 'x').slice(0, 6)}`
        if (!files.find(path.dirname(at(made)))) throw nodeError('ENOENT', 'mkdtemp', `${text}XXXXXX`)
        files.mkdir(at(made), false)
        return encoded(made, options.encoding)
      }
    },
    rmdir(given, options) {
      const where = at(given)
      if (options?.recursive !== undefined) checkBoolean('options.recursive', options.recursive)
      if (options?.recursive) tellOfRmdir()
      return () => {
        if (!options?.recursive) return files.rmdir(where)
        files.folder('rmdir', where)
        return files.removeAll(where)
      }
    },
    rm(given, options) {
      const where = at(given)
      for (const name of ['recursive', 'force'])
        if (options?.[name] !== undefined) checkBoolean(`options.${name}`, options[name])
      return () => {
        if (options?.force && !files.find(where)) return
        files.entry('lstat', where)
        if (files.isFolder(where) && !options?.recursive)
          throw Object.assign(
            codedError('ERR_FS_EISDIR', `Path is a directory: rm returned EISDIR (is a directory) ${where}`),
            { name: 'SystemError' },
          )
        files.removeAll(where)
      }
    },
    unlink(given) {
      const where = at(given)
      return () => files.unlink(where)
    },
    rename(from, to) {
      const [before, after] = [at(from, 'oldPath'), at(to, 'newPath')]
      return () => {
        try {
          files.rename(before, after)
        } catch (error) {
          throw withDestination(error, after)
        }
      }
    },
    copyFile(from, to, mode = 0) {
      const [source, copy] = [at(from, 'src'), at(to, 'dest')]
      checkInteger('mode', mode ?? 0, 0, 7)
      return () => {
        try {
          const { content, mode: rights } = files.file('copyfile', source)
          if (mode & constants.COPYFILE_EXCL && files.find(copy)) throw nodeError('EEXIST', 'copyfile', source)
          const isThere = files.find(copy) !== undefined
          files.write(copy, content)
          if (!isThere) files.entry('copyfile', copy).mode = rights
        } catch (error) {
          throw withDestination(error, copy)
        }
      }
    },
    cp(from, to, options = {}) {
      checkObject('options', options)
      const [source, copy] = [at(from, 'src'), at(to, 'dest')]
      if (options.filter !== undefined) checkFunction('options.filter', options.filter)
      return () => copyTree(source, copy, options)
    },
    truncate(given, length = 0) {
      const to = target(given)
      checkInteger('len', length)
      return () => {
        if (typeof to === 'number') return open.truncate(to, Math.max(0, length))
        const fd = open.open(to, 'r+', 0o666)
        open.truncate(fd, Math.max(0, length))
        return open.close(fd)
      }
    },
    ftruncate(given, length = 0) {
      const fd = checkFd(given)
      checkInteger('len', length)
      return () => open.truncate(fd, Math.max(0, length))
    },
    realpath(given, more) {
      const options = optionsOf(more)
      const where = at(given)
      return () => {
        // What is missing is told as the part of the way that is.
        files.entry('lstat', where)
        return encoded(where, options.encoding)
      }
    },
    readlink(given, more) {
      optionsOf(more)
      const where = at(given)
      return () => {
        files.entry('readlink', where)
        throw nodeError('EINVAL', 'readlink', where)
      }
    },
    symlink: noLinks('symlink'),
    link: noLinks('link'),
    utimes: (given, atime, mtime) => setTimes(existing(given, 'utime'), atime, mtime),
    lutimes: (given, atime, mtime) => setTimes(existing(given, 'lutime'), atime, mtime),
    futimes: (given, atime, mtime) => setTimes(ofFd(given, 'futime'), atime, mtime),
    chmod(given, mode) {
      const where = at(given)
      return setMode('chmod', () => files.entry('chmod', where), modeOf(mode, 'mode'))
    },
    fchmod: (given, mode) => {
      const entry = ofFd(given, 'fchmod')
      return setMode('fchmod', entry, modeOf(mode, 'mode'))
    },
    chown: (given, uid, gid) => owned(existing(given, 'chown'), uid, gid),
    lchown: (given, uid, gid) => owned(existing(given, 'lchown'), uid, gid),
    fchown: (given, uid, gid) => owned(ofFd(given, 'fchown'), uid, gid),
    fsync: (given) => {
      const entry = ofFd(given, 'fsync')
      return () => void entry()
    },
    fdatasync: (given) => {
      const entry = ofFd(given, 'fdatasync')
      return () => void entry()
    },
    open(given, flags, mode) {
      const where = at(given)
      const wanted = flagsOf(flags)
      const rights = modeOf(mode, 'mode', 0o666)
      return () => open.open(where, wanted, rights)
    },
    close(given) {
      const fd = checkFd(given)
      return () => {
        // The standard streams stay open.
        if (fd > 2) open.close(fd)
      }
    },
    read(given, second, third, fourth, fifth) {
      const fd = checkFd(given)
      const isView = isBytes(second)
      const options: Loose = isView ? third : (second ?? {})
      const isByOptions = !isView || (typeof third === 'object' && third !== null)
      if (isView && third !== undefined && third !== null && typeof third === 'object') checkObject('options', third)
      const buffer: Loose = isView
        ? second
        : (options.buffer ?? (second && !isObject(second) ? second : Buffer.alloc(16_384)))
      if (!isBytes(buffer)) throw wrongType('buffer', 'an instance of Buffer, TypedArray, or DataView', buffer)
      const [offset, length] = isByOptions
        ? range(buffer, options.offset, options.length)
        : range(buffer, third, fourth)
      const place = placeOf(isByOptions ? options.position : fifth)
      if (length !== 0 && buffer.byteLength === 0)
        throw codedError(
          'ERR_INVALID_ARG_VALUE',
          "The argument 'buffer' is empty and cannot be written. Received <Buffer >",
          TypeError,
        )
      if (length < 0) throw outOfRange('length', '>= 0', length)
      if (offset + length > buffer.byteLength) throw outOfRange('length', `<= ${buffer.byteLength - offset}`, length)
      return Object.assign(
        () => {
          if (length === 0) return 0
          const bytes = open.read(fd, length, place)
          viewed(buffer).set(bytes, offset)
          return bytes.length
        },
        { buffer },
      )
    },
    write(given, data, offsetOrOptions, length, position) {
      const fd = checkFd(given)
      if (typeof data === 'string') {
        // Here the third is the place, and the fourth the encoding.
        const encoding = typeof length === 'string' ? length : undefined
        checkEncoding(encoding)
        const bytes = bytesOf(data, encoding, 'buffer')
        return Object.assign(() => write(fd, bytes, placeBehind(offsetOrOptions)), {
          buffer: data,
        })
      }
      if (!isBytes(data))
        throw wrongType('buffer', 'of type string or an instance of Buffer, TypedArray, or DataView', data)
      const options: Loose =
        typeof offsetOrOptions === 'object' && offsetOrOptions !== null
          ? offsetOrOptions
          : { offset: offsetOrOptions, length, position }
      const [from, size] = range(data, options.offset, options.length)
      if (from > data.byteLength) throw outOfRange('offset', `<= ${data.byteLength}`, from)
      if (size > data.byteLength - from) throw outOfRange('length', `<= ${data.byteLength - from}`, size)
      if (size < 0) throw outOfRange('length', '>= 0', size)
      const place = placeBehind(options.position)
      const bytes = viewed(data).slice(from, from + size)
      return Object.assign(() => write(fd, bytes, place), { buffer: data })
    },
    readv(given, buffers, position) {
      const fd = checkFd(given)
      const parts = vectors(buffers)
      return Object.assign(
        () => {
          let place = placeBehind(position)
          let total = 0
          for (const part of parts) {
            const bytes = open.read(fd, part.length, place)
            part.set(bytes)
            total += bytes.length
            if (place !== null) place += bytes.length
            if (bytes.length < part.length) break
          }
          return total
        },
        { buffer: buffers },
      )
    },
    writev(given, buffers, position) {
      const fd = checkFd(given)
      const bytes = Buffer.concat(vectors(buffers))
      return Object.assign(() => write(fd, bytes, placeBehind(position)), { buffer: buffers })
    },
    exists: (given) => {
      let where: string
      try {
        where = at(given)
      } catch {
        // What is no path is not there.
        return () => false
      }
      return () => where !== '' && files.find(where) !== undefined
    },
    opendir(given, more) {
      const options = optionsOf(more, { encoding: 'utf8' })
      if (options.bufferSize !== undefined) checkInteger('options.bufferSize', options.bufferSize, 1, 2 ** 32 - 1)
      const where = at(given)
      return () => {
        files.folder('opendir', where)
        return { path: textOfPath(given), entries: names(where, where, { ...options, withFileTypes: true }) }
      }
    },
  }
  return all
}

/** A number that is none, or before the beginning, means where the last one ended. */
const placeBehind = (given: unknown): number | null => (typeof given === 'number' && given >= 0 ? given : null)
const isObject = (given: Loose): boolean => typeof given === 'object' && given !== null && !Array.isArray(given)

function withDestination(error: unknown, dest: string): Error {
  const known = error as Loose
  if (known.path === undefined) return known as Error
  return Object.assign(known, {
    dest,
    message: `${String(known.message)} -> '${dest}'`,
  }) as Error
}
