import { Avatar, Badge, Button, Select } from '@boxyard/ui'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useApp } from '../App.ts'
import { changeMember, removeMember, revokeInvitation } from './workspaceCommands.ts'
import { memberAuthorizationNames, roleIn } from './workspaceQueries.ts'
import type { MemberAuthorization, WorkspaceDetails } from './workspaceQueries.ts'

/** The people of a workspace and those who are invited; its administrators change them here. */
export function MembersSection({ team, userId }: { team: WorkspaceDetails; userId: string }) {
  const app = useApp()
  const isAdmin = roleIn(team, userId) === 'ADMIN'
  const change = useMutation({
    mutationFn: (command: () => Promise<void>) => command(),
    onError: (error) =>
      app.notices.add({ uniqueName: 'members', tone: 'error', title: 'Nothing was changed', body: error.message }),
  })
  const roles = Object.entries(memberAuthorizationNames).filter(([value]) => value !== 'NONE')
  return (
    <ul aria-label="People" className="flex list-none flex-col rounded-menu border border-line p-0">
      {team.members.map((person) => {
        const role = roleIn(team, person.id)
        return (
          <Row key={person.id} person={person}>
            {person.id === userId && <Badge>You</Badge>}
            {isAdmin && person.id !== userId ? (
              <>
                <div className="w-28 [&_label]:sr-only">
                  <Select
                    label={`Role of ${person.username}`}
                    value={role}
                    disabled={change.isPending}
                    onValueChange={(value) =>
                      change.mutate(() => changeMember(app, team.id, person.id, value as MemberAuthorization))
                    }
                    options={roles.map(([value, label]) => ({ value, label }))}
                  />
                </div>
                <Button
                  size="small"
                  variant="quiet"
                  disabled={change.isPending}
                  aria-label={`Remove ${person.username}`}
                  onClick={() => change.mutate(() => removeMember(app, team.id, person.id))}
                >
                  Remove
                </Button>
              </>
            ) : (
              <span className="text-quiet">{memberAuthorizationNames[role]}</span>
            )}
          </Row>
        )
      })}
      {team.invitees.map((person) => (
        <Row key={person.id} person={person}>
          <Badge tone="warning">Invited</Badge>
          {isAdmin && (
            <Button
              size="small"
              variant="quiet"
              disabled={change.isPending}
              aria-label={`Take back the invitation of ${person.username}`}
              onClick={() => change.mutate(() => revokeInvitation(app, team.id, person.id))}
            >
              Take back
            </Button>
          )}
        </Row>
      ))}
    </ul>
  )
}

function Row({ person, children }: { person: WorkspaceDetails['members'][number]; children: ReactNode }) {
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-3 border-b border-line px-3 py-1.5 last:border-b-0">
      <Avatar src={person.avatarUrl || null} name={person.name ?? person.username} />
      <span className="min-w-0 flex-1 basis-32">
        <span className="block truncate">{person.name ?? person.username}</span>
        {person.name && <span className="block truncate text-12 text-quiet">{person.username}</span>}
      </span>
      {children}
    </li>
  )
}
