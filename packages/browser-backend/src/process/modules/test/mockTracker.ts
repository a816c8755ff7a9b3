import type { Loose } from '../../loose.ts'
import { codedError } from '../../nodeError.ts'

export interface MockCall {
  arguments: unknown[]
  error: unknown
  result: unknown
  stack: Error
  target: unknown
  this: unknown
}

/** What a function that is mocked knows of itself, as `mock` of it. */
export class MockFunctionContext {
  readonly #original: Loose
  readonly #calls: MockCall[] = []
  readonly #once = new Map<number, Loose>()
  readonly #restore: (() => void) | undefined
  readonly #times: number
  #implementation: Loose

  constructor(original: Loose, implementation: Loose, times: number, restore?: () => void) {
    this.#original = original
    this.#implementation = implementation
    this.#times = times
    this.#restore = restore
  }

  get calls(): MockCall[] {
    return [...this.#calls]
  }
  callCount(): number {
    return this.#calls.length
  }
  mockImplementation(implementation: Loose): void {
    requireFunction('implementation', implementation)
    this.#implementation = implementation
  }
  mockImplementationOnce(implementation: Loose, onCall = this.#calls.length): void {
    requireFunction('implementation', implementation)
    this.#once.set(onCall, implementation)
  }
  resetCalls(): void {
    this.#calls.length = 0
  }
  restore(): void {
    this.#implementation = this.#original
    this.#once.clear()
    this.#restore?.()
  }

  run(self: unknown, given: unknown[], target: Loose): unknown {
    const at = this.#calls.length
    const usual: Loose = at >= this.#times ? this.#original : this.#implementation
    const work: Loose = this.#once.get(at) ?? usual
    this.#once.delete(at)
    const call: MockCall = {
      arguments: given,
      error: undefined,
      result: undefined,
      // Where it was called is asked for, not that it went wrong.
      stack: new Error('called here'),
      target,
      this: self,
    }
    try {
      call.result = target === undefined ? Reflect.apply(work, self, given) : Reflect.construct(work, given, target)
      if (target !== undefined) call.this = call.result
      return call.result
    } catch (error) {
      call.error = error
      throw error
    } finally {
      this.#calls.push(call)
    }
  }
}

/** Functions that tell how they were called, in place of others. */
export class MockTracker {
  #contexts: MockFunctionContext[] = []

  fn(original?: Loose, implementation?: Loose, options?: Loose): Loose {
    const given = typeof original === 'function' ? original : () => undefined
    const replacing = typeof implementation === 'function' ? implementation : given
    const chosen = [original, implementation, options].find((one) => typeof one === 'object' && one !== null)
    return this.#mocked(given, replacing, chosen)
  }

  method(object: Loose, name: string | symbol, implementation?: Loose, options?: Loose): Loose {
    const chosen: Loose = (typeof implementation === 'function' ? options : (implementation ?? options)) ?? {}
    const replacing = typeof implementation === 'function' ? implementation : undefined
    const kind = chosen.getter ? 'get' : chosen.setter ? 'set' : 'value'
    const found = findProperty(object, name)
    const original: unknown = found?.[kind]
    if (typeof original !== 'function')
      throw codedError(
        'ERR_INVALID_ARG_VALUE',
        `The argument 'methodName' must be a method. Received ${String(original)}`,
        TypeError,
      )
    const own = Object.getOwnPropertyDescriptor(object, name)
    const restore = () => {
      if (own) Object.defineProperty(object, name, own)
      else Reflect.deleteProperty(object as object, name)
    }
    const made = this.#mocked(original, replacing ?? original, chosen, restore)
    Object.defineProperty(object, name, { ...found, configurable: true, [kind]: made })
    return made
  }

  getter(object: Loose, name: string | symbol, ...given: Loose[]): Loose {
    return this.#accessor('getter', object, name, given)
  }
  setter(object: Loose, name: string | symbol, ...given: Loose[]): Loose {
    return this.#accessor('setter', object, name, given)
  }
  reset(): void {
    this.restoreAll()
    this.#contexts = []
  }
  restoreAll(): void {
    for (const context of this.#contexts.toReversed()) context.restore()
  }
  get timers(): never {
    throw codedError('ERR_METHOD_NOT_IMPLEMENTED', 'The timers of node:test are not there in browser mode')
  }
  module(): never {
    throw codedError('ERR_METHOD_NOT_IMPLEMENTED', 'node:test mocks no modules in browser mode')
  }

  #accessor(kind: 'getter' | 'setter', object: Loose, name: string | symbol, given: Loose[]): Loose {
    const work = given.find((one) => typeof one === 'function')
    const options = given.find((one) => typeof one === 'object' && one !== null)
    const chosen = { ...options, [kind]: true }
    return work ? this.method(object, name, work, chosen) : this.method(object, name, chosen)
  }

  #mocked(original: Loose, implementation: Loose, options: Loose, restore?: () => void): Loose {
    const context = new MockFunctionContext(original, implementation, options?.times ?? Infinity, restore)
    this.#contexts.push(context)
    return new Proxy(original, {
      apply: (_target, self, given) => context.run(self, given, undefined),
      construct: (_target, given, target) => context.run(undefined, given, target) as object,
      get: (target, name) => (name === 'mock' ? context : Reflect.get(target, name)),
    })
  }
}

function findProperty(object: Loose, name: string | symbol): PropertyDescriptor | undefined {
  for (let at: Loose = object; at !== null && at !== undefined; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, name)
    if (found) return found
  }
  return undefined
}

function requireFunction(name: string, given: unknown): void {
  if (typeof given !== 'function')
    throw codedError('ERR_INVALID_ARG_TYPE', `The "${name}" argument must be of type function.`, TypeError)
}
