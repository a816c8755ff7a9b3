import legacy from 'util/util.js'
import * as inspecting from 'node-inspect-extracted'
import type { Loose } from '../loose.ts'

const PROMISIFIED = Symbol.for('nodejs.util.promisify.custom')
const { inspect, format, formatWithOptions, stripVTControlCharacters } = inspecting as Loose

function promisify(work: Loose): Loose {
  if (typeof work !== 'function')
    throw Object.assign(new TypeError('The "original" argument must be of type function.'), {
      code: 'ERR_INVALID_ARG_TYPE',
    })
  if (work[PROMISIFIED]) return work[PROMISIFIED]
  const promised = function (this: unknown, ...given: unknown[]) {
    return new Promise((resolve, reject) => {
      work.call(this, ...given, (error: unknown, value: unknown) => (error ? reject(error as Error) : resolve(value)))
    })
  }
  return Object.defineProperties(
    Object.setPrototypeOf(promised, Object.getPrototypeOf(work) as object),
    Object.getOwnPropertyDescriptors(work),
  )
}
promisify.custom = PROMISIFIED

function styleText(format: string | readonly string[], text: string): string {
  return [format].flat().reduce((styled, name) => {
    const codes: readonly [number, number] | undefined = inspect.colors[name]
    return codes ? `\u001b[${codes[0]}m${styled}\u001b[${codes[1]}m` : styled
  }, text)
}

function isDeepStrictEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false
  if (a instanceof Date) return a.getTime() === (b as Date).getTime()
  if (a instanceof Map || a instanceof Set) return isDeepStrictEqual([...a], [...(b as Set<unknown>)])
  const names = Reflect.ownKeys(a)
  if (names.length !== Reflect.ownKeys(b).length) return false
  return names.every((name) => Object.hasOwn(b, name) && isDeepStrictEqual((a as Loose)[name], (b as Loose)[name]))
}

function debuglog(section: string): Loose {
  const wanted = String((globalThis as Loose).process.env.NODE_DEBUG ?? '')
    .toLowerCase()
    .split(',')
    .includes(section.toLowerCase())
  const log = (...given: unknown[]) => {
    if (wanted)
      console.error(`${section.toUpperCase()} ${String((globalThis as Loose).process.pid)}: ${format(...given)}`)
  }
  return Object.assign(log, { enabled: wanted })
}

/** Node's `util`. */
export const util: Loose = {
  ...(legacy as object),
  inspect,
  format,
  formatWithOptions,
  stripVTControlCharacters,
  promisify,
  styleText,
  isDeepStrictEqual,
  debuglog,
  debug: debuglog,
  TextEncoder,
  TextDecoder,
  aborted: (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal.aborted) resolve()
      else signal.addEventListener('abort', () => resolve())
    }),
  getSystemErrorName: (errno: number) => `Unknown system error ${errno}`,
}
util.types = { ...(legacy as Loose).types, isExternal: () => false, isProxy: () => false }
