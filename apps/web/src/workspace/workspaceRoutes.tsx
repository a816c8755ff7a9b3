import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { InWorkspace, ShellPage, shellRoute } from '../shell/shellRoute.tsx'

const pages = () => import('./pages.ts')
const SsoSettingsPage = lazyRouteComponent(pages, 'SsoSettingsPage')
const InvitePage = lazyRouteComponent(pages, 'InvitePage')
const OverviewPage = lazyRouteComponent(pages, 'OverviewPage')
const PermissionsPage = lazyRouteComponent(pages, 'PermissionsPage')
const SandboxInvitationPage = lazyRouteComponent(pages, 'SandboxInvitationPage')
const SettingsTabs = lazyRouteComponent(pages, 'SettingsTabs')

const getParentRoute = () => shellRoute
const overview = createRoute({
  getParentRoute,
  path: '/t/overview',
  component: () => (
    <ShellPage title="Workspace">
      {(user) => (
        <SettingsTabs>
          <InWorkspace>{(workspace) => <OverviewPage workspace={workspace} userId={user.id} />}</InWorkspace>
        </SettingsTabs>
      )}
    </ShellPage>
  ),
})
const permissions = createRoute({
  getParentRoute,
  path: '/t/permissions',
  component: () => (
    <ShellPage title="Workspace">
      {(user) => (
        <SettingsTabs>
          <InWorkspace>{(workspace) => <PermissionsPage workspace={workspace} userId={user.id} />}</InWorkspace>
        </SettingsTabs>
      )}
    </ShellPage>
  ),
})
const singleSignOn = createRoute({
  getParentRoute,
  path: '/t/$teamId/sso',
  component: function SingleSignOn() {
    const { teamId } = singleSignOn.useParams()
    return (
      <ShellPage title="Workspace">
        {() => (
          <SettingsTabs>
            <SsoSettingsPage teamId={teamId} />
          </SettingsTabs>
        )}
      </ShellPage>
    )
  },
})
const invite = createRoute({
  getParentRoute,
  path: '/invite/$token',
  component: function Invite() {
    const { token } = invite.useParams()
    return <ShellPage title="Invitation">{() => <InvitePage token={token} />}</ShellPage>
  },
})
const sandboxInvitation = createRoute({
  getParentRoute,
  path: '/invitation/$sandboxId/$token',
  component: function SandboxInvitation() {
    const { sandboxId, token } = sandboxInvitation.useParams()
    return (
      <ShellPage title="Invitation">{() => <SandboxInvitationPage sandboxId={sandboxId} token={token} />}</ShellPage>
    )
  },
})

/** The settings of a workspace, and the ways in by a link. */
export const workspaceRoutes = [overview, permissions, singleSignOn, invite, sandboxInvitation] as const
