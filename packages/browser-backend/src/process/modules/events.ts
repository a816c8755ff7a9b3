import Emitter from 'events/events.js'
import { codedError } from '../nodeError.ts'
import { AsyncResource } from './asyncHooks.ts'
import { checkSignal, wrongType } from './check.ts'
import { on, once } from './eventWaits.ts'
import { received } from './received.ts'
import { util } from './util.ts'
import type { Loose } from '../loose.ts'

// Node's `events`, as a package has it, with what Node has gained since.

const errorMonitor = Symbol('events.errorMonitor')
const own: Loose = { ...(Emitter.prototype as Loose) }

function requireListener(listener: unknown): void {
  if (typeof listener === 'function') return
  throw codedError(
    'ERR_INVALID_ARG_TYPE',
    `The "listener" argument must be of type function.${received(listener)}`,
    TypeError,
  )
}

function requireCount(name: string, count: unknown): void {
  if (typeof count !== 'number')
    throw codedError(
      'ERR_INVALID_ARG_TYPE',
      `The "${name}" argument must be of type number.${received(count)}`,
      TypeError,
    )
  if (!(count >= 0))
    throw codedError(
      'ERR_OUT_OF_RANGE',
      `The value of "${name}" is out of range. It must be a non-negative number. Received ${count}`,
      RangeError,
    )
}

/** Nobody has heard an error that is none: told with what it is. */
function unheard(given: unknown): Error {
  let shown: string
  try {
    shown = util.inspect(given)
  } catch {
    shown = String(given)
  }
  return Object.assign(codedError('ERR_UNHANDLED_ERROR', `Unhandled error. (${shown})`), { context: given })
}

for (const name of ['on', 'addListener', 'prependListener', 'once', 'prependOnceListener', 'off', 'removeListener']) {
  const work: Loose = own[name]
  const checked = {
    [name](this: unknown, type: unknown, listener: unknown) {
      requireListener(listener)
      return work.call(this, type, listener)
    },
  }[name]
  Object.defineProperty(Emitter.prototype, name, {
    value: checked,
    writable: true,
    configurable: true,
    enumerable: true,
  })
}
// Each is the same function under both of its names.
const prototype = Emitter.prototype as Loose
prototype.on = prototype.addListener
prototype.off = prototype.removeListener

Object.assign(prototype, {
  emit(this: Loose, type: unknown, ...given: unknown[]): boolean {
    if (type !== 'error') return own.emit.call(this, type, ...given)
    if (this._events?.[errorMonitor] !== undefined) own.emit.call(this, errorMonitor, ...given)
    const [error] = given
    if (this._events?.error === undefined && !(error instanceof Error)) throw unheard(error)
    return own.emit.call(this, type, ...given)
  },
  setMaxListeners(this: unknown, count: unknown) {
    requireCount('setMaxListeners', count)
    return own.setMaxListeners.call(this, count)
  },
  listenerCount(this: Loose, type: unknown, listener?: unknown): number {
    if (typeof listener !== 'function') return own.listenerCount.call(this, type)
    return this.rawListeners(type).filter((one: Loose) => one === listener || one.listener === listener).length
  },
  eventNames(this: Loose): unknown[] {
    return this._eventsCount > 0 ? Reflect.ownKeys(this._events) : []
  },
})

/** Node's `EventEmitterAsyncResource`: its listeners have the values of where it was made. */
class EventEmitterAsyncResource extends (Emitter as Loose) {
  readonly asyncResource = new AsyncResource()
  emit(...given: unknown[]): boolean {
    return this.asyncResource.runInAsyncScope(() => Reflect.apply(prototype.emit, this, given)) as boolean
  }
  emitDestroy(): void {
    this.asyncResource.emitDestroy()
  }
  get asyncId(): number {
    return this.asyncResource.asyncId()
  }
  get triggerAsyncId(): number {
    return this.asyncResource.triggerAsyncId()
  }
}

const most = new WeakMap<EventTarget, number>()

export const events: Loose = Object.assign(Emitter as Loose, {
  errorMonitor,
  captureRejectionSymbol: Symbol.for('nodejs.rejection'),
  setMaxListeners(count: number = Emitter.defaultMaxListeners as number, ...targets: Loose[]) {
    requireCount('setMaxListeners', count)
    if (targets.length === 0) events.defaultMaxListeners = count
    for (const target of targets) {
      if (typeof target.setMaxListeners === 'function') target.setMaxListeners(count)
      else most.set(target as EventTarget, count)
    }
  },
  getMaxListeners: (target: Loose): number =>
    typeof target.getMaxListeners === 'function'
      ? target.getMaxListeners()
      : (most.get(target as EventTarget) ?? events.defaultMaxListeners),
  getEventListeners: (emitter: Loose, name: unknown) => emitter.listeners?.(name) ?? [],
  addAbortListener(signal: AbortSignal, listener: () => void) {
    if (signal === undefined) throw wrongType('signal', 'an instance of AbortSignal', signal)
    checkSignal('signal', signal)
    requireListener(listener)
    // What has happened already is told too, and later as well.
    if (signal.aborted) queueMicrotask(() => listener())
    else signal.addEventListener('abort', listener, { once: true })
    return { [Symbol.dispose ?? Symbol.for('nodejs.dispose')]: () => signal.removeEventListener('abort', listener) }
  },
  on,
  once,
  EventEmitterAsyncResource,
})
