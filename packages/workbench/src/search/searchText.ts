import type { SearchOptions } from '@boxyard/dev-server-client'

/** What the search box asks for. */
export interface SearchPattern {
  pattern: string
  isRegExp?: boolean
  isWordMatch?: boolean
  isCaseSensitive?: boolean
}

/** The search box's question in the dev server's terms. */
export function searchOptions({ pattern, isRegExp, isWordMatch, isCaseSensitive }: SearchPattern): SearchOptions {
  const source = isRegExp ? pattern : pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return {
    text: isWordMatch ? `\\b(?:${source})\\b` : pattern,
    isRegex: isWordMatch === true || isRegExp === true,
    caseSensitivity: isCaseSensitive ? 'enabled' : 'disabled',
  }
}

/** The UTF-16 column of a UTF-8 byte offset in a line, both counted from 0. An offset past the end is the end. */
export function columnOf(line: string, byteOffset: number): number {
  let bytes = 0
  let column = 0
  for (const character of line) {
    if (bytes >= byteOffset) break
    const code = character.codePointAt(0) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
    column += character.length
  }
  return column
}
