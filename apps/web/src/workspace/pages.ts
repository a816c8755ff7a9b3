// Reached by imports that run when one of the pages is opened: a visit to an editor does without them.
export { SsoSettingsPage } from '../session/sso/SsoSettingsPage.tsx'
export { InvitePage } from './InvitePage.tsx'
export { OverviewPage } from './OverviewPage.tsx'
export { PermissionsPage } from './PermissionsPage.tsx'
export { SandboxInvitationPage } from './SandboxInvitationPage.tsx'
export { SettingsTabs } from './SettingsTabs.tsx'
