import { registerCustomView, ViewContainerLocation } from '@codingame/monaco-vscode-workbench-service-override'
import { createRoot } from 'react-dom/client'
import { report } from '../status/report.ts'
import { BOX_VIEW_ID } from '../startup/pinnedViews.ts'
import type { BoxViewProps } from './BoxView.tsx'

/** A cube, as a mask of the activity bar. */
const ICON = `data:image/svg+xml;base64,${btoa(
  '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" fill="none" stroke="#000" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"><path d="M21 8a2 2 0 0 0-1-1.73l-7-4a2 2 0 0 0-2 0l-7 4A2 2 0 0 0 3 8v8a2 2 0 0 0 1 1.73l7 4a2 2 0 0 0 2 0l7-4A2 2 0 0 0 21 16Z"/><path d="m3.3 7 8.7 5 8.7-5M12 22V12"/></svg>',
)}`

export function registerBoxView({ name, ...properties }: BoxViewProps & { name: string }): void {
  registerCustomView({
    id: BOX_VIEW_ID,
    name,
    order: 2,
    location: ViewContainerLocation.Sidebar,
    icon: ICON,
    renderBody(container) {
      const root = createRoot(container)
      let isGone = false
      // Nobody sees it before the code.
      import('./BoxView.tsx').then(
        ({ BoxView }) => !isGone && root.render(<BoxView {...properties} />),
        (error: unknown) => report('The view of the box did not open', error),
      )
      // React forbids unmounting a root while it renders, which is when the workbench may take the view down.
      return {
        dispose: () => {
          isGone = true
          queueMicrotask(() => root.unmount())
        },
      }
    },
  })
}
