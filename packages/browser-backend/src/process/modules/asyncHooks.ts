import { currentContext, enterContext, followPromises, inContext, withinContext } from '../asyncContext.ts'
import type { Loose } from '../loose.ts'

type Work = (...given: unknown[]) => unknown

/** Values for a work, what it calls and what that runs later. */
export class AsyncLocalStorage {
  #isOn = true

  constructor() {
    followPromises()
  }

  run(value: unknown, work: Work, ...given: unknown[]): unknown {
    this.#isOn = true
    return withinContext(new Map(currentContext()).set(this, value), () => work(...given))
  }

  exit(work: Work, ...given: unknown[]): unknown {
    return withinContext(this.#without(), () => work(...given))
  }

  getStore(): unknown {
    return this.#isOn ? currentContext().get(this) : undefined
  }

  enterWith(value: unknown): void {
    this.#isOn = true
    enterContext(new Map(currentContext()).set(this, value))
  }

  /** For what still runs too, until it is used again. */
  disable(): void {
    this.#isOn = false
    enterContext(this.#without())
  }

  #without(): Map<object, unknown> {
    const left = new Map(currentContext())
    left.delete(this)
    return left
  }

  static bind<T>(work: T): T {
    requireFunction(work)
    return inContext(work as Loose) as T
  }

  static snapshot() {
    const made = currentContext()
    return (work: Work, ...given: unknown[]) => withinContext(made, () => work(...given))
  }
}

export class AsyncResource {
  readonly #context = currentContext()

  runInAsyncScope(work: Work, self?: unknown, ...given: unknown[]): unknown {
    return withinContext(this.#context, () => work.apply(self, given))
  }

  bind(work: Work, self?: unknown): Work {
    requireFunction(work)
    const run = this.runInAsyncScope.bind(this)
    return Object.defineProperty(
      function (this: unknown, ...given: unknown[]) {
        return run(work, self ?? this, ...given)
      },
      'length',
      { configurable: true, value: work.length },
    )
  }

  static bind(work: Work, type?: string, self?: unknown): Work {
    requireFunction(work)
    return new AsyncResource().bind(work, self)
  }

  emitDestroy(): this {
    return this
  }

  asyncId(): number {
    return 1
  }

  triggerAsyncId(): number {
    return 0
  }
}

/** Node's `async_hooks`, without the hooks. */
export const asyncHooks: Loose = {
  AsyncLocalStorage,
  AsyncResource,
  createHook: () => {
    const hook = { enable: () => hook, disable: () => hook }
    return hook
  },
  executionAsyncId: () => 1,
  triggerAsyncId: () => 0,
  executionAsyncResource: () => ({}),
}

function requireFunction(work: unknown): void {
  if (typeof work === 'function') return
  const message = 'The "fn" argument must be of type function.'
  throw Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_TYPE' })
}
