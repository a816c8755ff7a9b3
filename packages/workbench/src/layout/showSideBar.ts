import { getService, IPaneCompositePartService, IWorkbenchLayoutService } from '@codingame/monaco-vscode-api'
import { ViewContainerLocation } from '@codingame/monaco-vscode-api/vscode/vs/workbench/common/views'
import { Parts } from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/layout/browser/layoutService'
import type { SideBarView } from '../index.ts'
import { BOX_VIEW_ID, DEBUG_VIEW_ID, REMOTE_VIEW_ID } from '../startup/pinnedViews.ts'

const ids: Readonly<Record<SideBarView, string>> = {
  explorer: 'workbench.view.explorer',
  search: 'workbench.view.search',
  box: BOX_VIEW_ID,
  scm: 'workbench.view.scm',
  debug: DEBUG_VIEW_ID,
  remote: REMOTE_VIEW_ID,
  extensions: 'workbench.view.extensions',
}

/** Opens this view in the side bar, without taking the focus, or closes the side bar. A view that this box does not have leaves it as it is. */
export async function showSideBar(view: SideBarView | false): Promise<void> {
  if (view === false) {
    const layout = await getService(IWorkbenchLayoutService)
    return layout.setPartHidden(true, Parts.SIDEBAR_PART)
  }
  const parts = await getService(IPaneCompositePartService)
  await parts.openPaneComposite(ids[view], ViewContainerLocation.Sidebar, false)
}
