import { DevServerClientError, type FileSystemArea } from '@boxyard/dev-server-client'
import { ProtocolError } from '@boxyard/protocol'
import type { Uri } from 'monaco-editor'
import { boxUri } from '../files/boxUri.ts'
import type { WorkbenchProject } from '../index.ts'
import { readmeOf } from './readmeOf.ts'

/**
 * The editors of the first visit: the file that was asked for, the project's own, or the README. Later visits restore their own. The workbench asks the
 * box whether there is such a file before it makes the editor, unless it is `present`, which the page has the text of.
 */
export async function firstEditors(
  fs: Pick<FileSystemArea, 'readdir'>,
  { workspacePath, defaultFile }: Pick<WorkbenchProject, 'workspacePath' | 'defaultFile'>,
  { file, present }: { file: string | undefined; present: string | undefined },
): Promise<{ uri: Uri; viewColumn: number; openOnlyIfExists: boolean }[]> {
  const path = (file || defaultFile)?.replace(/^\/+/, '') || (await readme(fs, workspacePath))
  if (path === undefined) return []
  return [{ uri: boxUri(`${workspacePath}/${path}`), viewColumn: 1, openOnlyIfExists: path !== present }]
}

async function readme(fs: Pick<FileSystemArea, 'readdir'>, workspacePath: string): Promise<string | undefined> {
  try {
    return readmeOf(await fs.readdir(workspacePath))
  } catch (error) {
    // The workbench opens all the same: its explorer and its status bar say what is wrong.
    if (error instanceof ProtocolError || error instanceof DevServerClientError) return undefined
    throw error
  }
}
