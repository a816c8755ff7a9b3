import { Codicon } from '@codingame/monaco-vscode-api/vscode/vs/base/common/codicons'
import { SyncDescriptor } from '@codingame/monaco-vscode-api/vscode/vs/platform/instantiation/common/descriptors'
import {
  ViewContainerLocation,
  ViewPaneContainer,
  viewContainerRegistry,
} from '@codingame/monaco-vscode-workbench-service-override'
import { CHAT_ORDER } from '../startup/pinnedViews.ts'
import { aiPlaces } from './aiPlaces.ts'

/** The last place of the side bar, which is not shown before a view stands in it. */
export function registerChatPlace(): void {
  viewContainerRegistry.registerViewContainer(
    {
      id: aiPlaces.chatContainer,
      title: { value: 'Chat', original: 'Chat' },
      icon: Codicon.commentDiscussion,
      order: CHAT_ORDER,
      ctorDescriptor: new SyncDescriptor(ViewPaneContainer, [
        aiPlaces.chatContainer,
        { mergeViewWithContainerWhenSingleView: true },
      ]),
      hideIfEmpty: true,
    },
    ViewContainerLocation.Sidebar,
  )
}
