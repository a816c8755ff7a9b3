import type { ITextFileEditorModelManager } from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/textfile/common/textfiles'
import { NO_ROOM_TEXT } from './noRoomText.ts'

/**
 * Tells those who save on a full disk what is safe and what to do, and nothing else: the workbench lays the names of its own errors around
 * the words of a file system. `onSaid` is called first: the same need not stand there twice.
 */
export function sayNoRoom(files: Pick<ITextFileEditorModelManager, 'saveErrorHandler'>, onSaid: () => void): void {
  const usual = files.saveErrorHandler
  files.saveErrorHandler = {
    onSaveError(error, model, options) {
      const isFull = error.message.includes(NO_ROOM_TEXT)
      if (isFull) onSaid()
      usual.onSaveError(isFull ? new Error(NO_ROOM_TEXT) : error, model, options)
    },
  }
}
