import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { ShellPage, shellRoute } from '../shell/shellRoute.tsx'

const pages = () => import('./pages.ts')
const PullRequestPage = lazyRouteComponent(pages, 'PullRequestPage')
const RepositoriesPage = lazyRouteComponent(pages, 'RepositoriesPage')

const getParentRoute = () => shellRoute

const repositories = createRoute({
  getParentRoute,
  path: '/dashboard/repositories',
  component: () => <ShellPage title="Repositories">{() => <RepositoriesPage />}</ShellPage>,
})

const pull = createRoute({
  getParentRoute,
  path: '/dashboard/repositories/github/$owner/$repo/pulls/$number',
  component: function PullRequest() {
    const { owner, repo, number } = pull.useParams()
    return (
      <ShellPage title={`${owner}/${repo}`}>
        {() => <PullRequestPage place={{ owner, repo, number: Number(number) }} />}
      </ShellPage>
    )
  },
})

/** The pages about repositories that have the side bar. */
export const repositoryRoutes = [repositories, pull] as const
