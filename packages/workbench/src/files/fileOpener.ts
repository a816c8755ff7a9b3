import { getService, IEditorService } from '@codingame/monaco-vscode-api'
import type { Position } from '../index.ts'
import { editorsRestored } from '../startup/editorsRestored.ts'
import { boxUri } from './boxUri.ts'

/** Opens files by their path, relative to the workspace or absolute, on top of what the last visit left open. */
export function fileOpener(workspacePath: string): (path: string, position?: Position) => Promise<void> {
  return async (path, position) => {
    await editorsRestored()
    const editors = await getService(IEditorService)
    const selection = position && { startLineNumber: position.line, startColumn: position.column }
    const resource = boxUri(path.startsWith('/') ? path : `${workspacePath}/${path}`)
    await editors.openEditor({ resource, options: { pinned: true, ...(selection && { selection }) } })
  }
}
