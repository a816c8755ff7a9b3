import * as fc from 'fast-check'
import { OperationBuilder } from './operation-builder.ts'
import type { TextOperation } from './operation.ts'

/** Short texts over few characters, so that random changes meet often. */
export const anyText = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', '\n', 'é', '界'), maxLength: 30 })

const step = fc.oneof(
  fc.record({ kind: fc.constantFrom('retain' as const, 'delete' as const), count: fc.integer({ min: 1, max: 8 }) }),
  fc.record({ kind: fc.constant('insert' as const), text: fc.string({ minLength: 1, maxLength: 4 }) }),
)

/** A canonical operation for a text of the given length. */
export function anyOperation(length: number): fc.Arbitrary<TextOperation> {
  return fc.array(step, { maxLength: 10 }).map((steps) => {
    const builder = new OperationBuilder()
    let left = length
    for (const one of steps) {
      if (one.kind === 'insert') {
        builder.insert(one.text)
      } else {
        const count = Math.min(left, one.count)
        left -= count
        if (one.kind === 'retain') builder.retain(count)
        else builder.delete(count)
      }
    }
    return builder.retain(left).build()
  })
}
