import { getService, IEditorService, IStorageService } from '@codingame/monaco-vscode-api'
import { idle } from './idle.ts'

/**
 * Has the browser keep which files are open as soon as that changes. What is written when the page goes may not be done before it is gone; the
 * workbench itself writes it after some seconds.
 */
export async function keepOpenEditors(): Promise<void> {
  const [editors, storage] = [await getService(IEditorService), await getService(IStorageService)]
  let isWaiting = false
  const keep = async () => {
    if (isWaiting) return
    isWaiting = true
    await idle()
    // What changes from here on is kept by the next turn.
    isWaiting = false
    await storage.flush()
  }
  editors.onDidEditorsChange(() => {
    keep().catch((error: unknown) => console.warn('Which files are open was not kept', error))
  })
  await keep()
}
