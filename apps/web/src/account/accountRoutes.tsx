import { createRoute } from '@tanstack/react-router'
import { ShellPage, shellRoute } from '../shell/shellRoute.tsx'
import { SettingsPage } from './SettingsPage.tsx'

const settings = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/settings',
  component: () => <ShellPage title="Your settings">{() => <SettingsPage />}</ShellPage>,
})

/** The pages about the person. */
export const accountRoutes = [settings] as const
