import EventEmitter from 'events/events.js'
import { codedError } from '../../nodeError.ts'
import type { Loose } from '../../loose.ts'

/** A file as `fs.promises.open` gives it. */
export class FileHandle extends EventEmitter {
  #fd: number
  readonly #fs: Loose
  #closing: Promise<void> | undefined

  constructor(fd: number, fs: Loose) {
    super()
    this.#fd = fd
    this.#fs = fs
  }

  get fd(): number {
    return this.#fd
  }

  /** `name`: of a work of `fs.promises` on a number. */
  #do(name: string, ...given: Loose[]): Promise<Loose> {
    if (this.#fd < 0) return Promise.reject(Object.assign(new Error('file closed'), { code: 'EBADF', syscall: name }))
    return this.#fs.promised[name](this.#fd, ...given) as Promise<Loose>
  }

  appendFile(data: Loose, options?: Loose): Promise<void> {
    return this.#do('appendFile', data, options)
  }
  chmod(mode: Loose): Promise<void> {
    return this.#do('fchmod', mode)
  }
  chown(uid: Loose, gid: Loose): Promise<void> {
    return this.#do('fchown', uid, gid)
  }
  datasync(): Promise<void> {
    return this.#do('fdatasync')
  }
  sync(): Promise<void> {
    return this.#do('fsync')
  }
  readFile(options?: Loose): Promise<Loose> {
    return this.#do('readFile', options)
  }
  stat(options?: Loose): Promise<Loose> {
    return this.#do('fstat', options)
  }
  truncate(length?: number): Promise<void> {
    return this.#do('ftruncate', length)
  }
  utimes(atime: Loose, mtime: Loose): Promise<void> {
    return this.#do('futimes', atime, mtime)
  }
  async writeFile(data: Loose, options?: Loose): Promise<void> {
    await this.#do('writeFile', await this.#fs.allOf(data, options), options)
  }
  async read(...given: Loose[]): Promise<Loose> {
    const [bytesRead, buffer] = await this.#do('read', ...given)
    return { bytesRead, buffer }
  }
  async write(...given: Loose[]): Promise<Loose> {
    const [bytesWritten, buffer] = await this.#do('write', ...given)
    return { bytesWritten, buffer }
  }
  async readv(...given: Loose[]): Promise<Loose> {
    const [bytesRead, buffers] = await this.#do('readv', ...given)
    return { bytesRead, buffers }
  }
  async writev(...given: Loose[]): Promise<Loose> {
    const [bytesWritten, buffers] = await this.#do('writev', ...given)
    return { bytesWritten, buffers }
  }

  close(): Promise<void> {
    if (this.#fd < 0) return this.#closing ?? Promise.resolve()
    const fd = this.#fd
    this.#fd = -1
    this.#closing = (this.#fs.promised.close(fd) as Promise<void>).finally(() => (this.#closing = undefined))
    this.emit('close')
    return this.#closing
  }

  createReadStream(options?: Loose): Loose {
    return new this.#fs.ReadStream(undefined, { ...options, fd: this })
  }
  createWriteStream(options?: Loose): Loose {
    return new this.#fs.WriteStream(undefined, { ...options, fd: this })
  }
  readLines(options?: Loose): Loose {
    return this.#fs.readline().createInterface({ input: this.createReadStream(options), crlfDelay: Infinity })
  }
  #isRead = false
  readableWebStream(): ReadableStream {
    if (this.#fd < 0) throw codedError('ERR_INVALID_STATE', 'Invalid state: The FileHandle is closed')
    if (this.#isRead) throw codedError('ERR_INVALID_STATE', 'Invalid state: The FileHandle is locked')
    this.#isRead = true
    return new ReadableStream({
      pull: async (controller) => {
        const { bytesRead, buffer } = await this.read(new Uint8Array(16_384))
        if (bytesRead === 0) controller.close()
        else controller.enqueue(buffer.subarray(0, bytesRead))
      },
    })
  }
  [Symbol.asyncDispose ?? Symbol.for('nodejs.asyncDispose')](): Promise<void> {
    return this.close()
  }
}
