import {
  getService,
  GroupDirection,
  GroupsOrder,
  IEditorGroupsService,
  IEditorService,
  IStorageService,
} from '@codingame/monaco-vscode-api'
import { EditorActivation } from '@codingame/monaco-vscode-api/vscode/vs/platform/editor/common/editor'
import { StorageScope, StorageTarget } from '@codingame/monaco-vscode-api/vscode/vs/platform/storage/common/storage'
import { editorsRestored } from '../startup/editorsRestored.ts'
import { newTabResource } from './newTabPane.tsx'

/** Whether somebody has closed it in this workspace and browser: then it does not come back by itself. */
const KEY = 'boxyard.newTabIsClosed'

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
export async function openFirstNewTab(): Promise<void> {
  const storage = await getService(IStorageService)
  const editors = await getService(IEditorService)
  const keep = (isClosed: boolean) => storage.store(KEY, isClosed, StorageScope.WORKSPACE, StorageTarget.MACHINE)
  if (!storage.getBoolean(KEY, StorageScope.WORKSPACE, false)) await openNewTab({ isAsked: false })
  const isOpen = () => editors.findEditors(newTabResource).length > 0
  editors.onDidEditorsChange(() => {
    if (isOpen() === storage.getBoolean(KEY, StorageScope.WORKSPACE, false)) keep(!isOpen())
  })
}
