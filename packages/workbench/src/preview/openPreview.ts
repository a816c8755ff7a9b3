import type { DevServerClient } from '@boxyard/dev-server-client'
import {
  getService,
  GroupDirection,
  GroupsOrder,
  IEditorGroupsService,
  IEditorService,
} from '@codingame/monaco-vscode-api'
import { EditorActivation } from '@codingame/monaco-vscode-api/vscode/vs/platform/editor/common/editor'
import { editorsRestored } from '../startup/editorsRestored.ts'
import { previewResource } from './previewPane.tsx'
import { defaultPreviewPort, taskOfPort } from './previewState.ts'

/** Shows a port in the second column, pinned, without taking the focus from the code. */
export async function openPreview(port: number): Promise<void> {
  const editors = await getService(IEditorService)
  const groups = await getService(IEditorGroupsService)
  await editorsRestored()
  const [first, second] = groups.getGroups(GroupsOrder.GRID_APPEARANCE)
  if (!first) return
  const column = second ?? groups.addGroup(first, GroupDirection.RIGHT)
  const options = { pinned: true, preserveFocus: true, activation: EditorActivation.PRESERVE }
  await editors.openEditor({ resource: previewResource(port), options }, column)
  // Files open beside a locked group, so that they do not cover the preview.
  column.lock(true)
}

/** Opens the preview by itself once: the port that a task names at once, any other when a task opens it. */
export async function openPreviewWhenServed({ tasks, ports }: Pick<DevServerClient, 'tasks' | 'ports'>): Promise<void> {
  await Promise.all([tasks.ready, ports.ready])
  const port = defaultPreviewPort(tasks.all)
  if (port !== undefined) return openPreview(port)
  const served = new Promise<number>((resolve) => {
    const subscription = ports.onDidChange(({ opened }) => {
      const own = opened.find((open) => taskOfPort(open.port, tasks.all))
      if (!own) return
      subscription.dispose()
      resolve(own.port)
    })
  })
  await openPreview(await served)
}
