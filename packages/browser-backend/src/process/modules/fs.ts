import { Buffer } from 'buffer/index.js'
import EventEmitter from 'events/events.js'
import path from 'path-browserify'
import { codedError, nodeError } from '../nodeError.ts'
import type { Handles } from '../handles.ts'
import type { Entry, ProcessFiles } from '../processFiles.ts'
import { Readable, Writable } from './stream.ts'
import { fileURLToPath } from './url.ts'
import type { Loose } from '../loose.ts'

const TYPES = { file: 0o100000, folder: 0o040000 }
const constants = {
  F_OK: 0,
  R_OK: 4,
  W_OK: 2,
  X_OK: 1,
  O_RDONLY: 0,
  O_WRONLY: 1,
  O_RDWR: 2,
  O_CREAT: 64,
  O_EXCL: 128,
  O_TRUNC: 512,
  O_APPEND: 1024,
  COPYFILE_EXCL: 1,
  S_IFMT: 0o170000,
  S_IFREG: TYPES.file,
  S_IFDIR: TYPES.folder,
  S_IFLNK: 0o120000,
}

class Stats {
  constructor(entry: Entry) {
    const { kind, mode, ino, mtimeMs, ctimeMs } = entry
    const size = entry.kind === 'folder' ? 4096 : sizeOf(entry.content)
    const times = { atimeMs: mtimeMs, mtimeMs, ctimeMs, birthtimeMs: ctimeMs }
    Object.assign(this, { dev: 1, mode: TYPES[kind] | mode, nlink: 1, uid: 1000, gid: 1000, rdev: 0, blksize: 4096 })
    Object.assign(this, { ino, size, blocks: Math.ceil(size / 512), ...times })
    for (const [name, ms] of Object.entries(times)) Object.assign(this, { [name.slice(0, -2)]: new Date(ms) })
  }
  isFile(this: Loose): boolean {
    return (this.mode & constants.S_IFMT) === TYPES.file
  }
  isDirectory(this: Loose): boolean {
    return (this.mode & constants.S_IFMT) === TYPES.folder
  }
  isSymbolicLink = () => false
  isFIFO = () => false
  isSocket = () => false
  isBlockDevice = () => false
  isCharacterDevice = () => false
}

class Dirent {
  readonly name: string
  readonly parentPath: string
  readonly path: string
  readonly #kind: Entry['kind']
  constructor(name: string, parentPath: string, kind: Entry['kind']) {
    this.name = name
    this.parentPath = parentPath
    this.path = parentPath
    this.#kind = kind
  }
  isFile = () => this.#kind === 'file'
  isDirectory = () => this.#kind === 'folder'
  isSymbolicLink = () => false
  isFIFO = () => false
  isSocket = () => false
  isBlockDevice = () => false
  isCharacterDevice = () => false
}

const sizeOf = (content: string | Uint8Array): number =>
  typeof content === 'string' ? Buffer.byteLength(content) : content.length

export interface FsOptions {
  files: ProcessFiles
  handles: Handles
  cwd(): string
  /** Puts it behind everything that runs now. */
  later(work: () => void): void
  /** Of the standard streams: what is written to 1 and 2, or read from 0. */
  writeStandard(fd: 1 | 2, data: Uint8Array): void
}

interface OpenFile {
  path: string
  position: number
  isAppend: boolean
}

