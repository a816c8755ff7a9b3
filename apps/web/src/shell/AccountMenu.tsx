import { Avatar, Button, DropdownMenu, DropdownMenuItem, DropdownMenuLabel, DropdownMenuSeparator } from '@boxyard/ui'
import { useNavigate } from '@tanstack/react-router'
import { Braces, Cpu, KeyRound, LogOut, Mail, Moon, Settings, Sun, UserRound } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import type { CurrentUser } from '../api/schemas.ts'
import { useApp } from '../App.ts'

export function AccountMenu({ user }: { user: CurrentUser }) {
  const { session, theme } = useApp()
  const navigate = useNavigate()
  const current = useSyncExternalStore(theme.subscribe, theme.current)
  return (
    <DropdownMenu
      align="end"
      trigger={
        <Button variant="quiet" aria-label={`Account of ${user.username}`} className="!px-1">
          <Avatar src={user.avatarUrl ?? null} name={user.name ?? user.username} />
        </Button>
      }
    >
      <DropdownMenuLabel>Signed in as {user.username}</DropdownMenuLabel>
      <DropdownMenuItem
        icon={<Settings aria-hidden size={16} strokeWidth={1.5} />}
        onSelect={() => void navigate({ to: '/dashboard/settings' })}
      >
        Your settings
      </DropdownMenuItem>
      <DropdownMenuItem
        icon={<UserRound aria-hidden size={16} strokeWidth={1.5} />}
        onSelect={() => void navigate({ to: '/u/$username', params: { username: user.username } })}
      >
        Your profile
      </DropdownMenuItem>
      <DropdownMenuItem
        icon={
          current === 'dark' ? (
            <Sun aria-hidden size={16} strokeWidth={1.5} />
          ) : (
            <Moon aria-hidden size={16} strokeWidth={1.5} />
          )
        }
        onSelect={() => theme.toggle()}
      >
        {current === 'dark' ? 'Light theme' : 'Dark theme'}
      </DropdownMenuItem>
      <DropdownMenuItem
        icon={<KeyRound aria-hidden size={16} strokeWidth={1.5} />}
        onSelect={() => void navigate({ to: '/account/sessions' })}
      >
        Sessions and tokens
      </DropdownMenuItem>
      <DropdownMenuItem
        icon={<Braces aria-hidden size={16} strokeWidth={1.5} />}
        onSelect={() => void navigate({ to: '/account/api' })}
      >
        API
      </DropdownMenuItem>
      {user.role === 'admin' && (
        <>
          <DropdownMenuSeparator />
          <DropdownMenuLabel>This server</DropdownMenuLabel>
          <DropdownMenuItem
            icon={<Cpu aria-hidden size={16} strokeWidth={1.5} />}
            onSelect={() => void navigate({ to: '/admin/machines' })}
          >
            Machines
          </DropdownMenuItem>
          <DropdownMenuItem
            icon={<Mail aria-hidden size={16} strokeWidth={1.5} />}
            onSelect={() => void navigate({ to: '/admin/mails' })}
          >
            Mails that wait
          </DropdownMenuItem>
        </>
      )}
      <DropdownMenuSeparator />
      <DropdownMenuItem
        icon={<LogOut aria-hidden size={16} strokeWidth={1.5} />}
        onSelect={() => session.send({ type: 'SIGN_OUT' })}
      >
        Sign out
      </DropdownMenuItem>
    </DropdownMenu>
  )
}
