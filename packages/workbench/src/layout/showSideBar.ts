import { getService, IPaneCompositePartService, IWorkbenchLayoutService } from '@codingame/monaco-vscode-api'
import { ViewContainerLocation } from '@codingame/monaco-vscode-api/vscode/vs/workbench/common/views'
import { Parts } from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/layout/browser/layoutService'
import { sideBarViews } from './sideBarViews.ts'
import type { SideBarView } from './sideBarViews.ts'

/** Opens this view in the side bar, without taking the focus, or closes the side bar. A view that this box does not have leaves it as it is. */
export async function showSideBar(view: SideBarView | false): Promise<void> {
  if (view === false) {
    const layout = await getService(IWorkbenchLayoutService)
    return layout.setPartHidden(true, Parts.SIDEBAR_PART)
  }
  const parts = await getService(IPaneCompositePartService)
  await parts.openPaneComposite(sideBarViews[view], ViewContainerLocation.Sidebar, false)
}
