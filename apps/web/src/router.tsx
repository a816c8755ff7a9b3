import { isFlagSet } from '@boxyard/api/is-flag-set'
import { createRoute, createRouter, lazyRouteComponent, Navigate } from '@tanstack/react-router'
import { z } from 'zod'
import { accountRoutes } from './account/accountRoutes.tsx'
import { administrationRoutes } from './administration/administrationRoutes.tsx'
import { apiRoutes } from './apiPages/apiRoutes.tsx'
import { dashboardRoutes } from './dashboard/dashboardRoutes.tsx'
import { devtoolRoutes } from './devtool/devtoolRoutes.tsx'
import { editorLayouts } from './editor/editorMode.ts'
import { EditorPage } from './editor/EditorPage.tsx'
import { JoinLivePage } from './liveSession/JoinLivePage.tsx'
import { LiveEndPage } from './liveSession/LiveEndPage.tsx'
import { BranchPage } from './repositories/BranchPage.tsx'
import { repositoryRoutes } from './repositories/repositoryRoutes.tsx'
import { BranchHelpPage } from './routes/BranchHelpPage.tsx'
import { PrivacyPage, TermsPage } from './routes/LegalPages.tsx'
import { root } from './routes/root.ts'
import { WelcomePage } from './routes/WelcomePage.tsx'
import { CliLoginPage } from './session/CliLoginPage.tsx'
import { DevicePage } from './session/DevicePage.tsx'
import { SignInPage } from './session/SignInPage.tsx'
import { useSession } from './session/useSession.ts'
import { useSignInResult } from './session/useSignInResult.ts'
import { PublicHeader } from './shell/PublicHeader.tsx'
import { RequireSession } from './shell/RequireSession.tsx'
import { ShellPage, shellRoute } from './shell/shellRoute.tsx'
import { workspaceRoutes } from './workspace/workspaceRoutes.tsx'

const DefinePage = lazyRouteComponent(() => import('./define/DefinePage.tsx'), 'DefinePage')
const ProfilePage = lazyRouteComponent(() => import('./profile/ProfilePage.tsx'), 'ProfilePage')
const SessionsPage = lazyRouteComponent(() => import('./session/SessionsPage.tsx'), 'SessionsPage')

const welcome = createRoute({ getParentRoute: () => root, path: '/', component: WelcomePage })

const signInSearch = z.object({
  /** A path of this app to go to afterwards. */
  continue: z
    .string()
    .regex(/^\/(?![/\\])/)
    .optional()
    .catch(undefined),
  /** What a sign-in that was no popup came to. */
  pending: z.uuid().optional().catch(undefined),
  error: z.literal('DUPLICATE').optional().catch(undefined),
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/signin',
  validateSearch: signInSearch,
  component: function SignIn() {
    const { kind } = useSession()
    const search = signIn.useSearch()
    useSignInResult(search)
    if (kind === 'in') return <Navigate to={search.continue ?? '/dashboard/recent'} replace />
    return <SignInPage />
  },
})

const flag = z.unknown().transform(isFlagSet).optional()

const editorSearch = z.object({
  /** The comment whose thread is opened. */
  comment: z.coerce.string().max(100).optional().catch(undefined),
  /** The file to open, relative to the workspace. */
  file: z.string().optional().catch(undefined),
  /** Present: the preview of a sandbox runs that file alone. */
  moduleview: flag,
  /** The whole workbench or the light editor, and what the light one begins with; see editorMode.ts. */
  mode: z.enum(['workbench', 'integrated']).optional().catch(undefined),
  layout: z.enum(editorLayouts).optional().catch(undefined),
  /** What the editor begins with; see askedParts.ts. */
  sidebar: z.union([z.string(), z.boolean()]).optional().catch(undefined),
  showConsole: flag,
  /** Present: an introduction is shown; see editor/welcomeNotice.ts. */
  welcome: flag,
  /** Present: it was a sandbox a moment ago, which is said; see conversion/convertedNotice.ts. */
  migrateFrom: z.string().max(100).optional().catch(undefined),
  /** Present: ask at once for the name of the repository that a devbox becomes. */
  createRepo: flag,
  /** Present: ask whether to make a copy, in that workspace and of that privacy. */
  fork: flag,
  privacy: z.coerce.number().int().min(0).max(2).optional().catch(undefined),
  /** The workspace that is meant: of several that have a repository, or for a copy. */
  workspaceId: z.guid().optional().catch(undefined),
})

interface BoxPageProps {
  id: string
  route: 'devbox' | 'sandbox' | 'vscode'
  search: z.output<typeof editorSearch>
}

/** The editor of a devbox or a sandbox as its address asks for it. A devbox has no view of one module, and the editor alone makes no repository. */
function BoxPage({ id, route, search }: BoxPageProps) {
  const { file, comment, moduleview = false, createRepo = false, fork = false, privacy, workspaceId } = search
  return (
    <EditorPage
      id={id}
      route={route}
      file={file}
      comment={comment}
      isModuleView={route !== 'devbox' && moduleview}
      asksForRepository={route !== 'vscode' && createRepo}
      forkPlace={fork ? { privacy, workspaceId } : null}
    />
  )
}

const branchSearch = editorSearch.extend({
  /** Make a branch of it and open that. */
  create: flag,
  /** The branch was just made. */
  checkout: flag,
  /** Put the repository into the workspace first. */
  import: flag,
  /** Open nothing in a workspace that the address does not name. */
  preventWorkspaceRedirect: flag,
})

