import type { DevServerClient, UndoGroup } from '@boxyard/dev-server-client'
import {
  getService,
  IModelService,
  INotificationService,
  ITextFileService,
  IUndoRedoService,
} from '@codingame/monaco-vscode-api'
import {
  Severity,
  type INotificationHandle,
} from '@codingame/monaco-vscode-api/vscode/vs/platform/notification/common/notification'
import { editor } from 'monaco-editor'
import { NO_ROOM_TEXT } from '../files/noRoomText.ts'
import { sayNoRoom } from '../files/sayNoRoom.ts'
import { report } from '../status/report.ts'
import { RemoteCursors } from './remoteCursors.ts'
import { askWhichText } from './askWhichText.ts'
import type { TextSync } from './textSync.ts'

export interface StartTextSyncOptions {
  client: Pick<DevServerClient, 'clients'>
  sync: TextSync
  undoGroup(path: string): UndoGroup
}

/** Binds the editor's models from now on, and shows where the others are. */
export async function startTextSync({ client, sync, undoGroup }: StartTextSyncOptions): Promise<void> {
  const undo = await getService(IUndoRedoService)
  const notifications = await getService(INotificationService)
  const textFiles = await getService(ITextFileService)
  let noRoom: INotificationHandle | undefined
  sayNoRoom(textFiles.files, () => noRoom?.close())
  const cursors = new RemoteCursors(client.clients)
  sync.onDidBind((binding) => cursors.add(binding))
  sync.start({
    models: await getService(IModelService),
    textFiles,
    undoGroup,
    forgetUndo: (model) => undo.removeElements(model.uri),
    onError: (message) => report('A file is not shared', new Error(message)),
    onOutOfSync: (file) => askWhichText(notifications, file),
    onNoRoom: () => {
      const shown = notifications.notify({ severity: Severity.Error, message: NO_ROOM_TEXT, sticky: true })
      noRoom = shown
      return () => shown.close()
    },
  })
  const follow = (one: editor.ICodeEditor) => cursors.follow(one, (model) => sync.bindings.get(model.uri.path))
  editor.onDidCreateEditor(follow)
  for (const one of editor.getEditors()) follow(one)
}
