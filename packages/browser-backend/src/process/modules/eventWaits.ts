import { abortError, checkObject, checkSignal, wrongType } from './check.ts'
import type { Loose } from '../loose.ts'

// `on` and `once` of Node's `events`, which wait for what an emitter or a target of events tells.

type Listener = (...given: unknown[]) => void

function add(emitter: Loose, name: unknown, listener: Listener): () => void {
  if (typeof emitter?.on === 'function') {
    emitter.on(name, listener)
    return () => void emitter.removeListener(name, listener)
  }
  if (typeof emitter?.addEventListener !== 'function')
    throw wrongType('emitter', 'an instance of EventEmitter', emitter)
  emitter.addEventListener(name, listener)
  return () => void emitter.removeEventListener(name, listener)
}

function signalOf(options: unknown): AbortSignal | undefined {
  checkObject('options', options)
  const { signal } = options as Loose
  checkSignal('options.signal', signal)
  if (signal?.aborted) throw abortError(signal as AbortSignal)
  return signal as AbortSignal | undefined
}

/** Adds listeners, all of which go when the returned function is called. */
function listen(listeners: readonly (readonly [emitter: Loose, name: unknown, listener: Listener])[]): () => void {
  const stops = listeners.map(([emitter, name, listener]) => add(emitter, name, listener))
  return () => {
    for (const stop of stops) stop()
  }
}

/** The next event, and the first error before it. */
export async function once(emitter: Loose, name: unknown, options: unknown = {}): Promise<unknown[]> {
  const signal = signalOf(options)
  return new Promise((resolve, reject) => {
    const end = (work: () => void) => {
      stop()
      work()
    }
    const hears = typeof emitter?.on === 'function' && name !== 'error'
    const stop = listen([
      [emitter, name, (...given) => end(() => resolve(given))],
      ...(hears ? [[emitter, 'error', (error: unknown) => end(() => reject(error as Error))] as const] : []),
      ...(signal ? [[signal, 'abort', () => end(() => reject(abortError(signal)))] as const] : []),
    ])
  })
}

/** All events from now on, also those before the first is asked for. */
export function on(emitter: Loose, name: unknown, options: Loose = {}): Loose {
  const signal = signalOf(options)
  const seen: unknown[][] = []
  const waiting: { resolve(result: IteratorResult<unknown>): void; reject(error: unknown): void }[] = []
  let failure: { error: unknown } | undefined
  let isOver = false
  const over = { done: true, value: undefined } as const
  const end = (): void => {
    isOver = true
    stop()
    for (const one of waiting.splice(0)) one.resolve(over)
  }
  const fail = (error: unknown): void => {
    const first = waiting.shift()
    if (first) first.reject(error)
    else failure = { error }
    end()
  }
  const hear = (...given: unknown[]): void => {
    const first = waiting.shift()
    if (first) first.resolve({ done: false, value: given })
    else seen.push(given)
  }
  const stop = listen([
    [emitter, name, hear],
    ...(typeof emitter?.on === 'function' && name !== 'error' ? [[emitter, 'error', fail] as const] : []),
    ...((options.close ?? []) as unknown[]).map((closing) => [emitter, closing, end] as const),
    ...(signal ? [[signal, 'abort', () => fail(abortError(signal))] as const] : []),
  ])
  return {
    next(): Promise<IteratorResult<unknown>> {
      const value = seen.shift()
      if (value) return Promise.resolve({ done: false, value })
      if (failure) {
        const { error } = failure
        failure = undefined
        return Promise.reject(error as Error)
      }
      if (isOver) return Promise.resolve(over)
      return new Promise((resolve, reject) => void waiting.push({ resolve, reject }))
    },
    return(): Promise<IteratorResult<unknown>> {
      end()
      return Promise.resolve(over)
    },
    throw(error: unknown): void {
      if (!(error instanceof Error)) throw wrongType('EventEmitter.AsyncIterator', 'an instance of Error', error)
      fail(error)
    },
    [Symbol.asyncIterator](): unknown {
      return this
    },
  }
}
