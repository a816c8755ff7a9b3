import { accessSync, constants, statSync } from 'node:fs'
import { join } from 'node:path'

/** Where a program is, without running it; undefined when it is nowhere on PATH. */
export function findOnPath(name: string, path: string | undefined): string | undefined {
  return (path ?? '')
    .split(':')
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, name))
    .find(isProgram)
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
