import type { Handles } from '../../handles.ts'
import type { ProcessFiles } from '../../processFiles.ts'
import { Buffer } from '../buffer.ts'
import { wrongType } from '../check.ts'
import type { Loose } from '../../loose.ts'
import { constants } from './constants.ts'
import { FileHandle } from './fileHandle.ts'
import { Dir } from './folder.ts'
import { OpenFiles } from './openFiles.ts'
import { makeOperations } from './operations.ts'
import { Dirent, Stats } from './stats.ts'
import { makeFileStreams } from './streams.ts'
import { makeWatching } from './watching.ts'

export interface FsOptions {
  files: ProcessFiles
  /** Where programs that are started have files of this one too. */
  open?: OpenFiles
  handles: Handles
  cwd(): string
  /** Puts it behind everything that runs now. */
  later(work: () => void): void
  /** Of the standard streams: what is written to 1 and 2, or read from 0. */
  writeStandard(fd: 1 | 2, data: Uint8Array): void
  /** Node's `readline`, for who reads a file line by line. */
  readline?(): Loose
}

const PROMISIFIED = Symbol.for('nodejs.util.promisify.custom')
/** What gives a number and the bytes that it is about, by the names of both. */
const COUNTING: Readonly<Record<string, readonly [count: string, bytes: string]>> = {
  read: ['bytesRead', 'buffer'],
  write: ['bytesWritten', 'buffer'],
  readv: ['bytesRead', 'buffers'],
  writev: ['bytesWritten', 'buffers'],
}
/** Of `fs` alone: with promises a file is an object. */
const OF_NUMBERS = /^(?:f[a-z]+|close|read|write|readv|writev|exists)$/

const thrown = (error: unknown): void => {
  if (error) throw error as Error
}

/** Node's `fs` over the files of a process. */
export function makeFs({
  files,
  open = new OpenFiles(files),
  handles,
  cwd,
  later,
  writeStandard,
  readline,
}: FsOptions): Loose {
  const operations = makeOperations({ files, open, cwd, writeStandard })

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
  /** In a turn of its own, until which the process is kept. */
  const next = (work: () => void) => settle(() => undefined, work)
  const promisedOf =
    (name: string) =>
    (...given: Loose[]): Promise<Loose> =>
      new Promise((resolve, reject) => {
        const run = operations[name]!(...given)
        const { buffer } = run as Loose
        settle(run, (error, value) => {
          if (error) reject(error as Error)
          else resolve(name in COUNTING ? [value, buffer] : value)
        })
      })

  const fs: Loose = { constants, Stats, Dirent, Dir }
  for (const name of ['F_OK', 'R_OK', 'W_OK', 'X_OK'] as const) fs[name] = constants[name]
  const promises: Loose = { constants }
  const promised: Loose = {}
  for (const [name, operation] of Object.entries(operations)) {
    const named = {
      [`${name}Sync`]: (...given: Loose[]): Loose => operation(...given)(),
      [name]: (...given: Loose[]): void => {
        const done = given.findLast((one, index) => index > 0 && typeof one === 'function')
        if (typeof done !== 'function') {
          // Who closes a file may leave it at that.
          if (name === 'close' && given.length < 2) return fs.close(given[0], thrown)
          throw wrongType('cb', 'of type function', given.length > 1 ? given.at(-1) : undefined)
        }
        const run = operation(...given.slice(0, given.lastIndexOf(done)))
        const { buffer } = run as Loose
        settle(run, (error, value) => {
          if (error) done(error)
          else if (name in COUNTING) done(null, value, buffer)
          else if (value === undefined) done(null)
          else done(null, value)
        })
      },
    }
    Object.assign(fs, named)
    promised[name] = promisedOf(name)
    if (!OF_NUMBERS.test(name)) promises[name] = { [name]: (...given: Loose[]) => promised[name](...given) }[name]
    const counting = COUNTING[name]
    if (counting)
      Object.defineProperty(fs[name], PROMISIFIED, {
        value: async (...given: Loose[]) => {
          const [count, bytes] = await promised[name](...given)
          return { [counting[0]]: count, [counting[1]]: bytes }
        },
      })
  }

  const { ReadStream, WriteStream } = makeFileStreams(fs)
  const handleParts = { promised, allOf, ReadStream, WriteStream, readline: () => readline?.() }
  const numberOf = (given: Loose): Loose => (given instanceof FileHandle ? given.fd : given)
  for (const name of ['readFile', 'writeFile', 'appendFile'])
    promises[name] = { [name]: (given: Loose, ...more: Loose[]) => promised[name](numberOf(given), ...more) }[name]
  promises.writeFile = async (given: Loose, data: Loose, options?: Loose) =>
    promised.writeFile(numberOf(given), await allOf(data, options), options)
  promises.open = async (...given: Loose[]) => new FileHandle(await promised.open(...given), handleParts)
  promises.opendir = async (...given: Loose[]) => new Dir(await promised.opendir(...given), next)
  fs.opendirSync = (...given: Loose[]) => new Dir(operations['opendir']!(...given)(), next)
  const { opendir } = fs
  fs.opendir = (...given: Loose[]) => {
    const done = given.findLast((one, index) => index > 0 && typeof one === 'function')
    return opendir(
      ...given.filter((one) => one !== done),
      done && ((error: unknown, found: Loose) => (error ? done(error) : done(null, new Dir(found, next)))),
    )
  }
  fs.exists = (given: Loose, done: Loose) => {
    if (typeof done !== 'function') throw wrongType('cb', 'of type function', done)
    settle(operations['exists']!(given), (_error, isThere) => done(isThere))
  }
  Object.defineProperty(fs.exists, PROMISIFIED, {
    value: (given: Loose) => new Promise((resolve) => fs.exists(given, resolve)),
  })
  fs.realpathSync.native = fs.realpathSync
  fs.realpath.native = fs.realpath
  fs._toUnixTimestamp = (time: Loose) => Number(time)

  Object.assign(fs, { ReadStream, WriteStream, FileReadStream: ReadStream, FileWriteStream: WriteStream })
  // Whoever puts another class there has streams of that class.
  fs.createReadStream = (given: Loose, options?: Loose) => new fs.ReadStream(given, options)
  fs.createWriteStream = (given: Loose, options?: Loose) => new fs.WriteStream(given, options)
  const { watch, watchAsync, watchFile, unwatchFile } = makeWatching({ files, handles, cwd, later })
  Object.assign(fs, { watch, watchFile, unwatchFile, promises })
  promises.watch = watchAsync
  return fs
}

/** What a stream or another iterable gives, for who writes it to a file. */
async function allOf(given: Loose, options: Loose): Promise<Loose> {
  // What is whole already is taken as it is, and what can't be written says so itself.
  if (typeof given !== 'object' || given === null || ArrayBuffer.isView(given)) return given
  const many: Loose = given
  if (!many[Symbol.asyncIterator] && !many[Symbol.iterator]) return given
  const parts: Uint8Array[] = []
  for await (const part of given as AsyncIterable<Loose>)
    parts.push(
      typeof part === 'string'
        ? Buffer.from(part, (typeof options === 'string' ? options : options?.encoding) as BufferEncoding)
        : part,
    )
  return Buffer.concat(parts)
}
