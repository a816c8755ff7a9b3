import { getService, IEditorGroupsService, IEditorService, IWorkbenchLayoutService } from '@codingame/monaco-vscode-api'
import type { Uri } from 'monaco-editor'

/**
 * Opens a file when no group has anything open. The browser keeps what is open a moment after it has changed, so a visit that is cut short
 * leaves an empty editor to the next one, although the page shows the file before the editor does.
 */
export async function openWhenEmpty(file: Uri | undefined): Promise<void> {
  const layout = await getService(IWorkbenchLayoutService)
  await layout.whenRestored
  const { groups } = await getService(IEditorGroupsService)
  if (!file || groups.some(({ isEmpty }) => !isEmpty)) return
  const editors = await getService(IEditorService)
  await editors.openEditor({ resource: file, options: { pinned: true } }, groups[0]?.id)
}
