import { baseLength, diff, noop, targetLength, type TextOperation } from '@boxyard/ot'

/** One replaced stretch of a text, by offsets in UTF-16 units of the text before the whole change. */
export interface TextEdit {
  start: number
  end: number
  text: string
}

/** What the editor says about one replaced stretch. */
export interface ModelContentChange {
  rangeOffset: number
  rangeLength: number
  text: string
}

/**
 * The operation for a change of the editor's model, in wire form. `before` is the text before it. Merged events of the editor
 * can be sequential instead of parallel, and some replace the whole text; an operation that does not lead from one text to
 * the other is replaced by the difference of the two.
 */
export function changesToOperation(
  changes: readonly ModelContentChange[],
  before: string,
  after: { length: number; read(): string },
): TextOperation {
  const sorted = changes.toSorted((a, b) => a.rangeOffset - b.rangeOffset)
  const wholeText = sorted.length === 1 && sorted[0]?.rangeLength === before.length && before.length > 0
  const parallel = sorted.every((change, index) => {
    const next = sorted[index + 1]
    return change.rangeOffset + change.rangeLength <= (next?.rangeOffset ?? before.length)
  })
  if (parallel && !wholeText) {
    const operation = editsToOperation(
      sorted.map(({ rangeOffset, rangeLength, text }) => ({
        start: rangeOffset,
        end: rangeOffset + rangeLength,
        text,
      })),
      before.length,
    )
    if (baseLength(operation) === before.length && targetLength(operation) === after.length) return operation
  }
  return diff(before, after.read())
}

/** The edits must be sorted and apart. */
export function editsToOperation(edits: readonly TextEdit[], length: number): TextOperation {
  const operation: (number | string)[] = []
  const add = (component: number | string) => {
    const last = operation.at(-1)
    if (component === 0 || component === '') return
    if (typeof component === 'string' && typeof last === 'number' && last < 0) {
      // Canonical form: an insert stands before a delete at one position.
      const before = operation.at(-2)
      if (typeof before === 'string') operation[operation.length - 2] = before + component
      else operation.splice(-1, 0, component)
    } else if (typeof component === 'string' && typeof last === 'string')
      operation[operation.length - 1] = last + component
    else if (typeof component === 'number' && typeof last === 'number' && Math.sign(component) === Math.sign(last)) {
      operation[operation.length - 1] = last + component
    } else operation.push(component)
  }
  let position = 0
  for (const { start, end, text } of edits) {
    add(start - position)
    add(text)
    add(start - end)
    position = end
  }
  add(length - position)
  return operation.length === 0 ? noop(length) : operation
}

/** The stretches that an operation replaces, the first one first. */
export function operationToEdits(operation: TextOperation): TextEdit[] {
  const edits: TextEdit[] = []
  let position = 0
  for (const component of operation) {
    if (typeof component === 'number' && component > 0) {
      position += component
      continue
    }
    const last = edits.at(-1)
    const edit = last && last.end === position ? last : { start: position, end: position, text: '' }
    if (edit !== last) edits.push(edit)
    if (typeof component === 'string') edit.text += component
    else {
      position -= component
      edit.end = position
    }
  }
  return edits
}
