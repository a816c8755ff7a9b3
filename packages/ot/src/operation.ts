import { OperationBuilder } from './operation-builder.ts'
import { OperationError } from './operation-error.ts'

/**
 * A change of a text in wire form: a flat list over UTF-16 code units.
 * A positive number keeps that many units, a string is inserted, a negative number deletes that many.
 *
 * Canonical form: neighbours of one kind are merged, an insert stands before a delete at one position, and the list
 * covers the whole text (a trailing retain is written out). `[]` changes nothing and fits a text of any length.
 */
export type TextOperation = readonly (number | string)[]

/** Most components one operation may have. A replace-all in a large file stays below it. */
export const MAXIMUM_COMPONENTS = 1_000_000
/** Longest document, in UTF-16 code units, that operations may grow a text to. */
export const MAXIMUM_DOCUMENT_LENGTH = 5_000_000
/** Largest retain or delete: no engine holds a longer string. */
const MAXIMUM_COUNT = 2 ** 30

/**
 * Reads an operation from an untrusted value and returns its canonical form.
 * @throws OperationError MALFORMED, TOO_LARGE
 */
export function parseOperation(value: unknown): TextOperation {
  if (!Array.isArray(value)) throw new OperationError('MALFORMED', 'It is not a list.')
  if (value.length > MAXIMUM_COMPONENTS) throw new OperationError('TOO_LARGE', `It has ${value.length} components.`)
  const builder = new OperationBuilder()
  let inserted = 0
  let base = 0
  for (let index = 0; index < value.length; index += 1) {
    const component: unknown = value[index]
    if (typeof component === 'string') {
      if (component === '') throw new OperationError('MALFORMED', `Component ${index} is an empty text.`)
      inserted += component.length
      if (inserted > MAXIMUM_DOCUMENT_LENGTH) throw new OperationError('TOO_LARGE', 'It inserts too much text.')
      builder.insert(component)
    } else if (typeof component === 'number' && Number.isInteger(component) && component !== 0) {
      base += Math.abs(component)
      if (base > MAXIMUM_COUNT) throw new OperationError('TOO_LARGE', 'It covers too long a text.')
      if (component > 0) builder.retain(component)
      else builder.delete(-component)
    } else {
      throw new OperationError('MALFORMED', `Component ${index} is neither a text nor a whole number other than zero.`)
    }
  }
  return builder.build()
}

/** Length of the text that the operation applies to, in UTF-16 code units. */
export function baseLength(operation: TextOperation): number {
  let length = 0
  for (const component of operation) if (typeof component === 'number') length += Math.abs(component)
  return length
}

/** Length of the text after the operation, in UTF-16 code units. */
export function targetLength(operation: TextOperation): number {
  let length = 0
  for (const component of operation) {
    if (typeof component === 'string') length += component.length
    else if (component > 0) length += component
  }
  return length
}

/** Whether the (canonical) operation leaves every text as it is. */
export function isNoop(operation: TextOperation): boolean {
  return operation.length === 0 || (operation.length === 1 && typeof operation[0] === 'number' && operation[0] > 0)
}

/** The operation that changes nothing in a text of the given length. */
export function noop(length: number): TextOperation {
  return length === 0 ? [] : [length]
}

/**
 * The text after the operation.
 * @throws OperationError LENGTH_MISMATCH
 */
export function apply(text: string, operation: TextOperation): string {
  if (operation.length === 0) return text
  const length = baseLength(operation)
  if (length !== text.length) {
    throw new OperationError('LENGTH_MISMATCH', `It needs ${length} units, the text has ${text.length}.`)
  }
  const parts: string[] = []
  let position = 0
  for (const component of operation) {
    if (typeof component === 'string') parts.push(component)
    else if (component > 0) {
      parts.push(text.slice(position, position + component))
      position += component
    } else position -= component
  }
  return parts.join('')
}

/**
 * The operation that takes `apply(textBefore, operation)` back to `textBefore`.
 * @throws OperationError LENGTH_MISMATCH
 */
export function invert(operation: TextOperation, textBefore: string): TextOperation {
  if (operation.length === 0) return operation
  const length = baseLength(operation)
  if (length !== textBefore.length) {
    throw new OperationError('LENGTH_MISMATCH', `It needs ${length} units, the text has ${textBefore.length}.`)
  }
  const builder = new OperationBuilder()
  let position = 0
  for (const component of operation) {
    if (typeof component === 'string') builder.delete(component.length)
    else if (component > 0) {
      builder.retain(component)
      position += component
    } else {
      builder.insert(textBefore.slice(position, position - component))
      position -= component
    }
  }
  return builder.build()
}
