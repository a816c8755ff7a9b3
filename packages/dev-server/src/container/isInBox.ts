import { findOnPath } from '../findOnPath.ts'

/** Whether a program is there to be run. Names come from a repository: nothing but a plain word is looked for. */
export function isInBox(program: string, environment: Readonly<Record<string, string>>): boolean {
  if (!/^[\w.+-]+$/.test(program) || program.startsWith('-')) return false
  return findOnPath(program, environment['PATH']) !== undefined
}
