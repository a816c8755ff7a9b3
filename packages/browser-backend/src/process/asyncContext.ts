import type { Loose } from './loose.ts'

// What an `AsyncLocalStorage` knows goes along with every work that is run later: timers, ticks, callbacks of modules, and promises.
//
// What stands behind an `await` is run by the browser alone. But first, still where the `await` is, it looks at `constructor` and `then` of the
// promise: with another constructor than its own it calls what it found as `then` later, and what that resolves goes on in the very next
// microtask. So that one is put between two of ours. Where somebody awaits what is no promise nothing can be put, and what was current is
// lost. Promises are followed from the moment a program makes a storage, as every `await` takes a little longer then.

export type AsyncContext = ReadonlyMap<object, unknown>

/** What the program itself has, outside of all works. */
let base: AsyncContext = new Map()
let current = base
/** How many works with a context of their own are running. */
let depth = 0
let isFollowing = false

export const currentContext = (): AsyncContext => current

/** From here on, as far as this work goes. */
export function enterContext(context: AsyncContext): void {
  current = context
  if (depth === 0) base = context
}

export function withinContext<T>(context: AsyncContext, work: () => T): T {
  const before = current
  current = context
  depth += 1
  try {
    return work()
  } finally {
    depth -= 1
    current = before
  }
}

/** What this work enters is gone behind it. */
export const apart = <T>(work: () => T): T => withinContext(current, work)

/** `work`, run later, with what is current now. */
export function inContext<T extends Loose>(work: T): T {
  if (typeof work !== 'function' || !isFollowing) return work
  const made = current
  return function (this: unknown, ...given: unknown[]) {
    return withinContext(made, () => (work as Loose).apply(this, given))
  } as T
}

/** A program has a storage: from now on promises take along what is current. */
export function followPromises(scope: Loose = globalThis): void {
  if (isFollowing) return
  isFollowing = true
  const Native: Loose = scope.Promise
  const soon: (work: () => void) => void = scope.queueMicrotask.bind(scope)
  const nativeThen: Loose = Native.prototype.then

  const handled = (context: AsyncContext, handler: Loose): Loose => {
    if (typeof handler !== 'function') return handler
    return function (this: unknown, value: unknown) {
      soon(() => {
        depth += 1
        current = context
      })
      try {
        return withinContext(context, () => handler.call(this, value))
      } finally {
        soon(() => {
          depth -= 1
          current = base
        })
      }
    }
  }
  // eslint-disable-next-line unicorn/no-thenable -- they are already
  Object.defineProperty(Native.prototype, 'then', {
    configurable: true,
    get() {
      const context = current
      return function then(this: unknown, fulfilled: Loose, rejected: Loose) {
        return nativeThen.call(this, handled(context, fulfilled), handled(context, rejected))
      }
    },
    set(value: unknown) {
      // eslint-disable-next-line unicorn/no-thenable -- as with any property that is assigned
      Object.defineProperty(this, 'then', { configurable: true, enumerable: true, writable: true, value })
    },
  })
  // The class itself in everything but in that the browser does not take it for its own.
  const Followed: Loose = function Promise(executor: Loose) {
    if (new.target === undefined) throw new TypeError("Promise constructor cannot be invoked without 'new'")
    return Reflect.construct(Native, [executor], new.target === Followed ? Native : new.target)
  }
  Object.setPrototypeOf(Followed, Native)
  Object.defineProperty(Followed, 'prototype', { value: Native.prototype })
  Object.defineProperty(Native.prototype, 'constructor', { configurable: true, writable: true, value: Followed })
  scope.Promise = Followed
  scope.queueMicrotask = (work: Loose) => soon(inContext(work))
}
