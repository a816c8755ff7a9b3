export interface Position {
  line: number
  /** UTF-16 units. */
  character: number
}

export interface TextChange {
  range: { start: Position; end: Position }
  text: string
}

/** The smallest one piece that makes `before` into `after`; null when they are the same. */
export function textChange(before: string, after: string): TextChange | null {
  if (before === after) return null
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start += 1
  let kept = 0
  while (kept < shorter - start && before[before.length - 1 - kept] === after[after.length - 1 - kept]) kept += 1
  // Neither half of a surrogate pair nor of a line break is cut off.
  if (start > 0 && isInside(before, after, start)) start -= 1
  if (kept > 0 && (isInside(before, before, before.length - kept) || isInside(after, after, after.length - kept))) {
    kept -= 1
  }
  return {
    range: { start: positionAt(before, start), end: positionAt(before, before.length - kept) },
    text: after.slice(start, after.length - kept),
  }
}

const isPairAt = (text: string, at: number): boolean =>
  /^(?:[\uD800-\uDBFF][\uDC00-\uDFFF]|\r\n)/.test(text.slice(at - 1, at + 1))

function isInside(one: string, other: string, at: number): boolean {
  return isPairAt(one, at) || isPairAt(other, at)
}

function positionAt(text: string, offset: number): Position {
  let line = 0
  let lineStart = 0
  for (const { 0: lineBreak, index } of text.slice(0, offset).matchAll(/\r\n|\r|\n/g)) {
    line += 1
    lineStart = index + lineBreak.length
  }
  return { line, character: offset - lineStart }
}
