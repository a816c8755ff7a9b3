import { getService, IEditorService, IExtensionService } from '@codingame/monaco-vscode-api'
import { isCodeEditor, type ICodeEditor } from '@codingame/monaco-vscode-api/vscode/vs/editor/browser/editorBrowser'
import { TextModel } from '@codingame/monaco-vscode-api/vscode/vs/editor/common/model/textModel'
import { editorsRestored } from './editorsRestored.ts'

/** Milliseconds; a grammar that can't be loaded holds nothing back for longer. */
const PATIENCE = 3_000

/**
 * Resolves when the text that the person looks at is on the screen in its colors; at once where there is none. Everything that
 * can wait waits for it, because the person does too.
 */
export async function firstTextShown(): Promise<void> {
  await editorsRestored()
  const { activeTextEditorControl: control } = await getService(IEditorService)
  if (!isCodeEditor(control)) return
  const model = control.getModel() ?? (await modelOf(control))
  if (!(model instanceof TextModel)) return
  // Before, every file is plain text, unless it has the colors of the page.
  if (!model.tokenization.hasSomeSemanticTokens()) {
    await (await getService(IExtensionService)).whenInstalledExtensionsRegistered()
  }
  await tokenized(model)
  await new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}

/** The text arrives after its editor; null when the editor goes before. */
function modelOf(control: ICodeEditor): Promise<unknown> {
  return new Promise((resolve) => {
    control.onDidChangeModel(() => resolve(control.getModel()))
    control.onDidDispose(() => resolve(null))
  })
}

function tokenized(model: TextModel): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      clearTimeout(timer)
      for (const subscription of subscriptions) subscription.dispose()
      resolve()
    }
    const look = () => {
      const { hasTokens } = model.tokenization
      // The colors of the page are as good.
      if (hasTokens || model.tokenization.hasSomeSemanticTokens() || model.getLanguageId() === 'plaintext') stop()
    }
    const timer = setTimeout(stop, PATIENCE)
    const subscriptions = [model.onDidChangeTokens(look), model.onDidChangeLanguage(look), model.onWillDispose(stop)]
    look()
  })
}
