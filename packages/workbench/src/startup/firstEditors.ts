import type { FileSystemArea } from '@boxyard/dev-server-client'
import { ProtocolError } from '@boxyard/protocol'
import { Uri } from 'monaco-editor'
import type { WorkbenchProject } from '../index.ts'
import { firstFile } from './firstFile.ts'

/** The editors of the first visit; later visits restore their own. */
export async function firstEditors(
  fs: Pick<FileSystemArea, 'readdir'>,
  { workspacePath, defaultFile }: Pick<WorkbenchProject, 'workspacePath' | 'defaultFile'>,
): Promise<{ uri: Uri; viewColumn: number; openOnlyIfExists: boolean }[]> {
  try {
    const path = firstFile(defaultFile, await fs.readdir(workspacePath))
    return path === undefined
      ? []
      : [{ uri: Uri.file(`${workspacePath}/${path}`), viewColumn: 1, openOnlyIfExists: true }]
  } catch (error) {
    // The explorer shows what is wrong with the folder.
    if (error instanceof ProtocolError) return []
    throw error
  }
}
