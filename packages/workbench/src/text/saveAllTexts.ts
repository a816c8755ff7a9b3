import type { IEditorService, ITextFileService } from '@codingame/monaco-vscode-api'
import { TextFileEditorModelState } from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/textfile/common/textfiles'
import type { TextSync } from './textSync.ts'

export interface TextsToSave {
  editors: Pick<IEditorService, 'saveAll'>
  files: Pick<ITextFileService['files'], 'models'>
  texts: Pick<TextSync, 'saveAll'>
}

/**
 * Saves every text as its formatter wants it. A save that is under way, as one that began when the person left the editor, refuses
 * others while it formats: it is waited for.
 */
export async function saveAllTexts({ editors, files, texts }: TextsToSave): Promise<void> {
  await Promise.all(files.models.map((model) => model.joinState(TextFileEditorModelState.PENDING_SAVE)))
  await editors.saveAll()
  await texts.saveAll()
}
