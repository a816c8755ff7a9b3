import { codedError } from '../../nodeError.ts'
import { Buffer } from '../buffer.ts'
import { checkFunction, checkInteger, checkSignal, outOfRange, wrongType } from '../check.ts'
import { Readable, Writable } from '../stream.ts'
import { util } from '../util.ts'
import type { Loose } from '../../loose.ts'
import { FileHandle } from './fileHandle.ts'
import { checkFd, optionsOf, textOfPath } from './operations.ts'

/** Opens the file of a stream before it is used, by a method that programs put another one in place of. */
function openFirst(stream: Loose, own: Loose, done: (error?: unknown) => void): void {
  if (typeof stream.fd === 'number') return done()
  if (stream.open !== own) {
    const { emit } = stream
    stream.emit = (name: string, ...given: unknown[]) => {
      if (name === 'open') {
        stream.emit = emit
        done()
      } else if (name === 'error') {
        stream.emit = emit
        return done(given[0])
      }
      return emit.call(stream, name, ...given)
    }
    return void stream.open()
  }
  return stream.fs.open(stream.path, stream.flags, stream.mode, (error: unknown, fd: number) => {
    if (error) return done(error)
    stream.fd = fd
    done()
    stream.emit('open', fd)
    return stream.emit('ready')
  })
}

/** A promise for who waits with a callback. */
const settled = (work: Promise<Loose>, done: (error: unknown, value?: Loose) => void): void =>
  util.callbackify(() => work)(done)

function close(stream: Loose, error: unknown, done: (error?: unknown) => void): void {
  const { fd } = stream
  if (typeof fd !== 'number') return done(error)
  if (stream.handle) settled(stream.handle.close(), (failure) => done(failure ?? error))
  else stream.fs.close(fd, (failure: unknown) => done(failure ?? error))
  stream.fd = null
  return undefined
}

/** A stream opens its file itself: who calls this is told that it is going away. */
const noOpen = (name: string): Loose =>
  util.deprecate(() => undefined, `${name}.prototype.open() is deprecated`, 'DEP0135')

/** Of options also what they inherit. */
function copied(given: Loose): Loose {
  const options: Loose = {}
  // eslint-disable-next-line guard-for-in
  for (const name in given) options[name] = given[name]
  return options
}

/** What both kinds are given. `names`: of the functions that they need of an `fs` of the program's own. */
function begin(stream: Loose, given: Loose, options: Loose, fs: Loose, names: readonly string[]): void {
  if (options.fd !== undefined && options.fd !== null) {
    if (options.fd instanceof FileHandle) {
      if (options.fs) throw codedError('ERR_METHOD_NOT_IMPLEMENTED', 'The FileHandle with fs method is not implemented')
      stream.handle = options.fd
      stream.fd = options.fd.fd
      options.fd.on('close', () => stream.destroy())
    } else {
      stream.fd = checkFd(options.fd, 'fd')
    }
  } else stream.fd = null
  if (stream.fd === null) {
    textOfPath(given)
    stream.path = given
  } else stream.path = undefined
  stream.fs = options.fs ?? fs
  if (options.fs)
    for (const name of names)
      if (name !== 'open' || stream.fd === null) checkFunction(`options.fs.${name}`, options.fs[name])
  Object.defineProperty(stream, 'fs', { enumerable: false, writable: true })
  stream.mode = options.mode ?? 0o666
  stream.start = options.start
  stream.pos = undefined
}

const setUp = (Kind: Loose, Base: Loose, more: Loose): void => {
  Object.setPrototypeOf(Kind.prototype, Base.prototype)
  Object.setPrototypeOf(Kind, Base)
  Object.assign(Kind.prototype, more)
  Object.defineProperties(Kind.prototype, {
    pending: {
      configurable: true,
      get(this: Loose) {
        return this.fd === null
      },
    },
    autoClose: {
      configurable: true,
      get(this: Loose) {
        return (this._readableState ?? this._writableState).autoDestroy
      },
      set(this: Loose, value: boolean) {
        ;(this._readableState ?? this._writableState).autoDestroy = value
      },
    },
  })
}

