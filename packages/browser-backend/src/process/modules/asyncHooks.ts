import type { Loose } from '../loose.ts'

let current: ReadonlyMap<AsyncLocalStorage, unknown> = new Map()

/** `work`, run later, with what was current when it was made. */
function inContext<T extends Loose>(work: T): T {
  if (typeof work !== 'function') return work
  const made = current
  return function (this: unknown, ...given: unknown[]) {
    return within(made, () => (work as Loose).apply(this, given))
  } as T
}

function within<T>(context: ReadonlyMap<AsyncLocalStorage, unknown>, work: () => T): T {
  const before = current
  current = context
  try {
    return work()
  } finally {
    current = before
  }
}

/** Values for a work and what it calls. Behind an `await` the browser goes on by itself, which no program can follow, and they are lost. */
export class AsyncLocalStorage {
  run(value: unknown, work: (...given: unknown[]) => unknown, ...given: unknown[]): unknown {
    return within(new Map(current).set(this, value), () => work(...given))
  }
  exit(work: (...given: unknown[]) => unknown, ...given: unknown[]): unknown {
    return this.run(undefined, work, ...given)
  }
  getStore(): unknown {
    return current.get(this)
  }
  enterWith(value: unknown): void {
    current = new Map(current).set(this, value)
  }
  disable(): void {
    const left = new Map(current)
    left.delete(this)
    current = left
  }
  static bind<T>(work: T): T {
    return inContext(work)
  }
  static snapshot() {
    const made = current
    return (work: (...given: unknown[]) => unknown, ...given: unknown[]) => within(made, () => work(...given))
  }
}

export class AsyncResource {
  readonly #context = current
  runInAsyncScope(work: (...given: unknown[]) => unknown, self?: unknown, ...given: unknown[]): unknown {
    return within(this.#context, () => work.apply(self, given))
  }
  bind<T>(work: T): T {
    return inContext(work)
  }
  static bind<T>(work: T): T {
    return inContext(work)
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
