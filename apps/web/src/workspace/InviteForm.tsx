import { Button, Input, Select } from '@boxyard/ui'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useApp } from '../App.ts'
import { copyLink } from '../copyLink.ts'
import { invite } from './workspaceCommands.ts'
import { memberAuthorizationNames } from './workspaceQueries.ts'
import type { MemberAuthorization, WorkspaceDetails } from './workspaceQueries.ts'

const roles: readonly MemberAuthorization[] = ['ADMIN', 'WRITE', 'READ']

/** Invites somebody by user name or e-mail, or by a link that anybody can use. */
export function InviteForm({ team }: { team: WorkspaceDetails }) {
  const app = useApp()
  const [whom, setWhom] = useState('')
  const [role, setRole] = useState<MemberAuthorization>('WRITE')
  const send = useMutation({
    mutationFn: () => invite(app, team.id, whom.trim(), role),
    onSuccess: () => {
      app.notices.add({ uniqueName: 'invited', tone: 'success', title: `${whom.trim()} is invited`, timeout: 4_000 })
      setWhom('')
    },
  })
  const link = `${window.location.origin}/invite/${team.inviteToken}`
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        send.mutate()
      }}
    >
      <Input
        label="Invite by user name or e-mail"
        className="min-w-0 flex-1 basis-48"
        value={whom}
        maxLength={254}
        variant={send.isError ? 'error' : 'base'}
        hint={send.error?.message}
        onChange={(event) => setWhom(event.target.value)}
      />
      <div className="w-32">
        <Select
          label="As"
          value={role}
          onValueChange={(value) => setRole(value as MemberAuthorization)}
          options={roles.map((value) => ({ value, label: memberAuthorizationNames[value] }))}
        />
      </div>
      <Button type="submit" variant="primary" loading={send.isPending} disabled={whom.trim() === ''}>
        Invite
      </Button>
      <Button onClick={() => copyLink(app.notices, link)}>Copy invitation link</Button>
    </form>
  )
}
