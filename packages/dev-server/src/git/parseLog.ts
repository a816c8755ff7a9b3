import type { GitCommit } from '@boxyard/protocol'

/** For `git log -z`. */
export const LOG_FORMAT = '--format=%H%x1f%aI%x1f%an%x1f%B'

/** Parses the output of a log in LOG_FORMAT. */
export function parseLog(output: string): GitCommit[] {
  return output
    .split('\0')
    .filter((record) => record !== '')
    .map((record) => {
      const [hash = '', date = '', author = '', ...message] = record.split('\u001F')
      return { hash, date, author, message: message.join('\u001F').trimEnd() }
    })
}
