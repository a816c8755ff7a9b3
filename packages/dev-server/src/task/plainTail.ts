/** Escape sequences: CSI, OSC and the other string sequences, and the short ones. */
const escapes =
  // The control characters are what this is about.
  new RegExp(
    [
      '\\u001B\\[[0-?]*[ -/]*[@-~]',
      '\\u001B[\\]PX^_][^\\u0007\\u001B]*(?:\\u0007|\\u001B\\\\)?',
      '\\u001B[ -/]*[0-~]',
      '[\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F]',
    ].join('|'),
    'g',
  )

/** The last lines of terminal output as plain text: without escape sequences, and with what a carriage return wrote over. */
export function plainTail(output: string, lines: number): string {
  return output
    .slice(-64 * 1024)
    .replace(escapes, '')
    .split('\n')
    .map((line) => line.replace(/\r+$/, '').split('\r').at(-1) ?? '')
    .join('\n')
    .trimEnd()
    .split('\n')
    .slice(-lines)
    .join('\n')
}
