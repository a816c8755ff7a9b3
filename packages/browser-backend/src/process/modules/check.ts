import { inspect } from 'node-inspect-extracted'
import { codedError } from '../nodeError.ts'
import { Buffer } from './buffer.ts'
import { received } from './received.ts'

// What Node says to whoever gives it something else than it takes.

/** `kind`: as it stands behind "must be". */
export const wrongType = (name: string, kind: string, given: unknown): Error =>
  codedError(
    'ERR_INVALID_ARG_TYPE',
    `The "${name}" ${name.includes('.') ? 'property' : 'argument'} must be ${kind}.${received(given)}`,
    TypeError,
  )
export const wrongValue = (name: string, given: unknown, reason = 'is invalid'): Error =>
  codedError(
    'ERR_INVALID_ARG_VALUE',
    `The ${name.includes('.') ? 'property' : 'argument'} '${name}' ${reason}. Received ${shortened(inspect(given))}`,
    TypeError,
  )
const shortened = (text: string): string => (text.length > 128 ? `${text.slice(0, 128)}...` : text)

export const outOfRange = (name: string, range: string, given: unknown): Error =>
  codedError(
    'ERR_OUT_OF_RANGE',
    `The value of "${name}" is out of range. It must be ${range}. Received ${counted(given)}`,
    RangeError,
  )
/** Large numbers have their thousands marked. */
function counted(given: unknown): string {
  if (typeof given === 'bigint') return `${grouped(String(given))}n`
  if (typeof given === 'number' && Number.isInteger(given) && Math.abs(given) > 2 ** 32) return grouped(String(given))
  return typeof given === 'number' ? String(given) : inspect(given)
}
const grouped = (digits: string): string => digits.replaceAll(/\B(?=(?:\d{3})+$)/g, '_')

export function checkInteger(
  name: string,
  given: unknown,
  least: number = Number.MIN_SAFE_INTEGER,
  most: number = Number.MAX_SAFE_INTEGER,
): void {
  if (typeof given !== 'number') throw wrongType(name, 'of type number', given)
  if (!Number.isInteger(given)) throw outOfRange(name, 'an integer', given)
  if (given < least || given > most) throw outOfRange(name, `>= ${least} && <= ${most}`, given)
}

export function checkFunction(name: string, given: unknown): void {
  if (typeof given !== 'function') throw wrongType(name, 'of type function', given)
}
export function checkBoolean(name: string, given: unknown): void {
  if (typeof given !== 'boolean') throw wrongType(name, 'of type boolean', given)
}
export function checkString(name: string, given: unknown): void {
  if (typeof given !== 'string') throw wrongType(name, 'of type string', given)
}
export function checkObject(name: string, given: unknown): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw wrongType(name, 'of type object', given)
}
export function checkArray(name: string, given: unknown): void {
  if (!Array.isArray(given)) throw wrongType(name, 'an instance of Array', given)
}
export function checkSignal(name: string, given: unknown): void {
  if (given === undefined || (typeof given === 'object' && given !== null && 'aborted' in given)) return
  throw wrongType(name, 'an instance of AbortSignal', given)
}
export function checkEncoding(encoding: unknown): void {
  if (encoding && encoding !== 'buffer' && !Buffer.isEncoding(encoding as string))
    throw wrongValue('encoding', encoding, 'is invalid encoding')
}

/** The bytes of a view, not a copy of them. */
export const viewed = (given: ArrayBufferView): Uint8Array =>
  new Uint8Array(given.buffer, given.byteOffset, given.byteLength)

export const abortError = (signal: AbortSignal): Error =>
  Object.assign(new Error('The operation was aborted', { cause: signal.reason }), {
    code: 'ABORT_ERR',
    name: 'AbortError',
  })
