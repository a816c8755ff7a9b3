import type { IDisposable } from '@codingame/monaco-vscode-api/vscode/vs/base/common/lifecycle'
import type { ITextFileService } from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/textfile/common/textfiles.service'

/**
 * Tells of each text in the workspace when its save begins: before the editor has asked about the file, and before what is still to be sent
 * has gone. Formatters come after; what they change follows with the save itself.
 */
export function tellSaves(
  files: Pick<ITextFileService['files'], 'addSaveParticipant'>,
  workspacePath: string,
  onWillSave: (path: string, text: string) => void,
): IDisposable {
  return files.addSaveParticipant({
    ordinal: Number.MIN_SAFE_INTEGER,
    async participate({ resource, textEditorModel }) {
      if (!textEditorModel || !resource.path.startsWith(`${workspacePath}/`)) return
      onWillSave(resource.path.slice(workspacePath.length), textEditorModel.getValue())
    },
  })
}
