import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { ShellPage, shellRoute } from '../shell/shellRoute.tsx'

const SettingsPage = lazyRouteComponent(() => import('./SettingsPage.tsx'), 'SettingsPage')

const settings = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/settings',
  component: () => <ShellPage title="Your settings">{() => <SettingsPage />}</ShellPage>,
})

/** The pages about the person. */
export const accountRoutes = [settings] as const
