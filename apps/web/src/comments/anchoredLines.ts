export interface CodeAnchor {
  /** The selection when the comment was made, in UTF-16 units of the text at that time. */
  anchor: number
  head: number
  /** What was selected. */
  code: string
}

/** The lines that a comment is about in the text as it is now: where the same text stands nearest to where it was. */
export function anchoredLines(
  text: string,
  { anchor, head, code }: CodeAnchor,
): { first: number; last: number } | undefined {
  const from = Math.min(anchor, head)
  if (code.trim() === '') {
    if (from > text.length) return undefined
    const line = lineAt(text, from)
    return { first: line, last: line }
  }
  let nearest = -1
  for (let at = text.indexOf(code); at !== -1; at = text.indexOf(code, at + 1))
    if (nearest === -1 || Math.abs(at - from) < Math.abs(nearest - from)) nearest = at
  if (nearest === -1) return undefined
  return { first: lineAt(text, nearest), last: lineAt(text, nearest + code.length) }
}

/** What a comment on these lines is about, from the first character of the first to the last of the last. */
export function anchorOfLines(text: string, { first, last }: { first: number; last: number }): CodeAnchor {
  const lines = text.split('\n')
  const anchor = lines.slice(0, first - 1).reduce((sum, line) => sum + line.length + 1, 0)
  const code = lines.slice(first - 1, last).join('\n')
  return { anchor, head: anchor + code.length, code }
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
