import { getService, IEditorGroupsService, IEditorService } from '@codingame/monaco-vscode-api'
import type { Uri } from 'monaco-editor'
import { editorsRestored } from './editorsRestored.ts'

/**
 * Opens a file when no group has anything open: the browser knows a visit that was cut short before its first file was open from a first one, and
 * the workbench opens that file in a first one alone, although the page shows it before the editor does.
 */
export async function openWhenEmpty(file: Uri | undefined): Promise<void> {
  await editorsRestored()
  const { groups } = await getService(IEditorGroupsService)
  if (!file || groups.some(({ isEmpty }) => !isEmpty)) return
  const editors = await getService(IEditorService)
  await editors.openEditor({ resource: file, options: { pinned: true } }, groups[0]?.id)
}
