import { createRoute, createRouter, Navigate } from '@tanstack/react-router'
import { z } from 'zod'
import { accountRoutes } from './account/accountRoutes.tsx'
import { dashboardRoutes } from './dashboard/dashboardRoutes.tsx'
import { EditorPage } from './editor/EditorPage.tsx'
import { root } from './routes/root.ts'
import { WelcomePage } from './routes/WelcomePage.tsx'
import { SignInPage } from './session/SignInPage.tsx'
import { useSession } from './session/useSession.ts'
import { shellRoute } from './shell/shellRoute.tsx'
import { workspaceRoutes } from './workspace/workspaceRoutes.tsx'

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

export const router = createRouter({
  routeTree: root.addChildren([
    welcome,
    signIn,
    shellRoute.addChildren([...dashboardRoutes, ...workspaceRoutes, ...accountRoutes]),
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
