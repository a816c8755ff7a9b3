import { inContext } from './asyncContext.ts'
import type { Handles } from './handles.ts'
import type { Loose } from './loose.ts'

const native = {
  setTimeout: globalThis.setTimeout.bind(globalThis),
  clearTimeout: globalThis.clearTimeout.bind(globalThis),
}
const MOST = 2 ** 31 - 1
const PROMISIFIED = Symbol.for('nodejs.util.promisify.custom')

/** A timer as Node has it: it keeps its process alive unless it is told not to. */
export class Timeout {
  readonly #run: (self: Timeout) => void
  readonly #ms: number
  readonly #repeats: boolean
  readonly #timers: Timers
  readonly id: number
  #native: ReturnType<typeof setTimeout> | undefined
  #release: (() => void) | undefined
  #isReferenced = true

  constructor(timers: Timers, id: number, run: (self: Timeout) => void, ms: number, repeats: boolean) {
    this.#timers = timers
    this.id = id
    this.#run = run
    this.#ms = ms
    this.#repeats = repeats
    this.#start()
  }

  #start(): void {
    if (this.#isReferenced) this.#release ??= this.#timers.handles.hold()
    this.#native = native.setTimeout(() => {
      this.#native = undefined
      try {
        this.#run(this)
      } finally {
        if (this.#repeats && this.#timers.known.has(this.id)) this.#start()
        else if (this.#native === undefined) this.close()
      }
    }, this.#ms)
  }

  ref(): this {
    this.#isReferenced = true
    if (this.#native !== undefined) this.#release ??= this.#timers.handles.hold()
    return this
  }

  unref(): this {
    this.#isReferenced = false
    this.#release?.()
    this.#release = undefined
    return this
  }

  hasRef(): boolean {
    return this.#isReferenced
  }

  refresh(): this {
    native.clearTimeout(this.#native)
    this.#timers.known.set(this.id, this)
    this.#start()
    return this
  }

  close(): this {
    native.clearTimeout(this.#native)
    this.#native = undefined
    this.#timers.known.delete(this.id)
    this.#release?.()
    this.#release = undefined
    return this
  }

  [Symbol.toPrimitive](): number {
    return this.id
  }

  [Symbol.dispose ?? Symbol.for('nodejs.dispose')](): void {
    this.close()
  }
}

/** The timers of a process. */
export class Timers {
  readonly handles: Handles
  readonly known = new Map<number, Timeout>()
  readonly #immediates = new MessageChannel()
  readonly #waiting: (() => void)[] = []
  #last = 0

  constructor(handles: Handles) {
    this.handles = handles
    this.#immediates.port2.onmessage = () => this.#waiting.shift()?.()
  }

  setTimeout = (work: (...given: unknown[]) => void, ms: unknown = 1, ...given: unknown[]): Timeout =>
    this.#make(work, ms, given, false)

  setInterval = (work: (...given: unknown[]) => void, ms: unknown = 1, ...given: unknown[]): Timeout =>
    this.#make(work, ms, given, true)

  clearTimeout = (timer: unknown): void => {
    if (timer instanceof Timeout) timer.close()
    else this.known.get(Number(timer))?.close()
  }

  /** After what is ready now, and before any timer. */
  setImmediate = (work: (...given: unknown[]) => void, ...given: unknown[]): Immediate => {
    requireFunction(work)
    const immediate = new Immediate(this.handles)
    const run = inContext(() => Reflect.apply(work, immediate, given))
    this.#waiting.push(() => {
      if (immediate.isCleared) return
      immediate.clear()
      run()
    })
    this.#immediates.port1.postMessage(null)
    return immediate
  }

  clearImmediate = (immediate: unknown): void => {
    if (immediate instanceof Immediate) immediate.clear()
  }

  readonly promises = {
    setTimeout: <T>(ms?: number, value?: T, options?: { signal?: AbortSignal }): Promise<T | undefined> =>
      new Promise((resolve, reject) => {
        const timer = this.setTimeout(() => resolve(value), ms)
        options?.signal?.addEventListener('abort', () => {
          timer.close()
          reject(options.signal!.reason as Error)
        })
      }),
    setImmediate: <T>(value?: T): Promise<T | undefined> =>
      new Promise((resolve) => void this.setImmediate(() => resolve(value))),
    setInterval: async function* (this: void, ms?: number, value?: unknown): AsyncGenerator<unknown> {
      while (true) {
        await new Promise((resolve) => void globalThis.setTimeout(resolve, ms))
        yield value
      }
    },
  }

  get module(): Loose {
    const { setTimeout, setInterval, setImmediate, clearTimeout, clearImmediate, promises } = this
    Object.assign(setTimeout, { [PROMISIFIED]: promises.setTimeout })
    Object.assign(setImmediate, { [PROMISIFIED]: promises.setImmediate })
    return {
      setTimeout,
      setInterval,
      setImmediate,
      clearTimeout,
      clearInterval: clearTimeout,
      clearImmediate,
      promises: { ...promises, scheduler: { wait: promises.setTimeout, yield: promises.setImmediate } },
    }
  }

  #make(work: (...given: unknown[]) => void, ms: unknown, given: unknown[], repeats: boolean): Timeout {
    requireFunction(work)
    const wanted = Number(ms)
    const id = ++this.#last
    const delay = wanted >= 1 && wanted <= MOST ? wanted : 1
    const run = inContext((self: Timeout) => Reflect.apply(work, self, given))
    const timer = new Timeout(this, id, run, delay, repeats)
    this.known.set(id, timer)
    return timer
  }
}

class Immediate {
  readonly #handles: Handles
  #release: (() => void) | undefined
  isCleared = false

  constructor(handles: Handles) {
    this.#handles = handles
    this.#release = handles.hold()
  }

  clear(): void {
    this.isCleared = true
    this.unref()
  }

  ref(): this {
    if (!this.isCleared) this.#release ??= this.#handles.hold()
    return this
  }

  unref(): this {
    this.#release?.()
    this.#release = undefined
    return this
  }

  hasRef(): boolean {
    return this.#release !== undefined
  }

  [Symbol.dispose ?? Symbol.for('nodejs.dispose')](): void {
    this.clear()
  }
}

function requireFunction(work: unknown): void {
  if (typeof work === 'function') return
  const message = 'The "callback" argument must be of type function.'
  throw Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_TYPE' })
}
