import { Avatar, Banner, Button, Dialog, Input, Select } from '@boxyard/ui'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useApp } from '../App.ts'
import { copyLink } from '../copyLink.ts'
import {
  livePermissions,
  liveSessionOf,
  permitGuest,
  permitGuests,
  startLiveSession,
  stopLiveSession,
} from './liveSession.ts'
import type { LivePermission, LiveSession } from './liveSession.ts'

const permissionNames: Readonly<Record<LivePermission, string>> = { READ: 'Look and follow', WRITE: 'Edit with you' }
const permissionOptions = livePermissions.map((value) => ({ value, label: permissionNames[value] }))
const permissionOf = (value: string): LivePermission => (value === 'WRITE' ? 'WRITE' : 'READ')

export interface LiveSessionDialogProps {
  /** The devbox. */
  vmId: string
  /** Null: none runs. */
  session: LiveSession | null
  onClose: () => void
}

/** Opens a devbox to whoever has a link, for as long as its host wants, and says what each guest may do. */
export function LiveSessionDialog({ vmId, session, onClose }: LiveSessionDialogProps) {
  const app = useApp()
  const [atStart, setAtStart] = useState<LivePermission>('WRITE')
  const command = useMutation({
    mutationFn: (perform: () => Promise<void>) => perform(),
    onSettled: () => app.queries.invalidateQueries({ queryKey: liveSessionOf(app, vmId).queryKey }),
  })
  const run = (perform: () => Promise<void>) => command.mutate(perform)
  return (
    <Dialog
      open
      width="md"
      title="Live session"
      description={
        session
          ? 'Everybody who is signed in and has the link can come in, until you end the session.'
          : 'Invite people to this devbox for a while. They need the link and an account, and nothing else is shared with them.'
      }
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <div className="flex flex-col gap-4">
        {command.isError && (
          <Banner tone="error">Nothing was changed: {command.error.message}. The session is as shown here.</Banner>
        )}
        {session ? (
          <RunningSession session={session} isBusy={command.isPending} run={run} />
        ) : (
          <>
            <Select
              label="Guests can"
              value={atStart}
              onValueChange={(value) => setAtStart(permissionOf(value))}
              options={permissionOptions}
            />
            <p className="text-12 text-quiet">
              Who edits can also use the terminals, and so everything that this devbox can reach.
            </p>
            <div className="flex justify-end">
              <Button
                variant="primary"
                loading={command.isPending}
                onClick={() => run(() => startLiveSession(app, vmId, atStart))}
              >
                Start live session
              </Button>
            </div>
          </>
        )}
      </div>
    </Dialog>
  )
}

function RunningSession({
  session,
  isBusy,
  run,
}: {
  session: LiveSession
  isBusy: boolean
  run: (perform: () => Promise<void>) => void
}) {
  const app = useApp()
  const { vmId, guests, defaultPermission } = session
  const link = `${window.location.origin}/live/${session.id}`
  return (
    <>
      <div className="flex items-end gap-2">
        <Input className="flex-1" label="Link to come in by" readOnly value={link} />
        <Button variant="primary" onClick={() => copyLink(app.notices, link)}>
          Copy link
        </Button>
      </div>
      <Select
        label="Guests can"
        value={defaultPermission}
        disabled={isBusy}
        onValueChange={(value) => run(() => permitGuests(app, vmId, permissionOf(value)))}
        options={permissionOptions}
      />
      {guests.length === 0 ? (
        <p className="text-quiet">Nobody has come in yet. Send the link to whom you want here.</p>
      ) : (
        <ul aria-label="Guests" className="flex list-none flex-col rounded-menu border border-line p-0">
          {guests.map(({ userId, username, avatarUrl, permission }) => (
            <li
              key={userId}
              className="flex min-h-12 flex-wrap items-center gap-3 border-b border-line px-3 py-1.5 last:border-b-0"
            >
              <Avatar src={avatarUrl || null} name={username} />
              <span className="min-w-0 flex-1 basis-24 truncate">{username}</span>
              <div className="w-40 [&_label]:sr-only">
                <Select
                  label={`What ${username} can do`}
                  value={permission}
                  disabled={isBusy}
                  onValueChange={(value) =>
                    run(() => permitGuest(app, vmId, { userId, permission: permissionOf(value) }))
                  }
                  options={permissionOptions}
                />
              </div>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-12 text-quiet">What guests have written stays in the devbox.</p>
        <Button variant="danger" loading={isBusy} onClick={() => run(() => stopLiveSession(app, vmId))}>
          End live session
        </Button>
      </div>
    </>
  )
}
