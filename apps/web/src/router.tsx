import { createRootRoute, createRoute, createRouter, Navigate, redirect, useNavigate } from '@tanstack/react-router'
import { z } from 'zod'
import { CreateDialog } from './create/CreateDialog.tsx'
import { RecentPage } from './dashboard/RecentPage.tsx'
import { EditorPage } from './editor/EditorPage.tsx'
import { CrashPage } from './routes/CrashPage.tsx'
import { NotFoundPage } from './routes/NotFoundPage.tsx'
import { PrivacyPage, TermsPage } from './routes/LegalPages.tsx'
import { RootPage } from './routes/RootPage.tsx'
import { WelcomePage } from './routes/WelcomePage.tsx'
import { CliLoginPage } from './session/CliLoginPage.tsx'
import { DevicePage } from './session/DevicePage.tsx'
import { SessionsPage } from './session/SessionsPage.tsx'
import { SignInPage } from './session/SignInPage.tsx'
import { SsoSettingsPage } from './session/sso/SsoSettingsPage.tsx'
import { useSession } from './session/useSession.ts'
import { useSignInResult } from './session/useSignInResult.ts'
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

const sessions = createRoute({
  getParentRoute: () => root,
  path: '/account/sessions',
  component: function Sessions() {
    return (
      <RequireSession>
        {(user) => (
          <Shell title="Sessions and tokens" user={user}>
            <SessionsPage />
          </Shell>
        )}
      </RequireSession>
    )
  },
})

const workspaceSso = createRoute({
  getParentRoute: () => root,
  path: '/t/$teamId/sso',
  component: function WorkspaceSso() {
    const { teamId } = workspaceSso.useParams()
    return (
      <RequireSession>
        {(user) => (
          <Shell title="Single sign-on" user={user}>
            <SsoSettingsPage teamId={teamId} />
          </Shell>
        )}
      </RequireSession>
    )
  },
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

const terms = createRoute({ getParentRoute: () => root, path: '/legal/terms', component: TermsPage })
const privacy = createRoute({ getParentRoute: () => root, path: '/legal/privacy', component: PrivacyPage })

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

export const router = createRouter({
  routeTree: root.addChildren([
    welcome,
    signIn,
    dashboard,
    recent,
    sessions,
    workspaceSso,
    cliLogin,
    device,
    terms,
    privacy,
    devbox,
    sandboxRoute,
  ]),
  defaultPreload: 'intent',
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
