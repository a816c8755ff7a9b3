const ESCAPE = String.fromCharCode(27)
const BELL = String.fromCharCode(7)
/** The escape sequences of terminals: those with parameters, titles and links up to their end, and the short ones. */
const SEQUENCES = new RegExp(
  `${ESCAPE}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)?|[ -/]*[0-~])`,
  'g',
)

/** The last lines of a terminal's output, as plain text: colors gone, overwritten lines as they ended. */
export function tailText(output: string, lines: number): string[] {
  return output
    .replace(SEQUENCES, '')
    .split(/\r?\n/)
    .map((line) => line.split('\r').findLast((part) => part !== '') ?? '')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .slice(-lines)
}
