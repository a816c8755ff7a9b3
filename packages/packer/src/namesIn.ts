import { readdir } from 'node:fs/promises'
import { unlessMissing } from './unlessMissing.ts'

/** What stands in a folder; nothing when there is none. */
export async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(unlessMissing)) ?? []
}
