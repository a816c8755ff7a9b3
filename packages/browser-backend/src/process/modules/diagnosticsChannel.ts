import { codedError } from '../nodeError.ts'
import type { Loose } from '../loose.ts'

type Subscriber = (message: unknown, name: string | symbol) => void
type Work = (...given: unknown[]) => unknown
/** What of an `AsyncLocalStorage` is used here. */
interface Store {
  run(value: unknown, work: () => unknown): unknown
}
type Transform = (message: unknown) => unknown

/** What a subscriber throws is no concern of who publishes: it ends the program as if nobody had called it. */
const throwLater = (error: unknown): void =>
  void (globalThis as Loose).process.nextTick(() => {
    throw error
  })

const requireFunction = (name: string, given: unknown): void => {
  if (typeof given !== 'function')
    throw codedError('ERR_INVALID_ARG_TYPE', `The "${name}" argument must be of type function.`, TypeError)
}

class Channel {
  readonly name: string | symbol
  #subscribers: readonly Subscriber[] = []
  readonly #stores = new Map<Store, Transform | undefined>()

  constructor(name: string | symbol) {
    this.name = name
  }

  get hasSubscribers(): boolean {
    return this.#subscribers.length > 0 || this.#stores.size > 0
  }
  subscribe(subscriber: Subscriber): void {
    requireFunction('subscription', subscriber)
    this.#subscribers = [...this.#subscribers, subscriber]
  }
  unsubscribe(subscriber: Subscriber): boolean {
    const at = this.#subscribers.indexOf(subscriber)
    this.#subscribers = this.#subscribers.filter((_, index) => index !== at)
    return at >= 0
  }
  publish(message: unknown): void {
    for (const subscriber of this.#subscribers) {
      try {
        subscriber(message, this.name)
      } catch (error) {
        throwLater(error)
      }
    }
  }
  bindStore(store: Store, transform?: Transform): void {
    this.#stores.set(store, transform)
  }
  unbindStore(store: Store): boolean {
    return this.#stores.delete(store)
  }
  runStores(message: unknown, work: Work, self?: unknown, ...given: unknown[]): unknown {
    let run = (): unknown => {
      this.publish(message)
      return Reflect.apply(work, self, given)
    }
    for (const [store, transform] of this.#stores) run = within(store, transform, message, run)
    return run()
  }
}

function within(store: Store, transform: Transform | undefined, message: unknown, next: () => unknown): () => unknown {
  return () => {
    let value = message
    try {
      if (transform) value = transform(message)
    } catch (error) {
      throwLater(error)
      return next()
    }
    return store.run(value, next)
  }
}

const channels = new Map<string | symbol, Channel>()
function channel(name: string | symbol): Channel {
  if (typeof name !== 'string' && typeof name !== 'symbol')
    throw codedError('ERR_INVALID_ARG_TYPE', 'The "channel" argument must be of type string or symbol.', TypeError)
  const known = channels.get(name) ?? new Channel(name)
  channels.set(name, known)
  return known
}

const PARTS = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const
type Part = (typeof PARTS)[number]

class TracingChannel implements Record<Part, Channel> {
  readonly start: Channel
  readonly end: Channel
  readonly asyncStart: Channel
  readonly asyncEnd: Channel
  readonly error: Channel

  constructor(given: string | Record<Part, Channel>) {
    const part = (name: Part): Channel => {
      if (typeof given === 'string') return channel(`tracing:${given}:${name}`)
      const found: unknown = typeof given === 'object' && given !== null ? given[name] : undefined
      if (found instanceof Channel) return found
      const what = typeof given === 'object' && given !== null ? `nameOrChannels.${name}` : 'nameOrChannels'
      throw codedError('ERR_INVALID_ARG_TYPE', `The "${what}" argument must be an instance of Channel.`, TypeError)
    }
    this.start = part('start')
    this.end = part('end')
    this.asyncStart = part('asyncStart')
    this.asyncEnd = part('asyncEnd')
    this.error = part('error')
  }

  get hasSubscribers(): boolean {
    return PARTS.some((part) => this[part].hasSubscribers)
  }
  subscribe(subscribers: Partial<Record<Part, Subscriber>>): void {
    for (const part of PARTS) if (subscribers[part]) this[part].subscribe(subscribers[part])
  }
  unsubscribe(subscribers: Partial<Record<Part, Subscriber>>): boolean {
    return PARTS.map((part) => !subscribers[part] || this[part].unsubscribe(subscribers[part])).every(Boolean)
  }

  traceSync(work: Work, context: Loose = {}, self?: unknown, ...given: unknown[]): unknown {
    if (!this.hasSubscribers) return Reflect.apply(work, self, given)
    return this.#begin(context, () => (context.result = Reflect.apply(work, self, given)))
  }

  tracePromise(work: Work, context: Loose = {}, self?: unknown, ...given: unknown[]): unknown {
    if (!this.hasSubscribers) return Reflect.apply(work, self, given)
    const settle = () => {
      this.asyncStart.publish(context)
      this.asyncEnd.publish(context)
    }
    return this.#begin(context, () =>
      Promise.resolve(Reflect.apply(work, self, given)).then(
        (result) => {
          context.result = result
          settle()
          return result
        },
        (error: unknown) => {
          context.error = error
          this.error.publish(context)
          settle()
          throw error
        },
      ),
    )
  }

  traceCallback(work: Work, position = -1, context: Loose = {}, self?: unknown, ...given: unknown[]): unknown {
    if (!this.hasSubscribers) return Reflect.apply(work, self, given)
    const callback = given.at(position) as Work
    requireFunction('callback', callback)
    const { asyncStart, asyncEnd, error: failed } = this
    given.splice(position, 1, function (this: unknown, ...answer: unknown[]) {
      const [error, result] = answer
      if (error) {
        context.error = error
        failed.publish(context)
      } else context.result = result
      asyncStart.runStores(context, () => {
        try {
          return Reflect.apply(callback, this, answer)
        } finally {
          asyncEnd.publish(context)
        }
      })
    })
    return this.#begin(context, () => Reflect.apply(work, self, given))
  }

  #begin(context: Loose, work: () => unknown): unknown {
    return this.start.runStores(context, () => {
      try {
        return work()
      } catch (error) {
        context.error = error
        this.error.publish(context)
        throw error
      } finally {
        this.end.publish(context)
      }
    })
  }
}

/** Node's `diagnostics_channel`. */
export const diagnosticsChannel: Loose = {
  Channel,
  channel,
  hasSubscribers: (name: string | symbol) => channels.get(name)?.hasSubscribers ?? false,
  subscribe: (name: string | symbol, subscriber: Subscriber) => channel(name).subscribe(subscriber),
  unsubscribe: (name: string | symbol, subscriber: Subscriber) => channel(name).unsubscribe(subscriber),
  tracingChannel: (given: string | Record<Part, Channel>) => new TracingChannel(given),
}
