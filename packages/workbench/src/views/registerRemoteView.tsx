import {
  registerCustomView,
  viewContainerRegistry,
  ViewContainerLocation,
} from '@codingame/monaco-vscode-workbench-service-override'
import { REMOTE_VIEW_ID } from '../startup/pinnedViews.ts'
import { report } from '../status/report.ts'
import { reactView } from './reactView.tsx'
import type { RemoteViewProps } from './RemoteView.tsx'

/** Stands in VS Code's own container for remote machines, where extensions put theirs. */
export function registerRemoteView(properties: RemoteViewProps): void {
  const viewContainer = viewContainerRegistry.get(REMOTE_VIEW_ID)
  if (!viewContainer) throw new Error(`This version of the workbench has no ${REMOTE_VIEW_ID}`)
  registerCustomView({
    id: 'boxyard.remote',
    name: properties.title,
    order: 0,
    location: ViewContainerLocation.Sidebar,
    viewContainer,
    renderBody: (container) =>
      reactView(
        container,
        async () => {
          const { RemoteView } = await import('./RemoteView.tsx')
          return <RemoteView {...properties} />
        },
        (error) => report('The view of the machine did not open', error),
      ),
  })
}
