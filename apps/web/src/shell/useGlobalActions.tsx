import type { PaletteAction } from '@boxyard/ui'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Box, Clock, Folder, LogIn, LogOut, Moon, Plus, Sun } from 'lucide-react'
import { useMemo, useSyncExternalStore } from 'react'
import { recentSandboxes, titleOf } from '../api/queries.ts'
import { useApp } from '../App.ts'
import { useSession } from '../session/useSession.ts'

const icon = { 'aria-hidden': true, size: 16, strokeWidth: 1.5 } as const

const otherPlaces = [
  { to: '/dashboard/search', name: 'Search this workspace' },
  { to: '/dashboard/repositories', name: 'Repositories' },
  { to: '/dashboard/drafts', name: 'Drafts' },
  { to: '/dashboard/sandboxes/$', name: 'All sandboxes' },
  { to: '/dashboard/templates', name: 'Templates' },
  { to: '/dashboard/shared', name: 'Shared with me' },
  { to: '/dashboard/liked', name: 'Likes' },
  { to: '/dashboard/deleted', name: 'Recently deleted' },
  { to: '/t/overview', name: 'Workspace settings' },
  { to: '/dashboard/settings', name: 'Your settings' },
] as const

/** What can be done from anywhere. */
export function useGlobalActions(): readonly PaletteAction[] {
  const app = useApp()
  const { session, theme } = app
  const navigate = useNavigate()
  const { kind } = useSession()
  const current = useSyncExternalStore(theme.subscribe, theme.current)
  const recent = useQuery({ ...recentSandboxes(app), enabled: kind === 'in' })

  return useMemo(() => {
    const look: PaletteAction = {
      id: 'theme',
      name: current === 'dark' ? 'Use the light theme' : 'Use the dark theme',
      keywords: ['color', 'appearance', 'mode'],
      section: 'Settings',
      icon: current === 'dark' ? <Sun {...icon} /> : <Moon {...icon} />,
      perform: () => theme.toggle(),
    }
    if (kind !== 'in') {
      const signIn: PaletteAction = {
        id: 'sign-in',
        name: 'Sign in',
        section: 'Account',
        icon: <LogIn {...icon} />,
        perform: () => void navigate({ to: '/signin' }),
      }
      return [signIn, look]
    }
    const places: PaletteAction[] = [
      {
        id: 'create',
        name: 'Create a devbox',
        keywords: ['new', 'template', 'project'],
        section: 'Go to',
        priority: 2,
        icon: <Plus {...icon} />,
        perform: () => void navigate({ to: '/dashboard/recent', search: { create: true } }),
      },
      {
        id: 'recent',
        name: 'Recent',
        keywords: ['dashboard', 'home'],
        section: 'Go to',
        priority: 1,
        icon: <Clock {...icon} />,
        perform: () => void navigate({ to: '/dashboard/recent' }),
      },
    ]
    const others: PaletteAction[] = otherPlaces.map(({ to, name }) => ({
      id: to,
      name,
      section: 'Go to',
      icon: <Folder {...icon} />,
      perform: () => void navigate(to === '/dashboard/sandboxes/$' ? { to, params: { _splat: '' } } : { to }),
    }))
    const open: PaletteAction[] = (recent.data ?? []).map((card) => ({
      id: `open-${card.id}`,
      name: titleOf(card),
      keywords: ['open'],
      section: 'Recent work',
      icon: <Box {...icon} />,
      perform: () => void navigate({ to: card.isV2 ? '/devbox/$' : '/sandbox/$', params: { _splat: card.id } }),
    }))
    const signOut: PaletteAction = {
      id: 'sign-out',
      name: 'Sign out',
      section: 'Account',
      icon: <LogOut {...icon} />,
      perform: () => session.send({ type: 'SIGN_OUT' }),
    }
    return [...places, ...others, ...open, look, signOut]
  }, [current, kind, navigate, recent.data, session, theme])
}
