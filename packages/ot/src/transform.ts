import { OperationBuilder } from './operation-builder.ts'
import { OperationError } from './operation-error.ts'
import { OperationReader } from './operation-reader.ts'
import { baseLength, noop, targetLength, type TextOperation } from './operation.ts'

/**
 * Rebases two operations made for the same text over each other, so that `a` then `bPrime` and `b` then `aPrime` give the
 * same text. `a` is the one being rebased (the client's): where both insert at one position, the text of `a` ends up left.
 * Linear in the components of both.
 * @throws OperationError LENGTH_MISMATCH when the operations were not made for the same length
 */
export function transform(a: TextOperation, b: TextOperation): [aPrime: TextOperation, bPrime: TextOperation] {
  if (a.length === 0) return [noop(targetLength(b)), b]
  if (b.length === 0) return [a, noop(targetLength(a))]
  if (baseLength(a) !== baseLength(b)) {
    throw new OperationError('LENGTH_MISMATCH', `One needs ${baseLength(a)} units, the other ${baseLength(b)}.`)
  }
  const left = new OperationReader(a)
  const right = new OperationReader(b)
  const aPrime = new OperationBuilder()
  const bPrime = new OperationBuilder()
  while (left.kind !== 'end' || right.kind !== 'end') {
    if (left.kind === 'insert') {
      bPrime.retain(left.remaining)
      aPrime.insert(left.take(left.remaining))
    } else if (right.kind === 'insert') {
      aPrime.retain(right.remaining)
      bPrime.insert(right.take(right.remaining))
    } else {
      const count = Math.min(left.remaining, right.remaining)
      if (left.kind === 'retain' && right.kind === 'retain') {
        aPrime.retain(count)
        bPrime.retain(count)
      } else if (left.kind === 'delete' && right.kind === 'retain') {
        aPrime.delete(count)
      } else if (left.kind === 'retain' && right.kind === 'delete') {
        bPrime.delete(count)
      }
      left.skip(count)
      right.skip(count)
    }
  }
  return [aPrime.build(), bPrime.build()]
}
