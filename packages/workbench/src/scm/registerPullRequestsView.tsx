import { registerCustomView, ViewContainerLocation } from '@codingame/monaco-vscode-workbench-service-override'
import { PULL_REQUESTS_ORDER, PULL_REQUESTS_VIEW_ID } from '../startup/pinnedViews.ts'
import { report } from '../status/report.ts'
import { reactView } from '../views/reactView.tsx'
import type { BranchHost } from './branchHost.ts'
import type { PullRequestsViewProps } from './PullRequestsView.tsx'

/** Two branches that meet, as a mask of the activity bar. */
const ICON = `data:image/svg+xml;base64,${btoa(
  '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" fill="none" stroke="#000" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"><circle cx="6" cy="5" r="2.5"/><circle cx="6" cy="19" r="2.5"/><circle cx="18" cy="19" r="2.5"/><path d="M6 7.5v9M18 16.500V10a3 3 0 0 0-3-3h-3.500M14 4l-3 3 3 3"/></svg>',
)}`

/** The pull requests of the repository, for a branch whose host tells of them. */
export function registerPullRequestsView(
  host: BranchHost,
  git: PullRequestsViewProps['git'],
  create: (() => void) | undefined,
): void {
  const { openPullRequests: list } = host
  if (!list) return
  registerCustomView({
    id: PULL_REQUESTS_VIEW_ID,
    name: 'Pull Requests',
    order: PULL_REQUESTS_ORDER,
    location: ViewContainerLocation.Sidebar,
    icon: ICON,
    renderBody: (container) =>
      reactView(
        container,
        async () => {
          const { PullRequestsView } = await import('./PullRequestsView.tsx')
          return <PullRequestsView host={host} git={git} list={list} create={create} />
        },
        (error) => report('The pull requests are not shown', error),
      ),
  })
}
