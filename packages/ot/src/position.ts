import type { TextOperation } from './operation.ts'

/** Which side of text inserted exactly at a position the position stays on. */
export type Bias = 'left' | 'right'

/** A selection by offsets in UTF-16 code units. `anchor` is where it began, `head` is where the caret stands. */
export interface Selection {
  anchor: number
  head: number
}

/** Where an offset of the text before the operation lies in the text after it. An offset past the end stays at the end. */
export function transformPosition(offset: number, operation: TextOperation, bias: Bias): number {
  let before = 0
  let after = 0
  for (const component of operation) {
    if (before > offset || (before === offset && bias === 'left')) break
    if (typeof component === 'string') after += component.length
    else if (component > 0) {
      const count = Math.min(component, offset - before)
      after += count
      if (count < component) return after
      before += component
    } else {
      before -= component
    }
  }
  return operation.length === 0 ? offset : after
}

/** A caret at the end of each change that the operation makes, in the text after it. */
export function caretsAfter(operation: TextOperation): Selection[] {
  const carets: Selection[] = []
  let position = 0
  let isChanged = false
  for (const component of operation) {
    if (typeof component === 'number' && component > 0) {
      if (isChanged) carets.push({ anchor: position, head: position })
      isChanged = false
      position += component
    } else {
      if (typeof component === 'string') position += component.length
      isChanged = true
    }
  }
  if (isChanged) carets.push({ anchor: position, head: position })
  return carets
}

/**
 * Moves a selection with its text. A caret stays left of text inserted at it (text typed there later goes left, too);
 * a selected range does not take in text inserted at its edges.
 */
export function transformSelection(selection: Selection, operation: TextOperation): Selection {
  const { anchor, head } = selection
  if (anchor === head) {
    const caret = transformPosition(head, operation, 'left')
    return { anchor: caret, head: caret }
  }
  return {
    anchor: transformPosition(anchor, operation, anchor < head ? 'right' : 'left'),
    head: transformPosition(head, operation, head < anchor ? 'right' : 'left'),
  }
}
