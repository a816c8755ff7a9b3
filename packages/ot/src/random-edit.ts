import { OperationBuilder } from './operation-builder.ts'
import type { TextOperation } from './operation.ts'

/** An edit of a text of this length: inserts, deletes and replaces, at one place or, sometimes, at several. `type` gives new text. */
export function randomEdit(length: number, random: () => number, type: (count: number) => string): TextOperation {
  const below = (limit: number) => Math.floor(random() * limit)
  const builder = new OperationBuilder()
  const parts = random() < 0.2 ? 2 + below(3) : 1
  let left = length
  for (let part = 0; part < parts; part += 1) {
    const retain = below(left + 1)
    builder.retain(retain)
    left -= retain
    const choice = random()
    if (choice < 0.65) builder.insert(type(1 + below(3)))
    if (choice > 0.5) {
      const count = Math.min(left, 1 + below(random() < 0.2 ? 12 : 4))
      builder.delete(count)
      left -= count
    }
  }
  return builder.retain(left).build()
}