/** Node's `fs` over the files of a process. */
export function makeFs({ files, handles, cwd, later, writeStandard }: FsOptions): Loose {
  const open = new Map<number, OpenFile>()
  let lastFd = 2

  const at = (given: Loose): string => {
    if (typeof given === 'number') return opened(given).path
    const text = given instanceof URL ? fileURLToPath(given) : Buffer.isBuffer(given) ? given.toString() : given
    if (typeof text !== 'string')
      throw codedError(
        'ERR_INVALID_ARG_TYPE',
        'The "path" argument must be of type string or an instance of Buffer or URL.',
        TypeError,
      )
    const full = path.resolve(cwd(), text)
    return full.length > 1 && full.endsWith('/') ? full.slice(0, -1) : full
  }
  const opened = (fd: number): OpenFile => {
    const found = open.get(fd)
    if (!found) throw nodeError('EBADF', 'read')
    return found
  }
  const encodingOf = (options: Loose): string | undefined =>
    typeof options === 'string' ? options : (options?.encoding ?? undefined)
  const bytesOf = (data: Loose, options?: Loose): Uint8Array => {
    if (typeof data === 'string') return Buffer.from(data, (encodingOf(options) ?? 'utf8') as BufferEncoding)
    if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice()
    throw codedError(
      'ERR_INVALID_ARG_TYPE',
      'The "data" argument must be of type string or an instance of Buffer, TypedArray, or DataView.',
      TypeError,
    )
  }
  const keep = (where: string, data: Uint8Array | string) => files.write(where, data)

  const sync: Record<string, (...given: Loose[]) => Loose> = {
    readFile(given, options) {
      const where = at(given)
      if (encodingOf(options) === 'utf8' || encodingOf(options) === 'utf-8') return files.text(where)
      const bytes = Buffer.from(files.bytes(where))
      const encoding = encodingOf(options)
      return encoding === undefined || encoding === 'buffer' ? bytes : bytes.toString(encoding as BufferEncoding)
    },
    writeFile(given, data, options) {
      const where = at(given)
      const flag = options?.flag ?? 'w'
      if (flag.includes('x') && files.find(where)) throw nodeError('EEXIST', 'open', where)
      if (flag.startsWith('a')) return sync['appendFile']!(given, data, options)
      return keep(where, typeof data === 'string' && !encodingOf(options) ? data : bytesOf(data, options))
    },
    appendFile(given, data, options) {
      const where = at(given)
      const before = files.isFile(where) ? files.bytes(where) : new Uint8Array()
      keep(where, Buffer.concat([before, bytesOf(data, options)]))
    },
    stat(given, options) {
      if (options?.throwIfNoEntry === false && !files.find(at(given))) return undefined
      return new Stats(files.entry('stat', at(given)))
    },
    lstat(given, options) {
      if (options?.throwIfNoEntry === false && !files.find(at(given))) return undefined
      return new Stats(files.entry('lstat', at(given)))
    },
    fstat(fd) {
      return new Stats(files.entry('fstat', opened(fd).path))
    },
    access(given) {
      files.entry('access', at(given))
    },
    readdir(given, options) {
      const where = at(given)
      const names = (folder: string): Loose[] =>
        [...files.folder('scandir', folder).names].toSorted().flatMap((name) => {
          const full = folder === '/' ? `/${name}` : `${folder}/${name}`
          const entry = files.entry('scandir', full)
          const shown = options?.withFileTypes ? new Dirent(name, folder, entry.kind) : path.relative(where, full)
          return options?.recursive && entry.kind === 'folder' ? [shown, ...names(full)] : [shown]
        })
      return names(where)
    },
    mkdir(given, options) {
      const where = at(given)
      files.mkdir(where, options?.recursive === true)
      return options?.recursive ? where : undefined
    },
    mkdtemp(prefix) {
      const where = at(`${prefix}${Math.random().toString(36).slice(2, 8)}`)
      files.mkdir(where, false)
      return where
    },
    rmdir(given, options) {
      if (options?.recursive) files.removeAll(at(given))
      else files.rmdir(at(given))
    },
    rm(given, options) {
      const where = at(given)
      if (options?.force && !files.find(where)) return
      if (files.isFolder(where) && !options?.recursive)
        throw codedError('ERR_FS_EISDIR', `Path is a directory: rm returned EISDIR (is a directory) ${where}`)
      files.removeAll(where)
    },
    unlink: (given) => files.unlink(at(given)),
    rename: (from, to) => files.rename(at(from), at(to)),
    copyFile(from, to, mode = 0) {
      if (mode & constants.COPYFILE_EXCL && files.find(at(to))) throw nodeError('EEXIST', 'copyfile', at(to))
      keep(at(to), files.file('copyfile', at(from)).content)
    },
    cp(from, to, options) {
      const [source, target] = [at(from), at(to)]
      if (files.isFile(source)) {
        files.mkdir(path.dirname(target), true)
        return keep(target, files.file('cp', source).content)
      }
      if (!options?.recursive)
        throw codedError('ERR_FS_EISDIR', `Recursive option not enabled, cannot copy a directory: ${source}`)
      files.mkdir(target, true)
      for (const name of [...files.folder('cp', source).names].toSorted())
        sync['cp']!(`${source}/${name}`, `${target}/${name}`, options)
    },
    truncate(given, length = 0) {
      const where = at(given)
      const cut = Buffer.alloc(length)
      cut.set(files.bytes(where).subarray(0, length))
      keep(where, cut)
    },
    realpath(given) {
      files.entry('realpath', at(given))
      return at(given)
    },
    readlink(given) {
      files.entry('readlink', at(given))
      throw nodeError('EINVAL', 'readlink', at(given))
    },
    utimes(given, _atime, mtime) {
      const entry = files.entry('utime', at(given))
      entry.mtimeMs = typeof mtime === 'number' ? mtime * 1000 : new Date(mtime).getTime()
    },
    chmod(given, mode) {
      files.entry('chmod', at(given)).mode = Number(mode) & 0o777
    },
    chown: (given) => void files.entry('chown', at(given)),
    open(given, flags = 'r') {
      const where = at(given)
      const text = typeof flags === 'number' ? flagText(flags) : String(flags)
      const isThere = files.find(where) !== undefined
      if (text.startsWith('r') && !isThere) throw nodeError('ENOENT', 'open', where)
      if (text.includes('x') && isThere) throw nodeError('EEXIST', 'open', where)
      if (text.startsWith('w') || (text.startsWith('a') && !isThere)) keep(where, '')
      lastFd += 1
      open.set(lastFd, { path: where, position: 0, isAppend: text.startsWith('a') })
      return lastFd
    },
    close(fd) {
      opened(fd)
      open.delete(fd)
    },
    fsync: () => undefined,
    fdatasync: () => undefined,
    read(fd, target, offsetOrOptions, length, position) {
      const file = opened(fd)
      const given =
        typeof offsetOrOptions === 'object' && offsetOrOptions !== null
          ? offsetOrOptions
          : { offset: offsetOrOptions, length, position }
      const offset = given.offset ?? 0
      const from = given.position ?? file.position
      const source = files
        .bytes(file.path)
        .subarray(Number(from), Number(from) + (given.length ?? target.byteLength - offset))
      new Uint8Array(target.buffer, target.byteOffset, target.byteLength).set(source, offset)
      if (given.position === undefined || given.position === null) file.position += source.length
      return source.length
    },
    write(fd, data, offset, length, position) {
      if (fd === 1 || fd === 2) {
        const bytes = bytesOf(data, typeof data === 'string' ? length : undefined)
        writeStandard(fd, bytes)
        return bytes.length
      }
      const file = opened(fd)
      const bytes =
        typeof data === 'string'
          ? bytesOf(data, length)
          : bytesOf(data).subarray(offset ?? 0, (offset ?? 0) + (length ?? data.byteLength))
      const before = files.bytes(file.path)
      const given = typeof data === 'string' ? offset : position
      const start = file.isAppend ? before.length : (given ?? file.position)
      const after = new Uint8Array(Math.max(before.length, start + bytes.length))
      after.set(before)
      after.set(bytes, start)
      keep(file.path, after)
      if (given === undefined || given === null) file.position = start + bytes.length
      return bytes.length
    },
  }
  for (const name of ['symlink', 'link'])
    sync[name] = () => {
      throw nodeError('EPERM', name)
    }
  Object.assign(sync, {
    lchown: sync['chown'],
    fchmod: () => undefined,
    futimes: () => undefined,
    lutimes: sync['utimes'],
  })
  sync['ftruncate'] = (fd, length) => sync['truncate']!(fd, length)

  /** Calls back in a turn of its own, and keeps the process until then. */
  const settle = (work: () => unknown, done: (error: unknown, value?: unknown) => void) => {
    const release = handles.hold()
    later(() => {
      release()
      let value: unknown
      try {
        value = work()
      } catch (error) {
        return done(error)
      }
      return done(null, value)
    })
  }

  const fs: Loose = { constants, ...constants, Stats, Dirent }
  const promises: Loose = { constants }
  for (const [name, work] of Object.entries(sync)) {
    fs[`${name}Sync`] = work
    fs[name] = (...given: Loose[]) => {
      const done = given.pop()
      if (typeof done !== 'function')
        throw codedError('ERR_INVALID_ARG_TYPE', 'The "cb" argument must be of type function.', TypeError)
      if (name === 'read' || name === 'write') {
        return settle(
          () => work(...given),
          (error, count) => (error ? done(error) : done(null, count, given[1])),
        )
      }
      return settle(
        () => work(...given),
        (error, value) => (error ? done(error) : done(null, value)),
      )
    }
    promises[name] = (...given: Loose[]) =>
      new Promise((resolve, reject) => {
        settle(
          () => work(...given),
          (error, value) => (error ? reject(error as Error) : resolve(value)),
        )
      })
  }
  promises.open = async (given: Loose, flags?: Loose) => new FileHandle(sync['open']!(given, flags), fs, promises)
  promises.watch = (given: Loose, options: Loose) => watchAsync(given, options)
  fs.promises = promises
  fs.existsSync = (given: Loose) => {
    try {
      return files.find(at(given)) !== undefined
    } catch {
      // What is no path is not there.
      return false
    }
  }
  fs.exists = (given: Loose, done: (isThere: boolean) => void) => later(() => done(fs.existsSync(given)))
  fs.realpathSync = Object.assign(sync['realpath']!, { native: sync['realpath'] })
  fs.realpath.native = fs.realpath
  fs.opendir = undefined

  fs.createReadStream = (given: Loose, options: Loose = {}) => {
    const {
      start = 0,
      end = Infinity,
      highWaterMark = 65_536,
      encoding,
    } = typeof options === 'string' ? { encoding: options } : options
    const release = handles.hold()
    let position: number = start
    const reading: Loose = new Readable({
      highWaterMark,
      encoding,
      construct(done: (error?: unknown) => void) {
        later(() => {
          try {
            files.file('open', at(given))
          } catch (error) {
            return done(error)
          }
          done()
          reading.emit('open', 3)
          return reading.emit('ready')
        })
      },
      read(size: number) {
        let bytes: Uint8Array
        try {
          bytes = files.bytes(at(given)).subarray(position, Math.min(position + size, end + 1))
        } catch (error) {
          return reading.destroy(error)
        }
        position += bytes.length
        reading.bytesRead += bytes.length
        return reading.push(bytes.length === 0 ? null : Buffer.from(bytes))
      },
    })
    reading.once('close', release)
    return Object.assign(reading, {
      path: given,
      bytesRead: 0,
      close: (done?: () => void) => reading.destroy(null, done),
    })
  }

  fs.createWriteStream = (given: Loose, options: Loose = {}) => {
    const { flags = 'w', encoding } = typeof options === 'string' ? { encoding: options } : options
    let fd: number | undefined
    const writing: Loose = new Writable({
      defaultEncoding: encoding ?? 'utf8',
      construct(done: (error?: unknown) => void) {
        later(() => {
          try {
            fd = sync['open']!(given, flags)
          } catch (error) {
            return done(error)
          }
          done()
          writing.emit('open', fd)
          return writing.emit('ready')
        })
      },
      write(chunk: Uint8Array, _encoding: string, done: (error?: unknown) => void) {
        writing.bytesWritten += chunk.length
        settle(
          () => sync['write']!(fd, chunk),
          (error) => done(error),
        )
      },
      destroy(error: unknown, done: (error: unknown) => void) {
        if (fd !== undefined) open.delete(fd)
        done(error)
      },
    })
    return Object.assign(writing, { path: given, bytesWritten: 0, close: (done?: () => void) => writing.end(done) })
  }

  fs.watch = (given: Loose, options?: Loose, listener?: Loose) => {
    const where = at(given)
    const settings = typeof options === 'object' ? options : {}
    const watcher: Loose = new EventEmitter()
    const heard = typeof options === 'function' ? options : listener
    if (heard) watcher.on('change', heard)
    files.entry('watch', where)
    const release = settings.persistent === false ? () => undefined : handles.hold()
    const stop = files.listen((event, changed) => {
      if (changed === where) return watcher.emit('change', event, path.basename(where))
      if (!changed.startsWith(`${where}/`)) return undefined
      const inside = changed.slice(where.length + 1)
      if (settings.recursive || !inside.includes('/')) watcher.emit('change', event, inside)
      return undefined
    })
    watcher.close = () => {
      stop()
      release()
      watcher.emit('close')
    }
    watcher.ref = watcher.unref = () => watcher
    return watcher
  }
  async function* watchAsync(given: Loose, options: Loose): AsyncGenerator<unknown> {
    const seen: unknown[] = []
    let wake: () => void = () => undefined
    const watcher = fs.watch(given, options ?? {}, (eventType: string, filename: string) => {
      seen.push({ eventType, filename })
      wake()
    })
    try {
      while (true) {
        while (seen.length > 0) yield seen.shift()
        await new Promise<void>((resolve) => (wake = resolve))
      }
    } finally {
      watcher.close()
    }
  }

  const watched = new Map<string, { listener: Loose; stop: () => void }[]>()
  fs.watchFile = (given: Loose, options: Loose, listener: Loose) => {
    const where = at(given)
    const heard = typeof options === 'function' ? options : listener
    const statOf = () =>
      files.find(where)
        ? new Stats(files.find(where)!)
        : new Stats({ kind: 'file', content: '', mode: 0, ino: 0, mtimeMs: 0, ctimeMs: 0 })
    let before = statOf()
    const release = handles.hold()
    const forget = files.listen((_event, changed) => {
      if (changed !== where) return
      const now = statOf()
      heard(now, before)
      before = now
    })
    const stop = () => {
      forget()
      release()
    }
    watched.set(where, [...(watched.get(where) ?? []), { listener: heard, stop }])
  }
  fs.unwatchFile = (given: Loose, listener?: Loose) => {
    const where = at(given)
    const all = watched.get(where) ?? []
    for (const one of all) if (!listener || one.listener === listener) one.stop()
    watched.set(
      where,
      all.filter((one) => listener && one.listener !== listener),
    )
  }
  return fs
}