/** Node's `ReadStream` and `WriteStream`: classes that programs call without `new`, and put their own methods into. */
export function makeFileStreams(fs: Loose): { ReadStream: Loose; WriteStream: Loose } {
  function ReadStream(this: Loose, given: Loose, more?: Loose): Loose {
    if (!(this instanceof ReadStream)) return new (ReadStream as Loose)(given, more)
    const options = copied(optionsOf(more))
    options.highWaterMark ??= 64 * 1024
    options.autoDestroy = options.autoClose ?? true
    checkSignal('options.signal', options.signal)
    const { start, end } = options
    if (start !== undefined) {
      if (typeof start !== 'number') throw wrongType('start', 'of type number', start)
      checkInteger('start', start, 0)
    }
    if (end !== undefined && end !== Infinity) {
      if (typeof end !== 'number') throw wrongType('end', 'of type number', end)
      checkInteger('end', end, 0)
      if (start !== undefined && start > end) throw outOfRange('start', `<= "end" (here: ${end})`, start)
    }
    const self = this as Loose
    begin(self, given, options, fs, ['open', 'read', 'close'])
    self.flags = options.flags ?? 'r'
    self.end = end ?? Infinity
    self.pos = start
    self.bytesRead = 0
    Readable.call(self, options)
    if (options.encoding) self.setEncoding(options.encoding)
    return self
  }
  const openReading = noOpen('ReadStream')
  setUp(ReadStream, Readable, {
    open: openReading,
    _construct(this: Loose, done: Loose) {
      openFirst(this, openReading, done)
    },
    _read(this: Loose, wanted: number) {
      const left = this.pos === undefined ? this.end - this.bytesRead + 1 : this.end - this.pos + 1
      const size = Math.min(left, wanted)
      if (size <= 0) return void this.push(null)
      const buffer = Buffer.allocUnsafe(size)
      const took = (error: unknown, count: number) => {
        this.isBusy = false
        if (this.destroyed) return this.emit('boxyard:idle', error)
        if (error) return this.destroy(error)
        if (this.pos !== undefined) this.pos += count
        this.bytesRead += count
        return this.push(count > 0 ? buffer.subarray(0, count) : null)
      }
      this.isBusy = true
      if (this.handle) {
        settled(this.handle.read(buffer, 0, size, this.pos ?? null), (error, read) => took(error, read?.bytesRead))
        return undefined
      }
      return this.fs.read(this.fd, buffer, 0, size, this.pos ?? null, took)
    },
    _destroy(this: Loose, error: unknown, done: Loose) {
      if (this.isBusy) this.once('boxyard:idle', (failure: unknown) => close(this, error ?? failure, done))
      else close(this, error, done)
    },
    close(this: Loose, done?: Loose) {
      if (done) this.once('close', done)
      this.destroy()
    },
  })

  function WriteStream(this: Loose, given: Loose, more?: Loose): Loose {
    if (!(this instanceof WriteStream)) return new (WriteStream as Loose)(given, more)
    const options: Loose = { ...copied(optionsOf(more)), decodeStrings: true }
    options.autoDestroy = options.autoClose ?? true
    checkSignal('options.signal', options.signal)
    const { start } = options
    if (start !== undefined) {
      if (typeof start !== 'number') throw wrongType('start', 'of type number', start)
      checkInteger('start', start, 0)
    }
    const self = this as Loose
    begin(self, given, options, fs, ['open', 'close'])
    if (options.fs) {
      const { write, writev } = options.fs
      if (!write && !writev) throw wrongType('options.fs.write', 'of type function', write)
      if (write) checkFunction('options.fs.write', write)
      if (writev) checkFunction('options.fs.writev', writev)
      // What such an `fs` does not have is not asked of it.
      if (!writev) self._writev = null
    }
    self.flags = options.flags ?? (start === undefined ? 'w' : 'r+')
    self.pos = start
    self.bytesWritten = 0
    Writable.call(self, options)
    if (options.encoding) self.setDefaultEncoding(options.encoding)
    return self
  }
  const openWriting = noOpen('WriteStream')
  setUp(WriteStream, Writable, {
    open: openWriting,
    _construct(this: Loose, done: Loose) {
      openFirst(this, openWriting, done)
    },
    _write(this: Loose, chunk: Uint8Array, _encoding: string, done: Loose) {
      this._put([chunk], done)
    },
    _writev(this: Loose, chunks: { chunk: Uint8Array }[], done: Loose) {
      this._put(
        chunks.map(({ chunk }) => chunk),
        done,
      )
    },
    _put(this: Loose, chunks: Uint8Array[], done: Loose) {
      const next = (error: unknown, count = 0) => {
        this.isBusy = false
        if (this.destroyed) {
          done(error)
          return this.emit('boxyard:idle', error)
        }
        if (error) return done(error)
        this.bytesWritten += count
        return done()
      }
      this.isBusy = true
      const place = this.pos
      if (place !== undefined) this.pos += chunks.reduce((size, { length }) => size + length, 0)
      const [chunk] = chunks
      if (this.handle) {
        settled(this.handle.writev(chunks, place), (error, wrote) => next(error, wrote?.bytesWritten))
        return undefined
      }
      if (chunks.length > 1 || !this.fs.write) return this.fs.writev(this.fd, chunks, place, next)
      return this.fs.write(this.fd, chunk, 0, chunk!.length, place, next)
    },
    _destroy(this: Loose, error: unknown, done: Loose) {
      if (this.isBusy) this.once('boxyard:idle', (failure: unknown) => close(this, error ?? failure, done))
      else close(this, error, done)
    },
    close(this: Loose, done?: Loose) {
      if (done) {
        if (this.closed) return void (globalThis as Loose).process.nextTick(done)
        this.on('close', done)
      }
      // Who does not close by itself when all is written is told to.
      if (!this.autoClose) this.on('finish', this.destroy)
      return void this.end()
    },
    destroySoon: Writable.prototype.end,
  })
  return { ReadStream, WriteStream }
}
