import { codedError } from '../../nodeError.ts'
import { checkFunction } from '../check.ts'
import type { Loose } from '../../loose.ts'

const closed = (): Error => codedError('ERR_DIR_CLOSED', 'Directory handle was closed')

/** Node's `Dir`: what is in a folder, one after the other. */
export class Dir {
  readonly path: string
  readonly #entries: Loose[]
  readonly #later: (work: () => void) => void
  #isClosed = false
  #pending = 0

  constructor(found: { path: string; entries: Loose[] }, later: (work: () => void) => void) {
    this.path = found.path
    this.#entries = found.entries
    this.#later = later
  }

  read(done?: Loose): Loose {
    if (done === undefined) return this.#promised(() => this.#entries.shift() ?? null)
    checkFunction('callback', done)
    if (this.#isClosed) throw closed()
    this.#pending += 1
    return this.#later(() => {
      this.#pending -= 1
      done(null, this.#entries.shift() ?? null)
    })
  }

  readSync(): Loose {
    this.#requireRest()
    return this.#entries.shift() ?? null
  }

  close(done?: Loose): Loose {
    if (done === undefined) return this.#promised(() => void (this.#isClosed = true))
    checkFunction('callback', done)
    if (this.#isClosed) return this.#later(() => done(closed()))
    this.#isClosed = true
    return this.#later(() => done(null))
  }

  closeSync(): void {
    this.#requireRest()
    this.#isClosed = true
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Loose> {
    try {
      for (let entry = await this.read(); entry !== null; entry = await this.read()) yield entry
    } finally {
      await this.close()
    }
  }

  entries(): AsyncGenerator<Loose> {
    return this[Symbol.asyncIterator]()
  }

  async [Symbol.asyncDispose ?? Symbol.for('nodejs.asyncDispose')](): Promise<void> {
    if (!this.#isClosed) await this.close()
  }

  #requireRest(): void {
    if (this.#isClosed) throw closed()
    if (this.#pending > 0)
      throw codedError(
        'ERR_DIR_CONCURRENT_OPERATION',
        'Cannot do synchronous work on directory handle with concurrent asynchronous operations',
      )
  }

  #promised(work: () => Loose): Promise<Loose> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(closed())
      return this.#later(() => resolve(work()))
    })
  }
}