/** A file as `fs.promises.open` gives it. */
class FileHandle {
  readonly fd: number
  readonly #fs: Loose
  readonly #promises: Loose

  constructor(fd: number, fs: Loose, promises: Loose) {
    this.fd = fd
    this.#fs = fs
    this.#promises = promises
  }

  readFile = (options?: Loose) => this.#promises.readFile(this.fd, options)
  writeFile = (data: Loose, options?: Loose) => this.#promises.writeFile(this.fd, data, options)
  appendFile = (data: Loose, options?: Loose) => this.#promises.appendFile(this.fd, data, options)
  stat = () => this.#promises.fstat(this.fd)
  truncate = (length?: number) => this.#promises.truncate(this.fd, length)
  sync = async () => undefined
  close = () => this.#promises.close(this.fd)
  read = async (buffer: Loose, ...given: Loose[]) => ({
    bytesRead: this.#fs.readSync(this.fd, buffer, ...given),
    buffer,
  })
  write = async (buffer: Loose, ...given: Loose[]) => ({
    bytesWritten: this.#fs.writeSync(this.fd, buffer, ...given),
    buffer,
  })
}

function flagText(flags: number): string {
  const isWriting = (flags & 3) !== 0
  const text = flags & constants.O_APPEND ? 'a' : isWriting && flags & constants.O_TRUNC ? 'w' : 'r'
  const made = isWriting && flags & constants.O_CREAT && text === 'r' ? 'a' : text
  return made + (flags & constants.O_EXCL ? 'x' : '')
}
