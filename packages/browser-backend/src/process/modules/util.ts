import { isDeepStrictEqual } from 'assert/build/internal/util/comparisons.js'
import legacy from 'util/util.js'
import * as inspecting from 'node-inspect-extracted'
import { codedError, systemName } from '../nodeError.ts'
import { checkInteger, outOfRange } from './check.ts'
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

/** Codes of what was told to be going away. */
const told = new Set<string>()

function deprecate(work: Loose, message: string, code?: string): Loose {
  if (code !== undefined && typeof code !== 'string')
    throw codedError('ERR_INVALID_ARG_TYPE', 'The "code" argument must be of type string.', TypeError)
  let isTold = false
  const deprecated = function (this: unknown, ...given: unknown[]): unknown {
    if (!isTold) {
      isTold = true
      if (code === undefined || !told.has(code))
        (globalThis as Loose).process.emitWarning(message, 'DeprecationWarning', code)
      if (code !== undefined) told.add(code)
    }
    return new.target ? Reflect.construct(work, given, new.target) : work.apply(this, given)
  }
  Object.setPrototypeOf(deprecated, work)
  if (work.prototype) deprecated.prototype = work.prototype
  return deprecated
}

function inherits(made: Loose, base: Loose): void {
  for (const [name, given] of [
    ['ctor', made],
    ['superCtor', base],
  ] as const)
    if (typeof given !== 'function')
      throw codedError('ERR_INVALID_ARG_TYPE', `The "${name}" argument must be of type function.`, TypeError)
  if (base.prototype === undefined)
    throw codedError('ERR_INVALID_ARG_TYPE', 'The "superCtor.prototype" property must be of type object.', TypeError)
  Object.defineProperty(made, 'super_', { value: base, writable: true, configurable: true })
  Object.setPrototypeOf(made.prototype, base.prototype)
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
  deprecate,
  inherits,
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
  getSystemErrorName: (errno: unknown) => {
    checkInteger('err', errno)
    if ((errno as number) >= 0) throw outOfRange('err', 'a negative integer', errno)
    return systemName(errno as number)
  },
}
util.types = { ...(legacy as Loose).types, isExternal: () => false, isProxy: () => false }
