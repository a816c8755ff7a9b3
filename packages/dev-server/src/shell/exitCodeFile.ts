import { readFileSync } from 'node:fs'

/**
 * What is told as the exit code of a program whose code nobody knows: one that was taken over from another dev server, whose child it was,
 * and that bash could not say it of. No program ends with it.
 */
export const UNKNOWN_EXIT_CODE = -1

/** A line of bash that leaves the exit code of its shell in `path`, unless that ends by force, becomes another program or sets a trap of its own. */
export function leaveExitCode(path: string): string {
  return `trap ${quote(`echo $? 2>/dev/null >${quote(path)}`)} EXIT`
}

/** The code that was left there, or UNKNOWN_EXIT_CODE. */
export function readExitCode(path: string): number {
  try {
    return Number(/^(\d{1,3})\n$/.exec(readFileSync(path, 'latin1'))?.[1] ?? UNKNOWN_EXIT_CODE)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return UNKNOWN_EXIT_CODE
    throw error
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
