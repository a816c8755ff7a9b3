import { cutBefore } from './OutputJoiner.ts'

export const SCROLLBACK_LINES = 10_000
/** UTF-16 units. */
export const SCROLLBACK_LENGTH = 1024 * 1024
/** Small pieces are joined up to this length, so that a million keystrokes do not make a million strings. */
const PIECE_LENGTH = 16 * 1024

interface Piece {
  text: string
  lines: number
}

/** The end of what a shell wrote: about 10,000 lines and 1 M units, whichever is less. Old output is dropped in whole pieces. */
export class Scrollback {
  #pieces: Piece[] = []
  #length = 0
  #lines = 0

  append(text: string): void {
    for (let start = 0; start < text.length;) {
      const end = cutBefore(text, start + PIECE_LENGTH)
      this.#add(text.slice(start, end))
      start = end
    }
    while (this.#pieces.length > 1) {
      const first = this.#pieces[0]!
      if (this.#length - first.text.length < SCROLLBACK_LENGTH && this.#lines - first.lines < SCROLLBACK_LINES) break
      this.#pieces.shift()
      this.#length -= first.text.length
      this.#lines -= first.lines
    }
  }

  clear(): void {
    this.#pieces = []
    this.#length = 0
    this.#lines = 0
  }

  text(): string {
    return lastLines(this.#pieces.map((piece) => piece.text).join(''), SCROLLBACK_LINES, SCROLLBACK_LENGTH)
  }

  #add(text: string): void {
    const lines = countLines(text)
    const last = this.#pieces.at(-1)
    if (last && last.text.length + text.length <= PIECE_LENGTH) {
      last.text += text
      last.lines += lines
    } else {
      this.#pieces.push({ text, lines })
    }
    this.#length += text.length
    this.#lines += lines
  }
}

function countLines(text: string): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

/**
 * The end of `text`, at most `lines` lines and `length` units. It begins at the start of a line where there is one, because a
 * cut inside a line may be a cut inside an escape sequence.
 */
export function lastLines(text: string, lines: number, length: number): string {
  let start = 0
  if (text.length > length) {
    const from = text.length - length
    const newline = text.indexOf('\n', from)
    start = newline === -1 || newline === text.length - 1 ? cutBefore(text, from) : newline + 1
  }
  let at = text.endsWith('\n') ? text.length - 1 : text.length
  for (let count = 0; count < lines; count++) {
    at = at <= 0 ? -1 : text.lastIndexOf('\n', at - 1)
    if (at < start) return text.slice(start)
  }
  return text.slice(at + 1)
}
