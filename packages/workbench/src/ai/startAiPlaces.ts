import type { Connection } from '@boxyard/dev-server-client'
import { getService, IContextKeyService, IInstantiationService } from '@codingame/monaco-vscode-api'
import { ICodeEditorService } from '@codingame/monaco-vscode-api/vscode/vs/editor/browser/services/codeEditorService.service'
import type { ICodeEditor } from '@codingame/monaco-vscode-api/vscode/vs/editor/browser/editorBrowser'
import { IMenuService } from '@codingame/monaco-vscode-api/vscode/vs/platform/actions/common/actions.service'
import { aiAbilities } from './aiAbilities.ts'
import { aiContext, aiPlaces } from './aiPlaces.ts'
import { followSelection } from './followSelection.ts'
import { SelectionToolbar } from './SelectionToolbar.ts'

/** Shows what stands in the places of AI as far as the box can be asked. */
export async function startAiPlaces(
  connection: Pick<Connection, 'joined' | 'onDidJoin' | 'onDidChangePermissions'>,
): Promise<void> {
  const [contextKeys, menus, instantiation, editors] = await Promise.all([
    getService(IContextKeyService),
    getService(IMenuService),
    getService(IInstantiationService),
    getService(ICodeEditorService),
  ])
  const keys = {
    chat: contextKeys.createKey<boolean>(aiContext.chat, false),
    suggestCommit: contextKeys.createKey<boolean>(aiContext.suggestCommit, false),
    selection: contextKeys.createKey<boolean>(aiContext.selection, false),
  }
  const update = () => {
    const abilities = aiAbilities(connection.joined)
    for (const name of Object.keys(keys) as (keyof typeof keys)[]) keys[name].set(abilities[name])
  }
  update()
  connection.onDidJoin(update)
  connection.onDidChangePermissions(update)

  const menu = menus.createMenu(aiPlaces.selectionMenu, contextKeys)
  const isOffered = () => menu.getActions().some(([, actions]) => actions.length > 0)
  const follow = (editor: ICodeEditor) => {
    const toolbar = new SelectionToolbar(editor, instantiation)
    const following = followSelection(editor, isOffered, (position) => toolbar.show(position))
    editor.onDidDispose(() => {
      following.dispose()
      toolbar.dispose()
    })
  }
  for (const editor of editors.listCodeEditors()) follow(editor)
  editors.onCodeEditorAdd(follow)
}
