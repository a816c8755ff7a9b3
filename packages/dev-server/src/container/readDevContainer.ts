import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../fs/errno.ts'
import { DEV_CONTAINER_FILES, parseDevContainer, type DevContainer } from './devContainer.ts'

/** The dev container that the workspace describes, if any. Throws an Error that says what is wrong with it. */
export async function readDevContainer(workspace: string): Promise<DevContainer | undefined> {
  for (const file of DEV_CONTAINER_FILES) {
    try {
      return parseDevContainer(await readFile(join(workspace, file), 'utf8'))
    } catch (error) {
      if (!hasCode(error, 'ENOENT', 'ENOTDIR')) throw error
    }
  }
  return undefined
}
