import { createRootRoute, createRoute, createRouter, Navigate, redirect, useNavigate } from '@tanstack/react-router'
import { z } from 'zod'
import { CreateDialog } from './create/CreateDialog.tsx'
import { RecentPage } from './dashboard/RecentPage.tsx'
import { EditorPage } from './editor/EditorPage.tsx'
import { BranchPage } from './repositories/BranchPage.tsx'
import { PullRequestPage } from './repositories/PullRequestPage.tsx'
import { RepositoriesPage } from './repositories/RepositoriesPage.tsx'
import { CrashPage } from './routes/CrashPage.tsx'
import { NotFoundPage } from './routes/NotFoundPage.tsx'
import { RootPage } from './routes/RootPage.tsx'
import { WelcomePage } from './routes/WelcomePage.tsx'
import { SignInPage } from './session/SignInPage.tsx'
import { useSession } from './session/useSession.ts'
import { RequireSession } from './shell/RequireSession.tsx'
import { Shell } from './shell/Shell.tsx'

const root = createRootRoute({ component: RootPage, notFoundComponent: NotFoundPage, errorComponent: CrashPage })

const welcome = createRoute({ getParentRoute: () => root, path: '/', component: WelcomePage })

const signInSearch = z.object({
  /** A path of this app to go to afterwards. */
  continue: z
    .string()
    .regex(/^\/(?![/\\])/)
    .optional()
    .catch(undefined),
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/signin',
  validateSearch: signInSearch,
  component: function SignIn() {
    const { kind } = useSession()
    const search = signIn.useSearch()
    if (kind === 'in') return <Navigate to={search.continue ?? '/dashboard/recent'} replace />
    return <SignInPage />
  },
})

const dashboard = createRoute({
  getParentRoute: () => root,
  path: '/dashboard',
  beforeLoad: () => {
    throw redirect({ to: '/dashboard/recent', replace: true })
  },
})

const dashboardSearch = z.object({
  /** Opens the dialog that makes a devbox. */
  create: z.literal(true).optional().catch(undefined),
})

const recent = createRoute({
  getParentRoute: () => root,
  path: '/dashboard/recent',
  validateSearch: dashboardSearch,
  component: function Recent() {
    const search = recent.useSearch()
    const navigate = useNavigate()
    return (
      <RequireSession>
        {(user) => (
          <Shell title="Recent" user={user}>
            <RecentPage />
            {search.create && (
              <CreateDialog onClose={() => void navigate({ to: '/dashboard/recent', replace: true })} />
            )}
          </Shell>
        )}
      </RequireSession>
    )
  },
})

const editorSearch = z.object({
  /** The file to open, relative to the workspace. */
  file: z.string().optional().catch(undefined),
})

const devbox = createRoute({
  getParentRoute: () => root,
  path: '/devbox/$',
  validateSearch: editorSearch,
  component: function Devbox() {
    const { _splat: id = '' } = devbox.useParams()
    return <EditorPage key={id} id={id} route="devbox" file={devbox.useSearch().file} />
  },
})

const sandboxRoute = createRoute({
  getParentRoute: () => root,
  path: '/sandbox/$',
  validateSearch: editorSearch,
  component: function SandboxEditor() {
    const { _splat: id = '' } = sandboxRoute.useParams()
    return <EditorPage key={id} id={id} route="sandbox" file={sandboxRoute.useSearch().file} />
  },
})

const repositories = createRoute({
  getParentRoute: () => root,
  path: '/dashboard/repositories',
  component: function Repositories() {
    return (
      <RequireSession>
        {(user) => (
          <Shell title="Repositories" user={user}>
            <RepositoriesPage />
          </Shell>
        )}
      </RequireSession>
    )
  },
})

const pull = createRoute({
  getParentRoute: () => root,
  path: '/dashboard/repositories/github/$owner/$repo/pulls/$number',
  component: function PullRequest() {
    const { owner, repo, number } = pull.useParams()
    return (
      <RequireSession>
        {(user) => (
          <Shell title={`${owner}/${repo}`} user={user}>
            <PullRequestPage place={{ owner, repo, number: Number(number) }} />
          </Shell>
        )}
      </RequireSession>
    )
  },
})

const defaultBranch = createRoute({
  getParentRoute: () => root,
  path: '/github/$owner/$repo',
  validateSearch: editorSearch,
  component: function DefaultBranch() {
    const { owner, repo } = defaultBranch.useParams()
    return <BranchPage owner={owner} repo={repo} branch="" file={defaultBranch.useSearch().file} />
  },
})

const namedBranch = createRoute({
  getParentRoute: () => root,
  path: '/github/$owner/$repo/$',
  validateSearch: editorSearch,
  component: function NamedBranch() {
    const { owner, repo, _splat: branch = '' } = namedBranch.useParams()
    return <BranchPage owner={owner} repo={repo} branch={branch} file={namedBranch.useSearch().file} />
  },
})

export const router = createRouter({
  routeTree: root.addChildren([
    welcome,
    signIn,
    dashboard,
    recent,
    repositories,
    pull,
    devbox,
    sandboxRoute,
    defaultBranch,
    namedBranch,
  ]),
  defaultPreload: 'intent',
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
