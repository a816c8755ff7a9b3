import type { Loose } from '../loose.ts'

type Subscriber = (message: unknown, name: string | symbol) => void

class Channel {
  readonly name: string | symbol
  #subscribers: readonly Subscriber[] = []

  constructor(name: string | symbol) {
    this.name = name
  }

  get hasSubscribers(): boolean {
    return this.#subscribers.length > 0
  }
  subscribe(subscriber: Subscriber): void {
    this.#subscribers = [...this.#subscribers, subscriber]
  }
  unsubscribe(subscriber: Subscriber): boolean {
    const before = this.#subscribers.length
    this.#subscribers = this.#subscribers.filter((one) => one !== subscriber)
    return this.#subscribers.length < before
  }
  publish(message: unknown): void {
    for (const subscriber of this.#subscribers) subscriber(message, this.name)
  }
  bindStore(): void {}
  unbindStore(): void {}
  runStores(message: unknown, work: (...given: unknown[]) => unknown, self?: unknown, ...given: unknown[]): unknown {
    this.publish(message)
    return work.apply(self, given)
  }
}

const channels = new Map<string | symbol, Channel>()
function channel(name: string | symbol): Channel {
  const known = channels.get(name) ?? new Channel(name)
  channels.set(name, known)
  return known
}

const PARTS = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const

class TracingChannel {
  readonly start: Channel
  readonly end: Channel
  readonly asyncStart: Channel
  readonly asyncEnd: Channel
  readonly error: Channel

  constructor(name: string) {
    const [start, end, asyncStart, asyncEnd, error] = PARTS.map((part) => channel(`tracing:${name}:${part}`))
    this.start = start!
    this.end = end!
    this.asyncStart = asyncStart!
    this.asyncEnd = asyncEnd!
    this.error = error!
  }

  get hasSubscribers(): boolean {
    return PARTS.some((part) => this[part].hasSubscribers)
  }
  subscribe(subscribers: Partial<Record<(typeof PARTS)[number], Subscriber>>): void {
    for (const part of PARTS) if (subscribers[part]) this[part].subscribe(subscribers[part])
  }
  unsubscribe(subscribers: Partial<Record<(typeof PARTS)[number], Subscriber>>): void {
    for (const part of PARTS) if (subscribers[part]) this[part].unsubscribe(subscribers[part])
  }
  traceSync(work: (...given: unknown[]) => unknown, context: Loose = {}, self?: unknown, ...given: unknown[]): unknown {
    this.start.publish(context)
    try {
      return (context.result = work.apply(self, given))
    } catch (error) {
      context.error = error
      this.error.publish(context)
      throw error
    } finally {
      this.end.publish(context)
    }
  }
  async tracePromise(
    work: (...given: unknown[]) => unknown,
    context: Loose = {},
    self?: unknown,
    ...given: unknown[]
  ): Promise<unknown> {
    try {
      return await this.traceSync(work, context, self, ...given)
    } finally {
      this.asyncEnd.publish(context)
    }
  }
  traceCallback(
    work: (...given: unknown[]) => unknown,
    _position = -1,
    context: Loose = {},
    self?: unknown,
    ...given: unknown[]
  ): unknown {
    return this.traceSync(work, context, self, ...given)
  }
}

/** Node's `diagnostics_channel`. */
export const diagnosticsChannel: Loose = {
  Channel,
  channel,
  hasSubscribers: (name: string | symbol) => channels.get(name)?.hasSubscribers ?? false,
  subscribe: (name: string | symbol, subscriber: Subscriber) => channel(name).subscribe(subscriber),
  unsubscribe: (name: string | symbol, subscriber: Subscriber) => channel(name).unsubscribe(subscriber),
  tracingChannel: (name: string) => new TracingChannel(name),
}
