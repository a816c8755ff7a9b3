import { stripVTControlCharacters } from 'node:util'

/** What zsh writes before each prompt: a mark, and as many spaces as take it to the next line unless it stands at the beginning of one, where it is written over. */
// eslint-disable-next-line no-control-regex
const MARK = /(\x1b\[1m\x1b\[7m[%#]\x1b\[27m\x1b\[1m\x1b\[0m) {7,}\r \r/g
/** Output of zsh that is shown anew means the same in a terminal of another width: the spaces of its marks are counted for the width of then. */
export function settleLineEnds(output: string): string {
  return output.replace(MARK, (_, mark: string, at: number) => {
    // Escape sequences take no room.
    const before = stripVTControlCharacters(output.slice(Math.max(0, at - 1000), at))
    const isAtBeginning = before === '' || before.endsWith('\n') || before.endsWith('\r')
    return isAtBeginning ? '' : `${mark}\r\n`
  })
}
