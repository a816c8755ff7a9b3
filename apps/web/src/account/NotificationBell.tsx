import { Button, IconButton } from '@boxyard/ui'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Bell, Check, X } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useApp } from '../App.ts'
import { relativeTime } from '../dashboard/relativeTime.ts'
import { changeNotifications, notifications, wordsOf } from './notifications.ts'

const icon = { 'aria-hidden': true, size: 16, strokeWidth: 1.5 } as const

/** What happened that concerns the person, with how much of it is new. */
export function NotificationBell() {
  const app = useApp()
  const query = useQuery(notifications(app))
  const change = useMutation({
    mutationFn: (command: Parameters<typeof changeNotifications>[1]) => changeNotifications(app, command),
  })
  const shown = (query.data ?? []).filter(({ archived }) => !archived)
  const unread = shown.filter(({ read }) => !read).length
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <IconButton label={unread === 0 ? 'Notifications' : `Notifications, ${unread} new`} className="relative">
          <Bell {...icon} />
          {unread > 0 && <span aria-hidden className="absolute top-1.5 right-1.5 size-2 rounded-full bg-accent" />}
        </IconButton>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          aria-label="Notifications"
          className="animate-open z-50 flex max-h-[70dvh] w-[340px] max-w-[calc(100vw-16px)] flex-col overflow-hidden rounded-menu border border-line-strong bg-raised text-13 text-text shadow-float"
        >
          <div className="flex items-center gap-2 border-b border-line px-3 py-2">
            <h2 className="min-w-0 flex-1 font-semibold">Notifications</h2>
            <Button
              size="small"
              variant="quiet"
              disabled={unread === 0 || change.isPending}
              onClick={() => change.mutate({ kind: 'readAll' })}
            >
              Mark all as read
            </Button>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto">
            {query.isError && <p className="p-4 text-danger">They could not be loaded: {query.error.message}</p>}
            {query.isSuccess && shown.length === 0 && (
              <p className="p-6 text-center text-quiet">
                Nothing new. Invitations, comments and reviews that concern you appear here.
              </p>
            )}
            <ul className="m-0 list-none p-0">
              {shown.map((one) => {
                const { text, link } = wordsOf(one)
                return (
                  <li key={one.id} className="flex items-start gap-2 border-b border-line px-3 py-2 last:border-b-0">
                    <span
                      aria-hidden
                      className={`mt-1.5 size-2 shrink-0 rounded-full ${one.read ? '' : 'bg-accent'}`}
                    />
                    <div className="min-w-0 flex-1">
                      {link ? (
                        <a
                          href={link}
                          className="text-text"
                          onClick={() => change.mutate({ kind: 'read', id: one.id })}
                        >
                          {text}
                        </a>
                      ) : (
                        <span>{text}</span>
                      )}
                      <div className="text-12 text-quiet">
                        {relativeTime(one.insertedAt, new Date(query.dataUpdatedAt))}
                        {!one.read && <span className="sr-only">, new</span>}
                      </div>
                    </div>
                    {!one.read && (
                      <IconButton
                        label="Mark as read"
                        size="small"
                        onClick={() => change.mutate({ kind: 'read', id: one.id })}
                      >
                        <Check {...icon} />
                      </IconButton>
                    )}
                    <IconButton
                      label="Archive"
                      size="small"
                      onClick={() => change.mutate({ kind: 'archive', id: one.id })}
                    >
                      <X {...icon} />
                    </IconButton>
                  </li>
                )
              })}
            </ul>
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
