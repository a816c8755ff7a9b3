import { OperationBuilder } from './operation-builder.ts'
import { OperationError } from './operation-error.ts'
import { OperationReader } from './operation-reader.ts'
import type { TextOperation } from './operation.ts'

/**
 * One operation with the effect of `first` and then `second`. Linear in the components of both.
 * @throws OperationError LENGTH_MISMATCH when `second` does not fit the text after `first`
 */
export function compose(first: TextOperation, second: TextOperation): TextOperation {
  if (first.length === 0) return second
  if (second.length === 0) return first
  const a = new OperationReader(first)
  const b = new OperationReader(second)
  const result = new OperationBuilder()
  while (a.kind !== 'end' || b.kind !== 'end') {
    if (a.kind === 'delete') {
      result.delete(a.remaining)
      a.skip(a.remaining)
    } else if (b.kind === 'insert') {
      result.insert(b.take(b.remaining))
    } else if (a.kind === 'end' || b.kind === 'end') {
      throw new OperationError('LENGTH_MISMATCH', 'The second operation does not follow the first.')
    } else {
      const count = Math.min(a.remaining, b.remaining)
      if (a.kind === 'insert') {
        if (b.kind === 'retain') result.insert(a.take(count))
        else a.skip(count)
      } else {
        if (b.kind === 'retain') result.retain(count)
        else result.delete(count)
        a.skip(count)
      }
      b.skip(count)
    }
  }
  return result.build()
}
