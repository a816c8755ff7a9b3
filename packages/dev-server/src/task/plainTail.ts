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

/** What begins an empty screen: erasing it, erasing from its first place on, or a reset of the terminal. */
const cleared = new RegExp(['\\u001B\\[[23]J', '\\u001B\\[(?:[01];[01])?H\\u001B\\[0?J', '\\u001Bc'].join('|'))

/**
 * The last lines of terminal output as plain text: what is on the screen since it was cleared, without escape sequences and without
 * what was written over after a carriage return. Several blank lines become one.
 */
export function plainTail(output: string, lines: number): string {
  const screen =
    output
      .slice(-64 * 1024)
      .split(cleared)
      .at(-1) ?? ''
  return screen
    .replace(escapes, '')
    .split('\n')
    .map((line) => line.replace(/\r+$/, '').split('\r').at(-1) ?? '')
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '')
    .trimEnd()
    .split('\n')
    .slice(-lines)
    .join('\n')
}
