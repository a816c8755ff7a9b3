import { codedError, notInBrowser } from '../../nodeError.ts'
import { checkObject, wrongType } from '../check.ts'
import type { Loose } from '../../loose.ts'

export type Serialization = 'json' | 'advanced'

export interface ChannelOptions {
  serialization: Serialization
  /** Whether it keeps the program from the beginning; else it does while somebody listens. */
  keeps: boolean
  /** Keeps the program until what is returned is called. */
  hold(): () => void
  tell(value: unknown): void
  disconnect(): void
  /** It is shut, and who listens has heard that. */
  onShut(): void
  nextTick(work: (...given: unknown[]) => void, ...given: unknown[]): void
}

/** The end of a channel that messages come out of. */
export interface OpenChannel {
  take(value: unknown): void
  /** The other end is closed. */
  close(): void
}

/** Names that Node keeps for its own messages. */
const isInternal = (value: Loose): boolean =>
  typeof value === 'object' && typeof value?.cmd === 'string' && /^NODE_./.test(value.cmd)

/** What keeps a program while the other end may still say something. */
class Control {
  readonly #hold: () => () => void
  #release: (() => void) | undefined
  #listeners = 0
  #isDecided = false

  constructor(hold: () => () => void) {
    this.#hold = hold
  }
  ref(): void {
    this.#isDecided = true
    this.keep()
  }
  unref(): void {
    this.#isDecided = true
    this.letGo()
  }
  /** Node's names for one more, or less, who listens. */
  refCounted(): void {
    this.#listeners += 1
    if (!this.#isDecided) this.keep()
  }
  unrefCounted(): void {
    this.#listeners -= 1
    if (this.#listeners === 0 && !this.#isDecided) this.letGo()
  }
  keep(): void {
    this.#release ??= this.#hold()
  }
  letGo(): void {
    this.#release?.()
    this.#release = undefined
  }
}

/** Makes `target`, a child or the process itself, one end of a channel: with `send`, `disconnect` and their events. */
export function openChannel(target: Loose, options: ChannelOptions): OpenChannel {
  const { serialization, nextTick } = options
  const control = new Control(() => options.hold())
  /** What came before anybody listened. */
  let waiting: unknown[] = []
  target.channel = control
  target.connected = true
  if (options.keeps) control.keep()
  else {
    const counts = (name: string) => target.channel && (name === 'message' || name === 'disconnect')
    target.on('newListener', (name: string) => void (counts(name) && control.refCounted()))
    target.on('removeListener', (name: string) => void (counts(name) && control.unrefCounted()))
  }
  target.on('newListener', (name: string) => {
    if (name !== 'message') return
    nextTick(() => {
      const given = waiting
      waiting = []
      for (const value of given) target.emit('message', value, undefined)
    })
  })

  const shut = () => {
    target.connected = false
    target.channel = null
    nextTick(() => {
      target.emit('disconnect')
      control.letGo()
      options.onShut()
    })
  }
  target.send = (value: unknown, handle?: Loose, second?: Loose, third?: Loose): boolean => {
    const done: Loose = [handle, second, third].find((one) => typeof one === 'function')
    if (typeof handle !== 'function' && typeof second !== 'function' && second !== undefined)
      checkObject('options', second)
    if (!target.connected) {
      const closed = codedError('ERR_IPC_CHANNEL_CLOSED', 'Channel closed')
      nextTick(() => (done ? done(closed) : target.emit('error', closed)))
      return false
    }
    if (value === undefined) throw codedError('ERR_MISSING_ARGS', 'The "message" argument must be specified', TypeError)
    if (!['string', 'object', 'number', 'boolean'].includes(typeof value))
      throw wrongType('message', 'one of type string, object, number, or boolean', value)
    if (handle && typeof handle !== 'function') {
      if (typeof handle === 'object' && typeof handle.address === 'function')
        throw notInBrowser('Handing a server or a connection on to another process')
      throw codedError('ERR_INVALID_HANDLE_TYPE', 'This handle type cannot be sent', TypeError)
    }
    options.tell(serialization === 'json' ? JSON.parse(JSON.stringify(value)) : value)
    if (done) nextTick(done, null)
    return true
  }
  target.disconnect = (): void => {
    if (!target.connected) {
      target.emit('error', codedError('ERR_IPC_DISCONNECTED', 'IPC channel is already disconnected'))
      return
    }
    options.disconnect()
    shut()
  }

  return {
    take: (value) => {
      if (!target.channel) return
      // Each in a turn of its own: one whose listener fails does not keep back the others.
      nextTick(() => {
        if (isInternal(value)) target.emit('internalMessage', value, undefined)
        else if (target.listenerCount('message') > 0) target.emit('message', value, undefined)
        else waiting.push(value)
      })
    },
    close: () => {
      if (target.connected) shut()
    },
  }
}
