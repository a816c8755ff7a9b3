import {
  getService,
  GroupDirection,
  GroupsOrder,
  IEditorGroupsService,
  IEditorService,
} from '@codingame/monaco-vscode-api'
import { EditorActivation } from '@codingame/monaco-vscode-api/vscode/vs/platform/editor/common/editor'
import { editorsRestored } from '../startup/editorsRestored.ts'
import { newTabResource } from './newTabPane.tsx'

/**
 * Where the browser keeps that somebody has closed it in a workspace: then it does not come back by itself. What the workbench keeps is written a
 * little later, and would be lost with a page that is loaded again at once.
 */
const keyOf = (projectId: string) => `boxyard-new-tab-is-closed-${projectId}`

/** Shows the new tab in the second column. It takes the focus when it was asked for. */
export async function openNewTab({ isAsked }: { isAsked: boolean }): Promise<void> {
  await editorsRestored()
  const editors = await getService(IEditorService)
  const groups = await getService(IEditorGroupsService)
  const [first, second] = groups.getGroups(GroupsOrder.GRID_APPEARANCE)
  if (!first) return
  const column = second ?? groups.addGroup(first, GroupDirection.RIGHT)
  const options = isAsked
    ? { pinned: true }
    : { pinned: true, preserveFocus: true, inactive: true, activation: EditorActivation.PRESERVE }
  await editors.openEditor({ resource: newTabResource, options }, column)
  // Files open beside a locked group.
  column.lock(true)
}

/** Shows it at the beginning of a visit, unless it was closed in an earlier one: the workbench itself keeps files alone. */
export async function openFirstNewTab(projectId: string): Promise<void> {
  const editors = await getService(IEditorService)
  const key = keyOf(projectId)
  if (localStorage.getItem(key) === null) await openNewTab({ isAsked: false })
  const keep = () => {
    if (editors.findEditors(newTabResource).length > 0) localStorage.removeItem(key)
    else localStorage.setItem(key, '1')
  }
  editors.onDidEditorsChange(keep)
  editors.onDidCloseEditor(keep)
}
