import { Codicon } from '@codingame/monaco-vscode-api/vscode/vs/base/common/codicons'
import { SyncDescriptor } from '@codingame/monaco-vscode-api/vscode/vs/platform/instantiation/common/descriptors'
import { ViewPane } from '@codingame/monaco-vscode-api/vscode/vs/workbench/browser/parts/views/viewPane'
import {
  ViewContainerLocation,
  ViewPaneContainer,
  viewContainerRegistry,
  viewRegistry,
} from '@codingame/monaco-vscode-workbench-service-override'
import { DEBUG_VIEW_ID } from '../startup/pinnedViews.ts'
import { ENABLE_VS_CODE_SERVER } from './serverCommands.ts'

const VIEW_ID = 'boxyard.debugOffer'

/** A view without content of its own: it says what there is to do. */
class OfferView extends ViewPane {
  override shouldShowWelcome(): boolean {
    return true
  }
}

/** Stands where programs are debugged, for who may debug them and has not enabled what does it: the debugger is a part of the VS Code server. */
export function registerDebugOffer(): void {
  const title = { value: 'Run and Debug', original: 'Run and Debug' }
  const container = viewContainerRegistry.registerViewContainer(
    {
      id: DEBUG_VIEW_ID,
      title,
      icon: Codicon.debugAlt,
      order: 3,
      ctorDescriptor: new SyncDescriptor(ViewPaneContainer, [
        DEBUG_VIEW_ID,
        { mergeViewWithContainerWhenSingleView: true },
      ]),
      hideIfEmpty: true,
    },
    ViewContainerLocation.Sidebar,
  )
  viewRegistry.registerViews(
    [{ id: VIEW_ID, name: title, ctorDescriptor: new SyncDescriptor(OfferView), canToggleVisibility: false }],
    container,
  )
  viewRegistry.registerViewWelcomeContent(VIEW_ID, {
    content: `Programs of the microVM stop at breakpoints when its VS Code server is connected. The window is loaded anew for that; nothing that you typed is lost.\n[Enable VSCode Extensions](command:${ENABLE_VS_CODE_SERVER})`,
  })
}
