/** What Vue's compiler, and those it uses, say that is wrong. */
interface Failure {
  message?: string
  /** Without its place and its frame. */
  reason?: string
  /** Of templates and tags: both from 1, in the component. Of scripts: in their block. */
  loc?: { start?: { line: number; column: number }; line?: number; column?: number }
  /** Of styles: both from 1, in their block. */
  line?: number
  column?: number
}

/** A line of a frame in a message: its number and its text, or the mark below the place. */
const FRAME_LINE = /^(\d+)\s*\|  (.*)$/
const MARK = /^\s*\|  (\s*)\^/

/** The same as an error whose `start` is a place in the component, with the column from 0. `first`: the line that the block begins on. */
export function vueFailure(error: unknown, first = 1): Error {
  const { message = String(error), reason, loc, line, column } = error as Failure
  if (loc?.start) return placed(message, loc.start.line, loc.start.column - 1)
  if (reason !== undefined && line !== undefined) return placed(reason, first + line - 1, (column ?? 1) - 1)
  // Of a script the place is only told by the frame below the message.
  const lines = message.split('\n')
  const marked = lines.flatMap((one, index) => {
    const [, number, text = ''] = FRAME_LINE.exec(lines[index - 1] ?? '') ?? []
    const column = MARK.exec(one)?.[1]!.length
    return number === undefined || column === undefined ? [] : [{ line: Number(number), column, text }]
  })
  // What begins behind the end of a line means the next one.
  const place = marked.find((one) => one.column < one.text.length) ?? marked[0]
  return placed(message, place?.line, place?.column)
}

function placed(message: string, line?: number, column = 0): Error {
  return Object.assign(new Error(message.split('\n')[0]), line === undefined ? {} : { start: { line, column } })
}
