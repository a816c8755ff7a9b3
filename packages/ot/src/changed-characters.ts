import type { TextOperation } from './operation.ts'

/** The characters that an operation inserts into a text and deletes from it, from left to right. */
export function changedCharacters(operation: TextOperation, before: string): { inserted: string[]; deleted: string[] } {
  const inserted: string[] = []
  const deleted: string[] = []
  let position = 0
  for (const component of operation) {
    if (typeof component === 'string') inserted.push(...component)
    else {
      if (component < 0) deleted.push(...before.slice(position, position - component))
      position += Math.abs(component)
    }
  }
  return { inserted, deleted }
}