const sessions = createRoute({
  getParentRoute: () => shellRoute,
  path: '/account/sessions',
  component: () => <ShellPage title="Sessions and tokens">{() => <SessionsPage />}</ShellPage>,
})

const cliLogin = createRoute({
  getParentRoute: () => root,
  path: '/cli/login',
  component: () => <RequireSession>{(user) => <CliLoginPage user={user} />}</RequireSession>,
})

const device = createRoute({
  getParentRoute: () => root,
  path: '/device',
  validateSearch: z.object({ code: z.string().max(20).optional().catch(undefined) }),
  component: function Device() {
    const { code = '' } = device.useSearch()
    return <RequireSession>{(user) => <DevicePage user={user} code={code} />}</RequireSession>
  },
})

const define = createRoute({
  getParentRoute: () => root,
  path: '/define',
  wrapInSuspense: true,
  component: () => <RequireSession>{() => <DefinePage />}</RequireSession>,
})

const profile = createRoute({
  getParentRoute: () => root,
  path: '/u/$username',
  wrapInSuspense: true,
  component: function Profile() {
    return (
      <>
        <PublicHeader />
        <ProfilePage username={profile.useParams().username} />
      </>
    )
  },
})

const terms = createRoute({ getParentRoute: () => root, path: '/legal/terms', component: TermsPage })
const privacy = createRoute({ getParentRoute: () => root, path: '/legal/privacy', component: PrivacyPage })

const devbox = createRoute({
  getParentRoute: () => root,
  path: '/devbox/$',
  validateSearch: editorSearch,
  component: function Devbox() {
    const { _splat: id = '' } = devbox.useParams()
    return <BoxPage key={id} id={id} route="devbox" search={devbox.useSearch()} />
  },
})

const sandboxRoute = createRoute({
  getParentRoute: () => root,
  path: '/sandbox/$',
  validateSearch: editorSearch,
  component: function SandboxEditor() {
    const { _splat: id = '' } = sandboxRoute.useParams()
    return <BoxPage key={id} id={id} route="sandbox" search={sandboxRoute.useSearch()} />
  },
})

const defaultBranch = createRoute({
  getParentRoute: () => root,
  path: '/github/$owner/$repo',
  validateSearch: branchSearch,
  component: function DefaultBranch() {
    const { owner, repo } = defaultBranch.useParams()
    return <BranchPage owner={owner} repo={repo} branch="" search={defaultBranch.useSearch()} />
  },
})

const namedBranch = createRoute({
  getParentRoute: () => root,
  path: '/github/$owner/$repo/$',
  validateSearch: branchSearch,
  component: function NamedBranch() {
    const { owner, repo, _splat: branch = '' } = namedBranch.useParams()
    return <BranchPage owner={owner} repo={repo} branch={branch} search={namedBranch.useSearch()} />
  },
})

const bareBox = createRoute({
  getParentRoute: () => root,
  path: '/vscode/$',
  validateSearch: editorSearch,
  component: function BareBox() {
    const { _splat: id = '' } = bareBox.useParams()
    return <BoxPage key={id} id={id} route="vscode" search={bareBox.useSearch()} />
  },
})

const bareDefaultBranch = createRoute({
  getParentRoute: () => root,
  path: '/vscode/github/$owner/$repo',
  validateSearch: branchSearch,
  component: function BareDefaultBranch() {
    const { owner, repo } = bareDefaultBranch.useParams()
    return <BranchPage owner={owner} repo={repo} branch="" search={bareDefaultBranch.useSearch()} />
  },
})

const bareBranch = createRoute({
  getParentRoute: () => root,
  path: '/vscode/github/$owner/$repo/$',
  validateSearch: branchSearch,
  component: function BareBranch() {
    const { owner, repo, _splat: branch = '' } = bareBranch.useParams()
    return <BranchPage owner={owner} repo={repo} branch={branch} search={bareBranch.useSearch()} />
  },
})

const branchById = createRoute({
  getParentRoute: () => root,
  path: '/redirect-to-project-editor/$branchId',
  component: function BranchById() {
    return <Navigate to="/devbox/$" params={{ _splat: branchById.useParams().branchId }} replace />
  },
})

const live = createRoute({
  getParentRoute: () => root,
  path: '/live/$id',
  component: () => <JoinLivePage id={live.useParams().id} />,
})

const liveEnd = createRoute({
  getParentRoute: () => root,
  path: '/live/end/$vmId',
  component: () => <LiveEndPage vmId={liveEnd.useParams().vmId} />,
})

const branchHelp = createRoute({ getParentRoute: () => root, path: '/help/branches', component: BranchHelpPage })

export const router = createRouter({
  routeTree: root.addChildren([
    welcome,
    signIn,
    shellRoute.addChildren([
      ...dashboardRoutes,
      ...workspaceRoutes,
      ...accountRoutes,
      ...administrationRoutes,
      ...apiRoutes,
      ...repositoryRoutes,
      sessions,
    ]),
    cliLogin,
    device,
    define,
    profile,
    terms,
    privacy,
    devbox,
    sandboxRoute,
    defaultBranch,
    namedBranch,
    bareBox,
    bareDefaultBranch,
    bareBranch,
    branchById,
    live,
    liveEnd,
    branchHelp,
    ...devtoolRoutes,
  ]),
  defaultPreload: 'intent',
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
