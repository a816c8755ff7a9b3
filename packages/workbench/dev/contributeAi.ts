import { Codicon } from '@codingame/monaco-vscode-api/vscode/vs/base/common/codicons'
import { Action2, registerAction2 } from '@codingame/monaco-vscode-api/vscode/vs/platform/actions/common/actions'
import { ContextKeyExpr } from '@codingame/monaco-vscode-api/vscode/vs/platform/contextkey/common/contextkey'
import { SyncDescriptor } from '@codingame/monaco-vscode-api/vscode/vs/platform/instantiation/common/descriptors'
import { ViewPane } from '@codingame/monaco-vscode-api/vscode/vs/workbench/browser/parts/views/viewPane'
import { viewContainerRegistry, viewRegistry } from '@codingame/monaco-vscode-workbench-service-override'
import { aiContext, aiPlaces } from '../src/ai/aiPlaces.ts'

/** Puts something into each place of AI, as an AI does. */
export function contributeAi(): void {
  const name = { value: 'Chat', original: 'Chat' }
  viewRegistry.registerViews(
    [
      {
        id: 'playground.chat',
        name,
        ctorDescriptor: new SyncDescriptor(class extends ViewPane {}),
        when: ContextKeyExpr.has(aiContext.chat),
      },
    ],
    viewContainerRegistry.get(aiPlaces.chatContainer)!,
  )
  registerAction2(
    class extends Action2 {
      constructor() {
        super({
          id: 'playground.explain',
          title: { value: 'Explain', original: 'Explain' },
          icon: Codicon.question,
          menu: { id: aiPlaces.selectionMenu, group: 'navigation', when: ContextKeyExpr.has(aiContext.selection) },
        })
      }
      run(): void {
        document.body.dataset['explained'] = 'yes'
      }
    },
  )
}
