import { MAX_TEXT_LENGTH, tooLongText } from '@boxyard/protocol'
import Severity from '@codingame/monaco-vscode-api/vscode/vs/base/common/severity'
import { createEditorOpenError } from '@codingame/monaco-vscode-api/vscode/vs/workbench/common/editor'
import { FileEditorInput } from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/files/browser/editors/fileEditorInput'
import { TextFileEditorModel } from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/textfile/common/textFileEditorModel'

/**
 * Has editors refuse texts that are too long to be edited together. A limit of the workbench itself is one of bytes, counts for pictures and downloads
 * too, and is lifted by a click.
 */
export function refuseLongTexts(): void {
  const usual = FileEditorInput.prototype.resolve
  FileEditorInput.prototype.resolve = async function (options) {
    const model = await usual.call(this, options)
    if (!(model instanceof TextFileEditorModel)) return model
    const length = model.textEditorModel?.getValueLength() ?? 0
    if (length <= MAX_TEXT_LENGTH) return model
    model.dispose()
    throw createEditorOpenError(tooLongText(length), [], { forceMessage: true, forceSeverity: Severity.Warning })
  }
}
