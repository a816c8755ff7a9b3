import { Button, Dialog, Input, Skeleton } from '@boxyard/ui'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useApp } from '../App.ts'
import { QueryView } from '../dashboard/QueryView.tsx'
import { InviteForm } from './InviteForm.tsx'
import { MembersSection } from './MembersSection.tsx'
import { deleteWorkspace, describeWorkspace, leaveWorkspace, renameWorkspace } from './workspaceCommands.ts'
import { roleIn, workspaceDetails } from './workspaceQueries.ts'
import type { WorkspaceDetails } from './workspaceQueries.ts'

/** What a workspace is called, who is in it, and how to leave it. */
export function OverviewPage({ workspace, userId }: { workspace: string; userId: string }) {
  const details = useQuery(workspaceDetails(useApp(), workspace))
  return (
    <QueryView query={details} what="This workspace" skeleton={<Skeleton className="h-64" />}>
      {(team) => {
        const isAdmin = roleIn(team, userId) === 'ADMIN'
        return (
          <div className="flex max-w-[720px] flex-col gap-8">
            <NameSection key={team.id} team={team} editable={isAdmin} />
            <Section title="People">
              {isAdmin && <InviteForm team={team} />}
              <MembersSection team={team} userId={userId} />
            </Section>
            <UsageSection team={team} />
            <LeaveSection team={team} isAdmin={isAdmin} />
          </div>
        )
      }}
    </QueryView>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-16 font-semibold">{title}</h2>
      {children}
    </section>
  )
}

function NameSection({ team, editable }: { team: WorkspaceDetails; editable: boolean }) {
  const app = useApp()
  const [name, setName] = useState(team.name)
  const [description, setDescription] = useState(team.description ?? '')
  const save = useMutation({
    mutationFn: async () => {
      if (name.trim() !== team.name) await renameWorkspace(app, team.id, name.trim())
      if (description.trim() !== (team.description ?? '')) await describeWorkspace(app, team.id, description.trim())
    },
    onSuccess: () => app.notices.add({ uniqueName: 'saved', tone: 'success', title: 'Saved', timeout: 3_000 }),
  })
  if (!editable) {
    return (
      <Section title={team.name}>
        <p className="text-quiet">{team.description || 'This workspace has no description.'}</p>
      </Section>
    )
  }
  const isChanged = name.trim() !== team.name || description.trim() !== (team.description ?? '')
  return (
    <Section title="Workspace">
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Input label="Name" value={name} maxLength={100} onChange={(event) => setName(event.target.value)} />
        <Input
          label="Description"
          value={description}
          maxLength={500}
          variant={save.isError ? 'error' : 'base'}
          hint={save.error?.message}
          onChange={(event) => setDescription(event.target.value)}
        />
        <div>
          <Button type="submit" variant="primary" loading={save.isPending} disabled={!isChanged || name.trim() === ''}>
            Save
          </Button>
        </div>
      </form>
    </Section>
  )
}

function UsageSection({ team }: { team: WorkspaceDetails }) {
  const rows: readonly [string, number, number][] = [
    ['Sandboxes', team.usage.sandboxes, team.limits.includedSandboxes],
    ['People who edit', team.usage.editorsQuantity, team.limits.includedMembers],
  ]
  return (
    <Section title="Use">
      <dl className="grid grid-cols-[max-content_1fr] gap-x-6 gap-y-1">
        {rows.map(([label, used, included]) => (
          <div key={label} className="contents">
            <dt className="text-quiet">{label}</dt>
            <dd className="tabular-nums">
              {used} of {included}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

function LeaveSection({ team, isAdmin }: { team: WorkspaceDetails; isAdmin: boolean }) {
  const app = useApp()
  const navigate = useNavigate()
  const [asking, setAsking] = useState<'leave' | 'delete'>()
  const go = useMutation({
    mutationFn: () => (asking === 'delete' ? deleteWorkspace(app, team.id) : leaveWorkspace(app, team.id)),
    onSuccess: () => navigate({ to: '/dashboard/recent', search: {} }),
  })
  return (
    <Section title="Leave">
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setAsking('leave')}>Leave this workspace</Button>
        {isAdmin && (
          <Button variant="danger" onClick={() => setAsking('delete')}>
            Delete this workspace
          </Button>
        )}
      </div>
      {asking && (
        <Dialog
          open
          width="sm"
          title={asking === 'delete' ? `Delete ${team.name}?` : `Leave ${team.name}?`}
          description={
            asking === 'delete'
              ? 'Everybody loses their access to it, and everything in it is deleted.'
              : 'You lose your access to what is in it. What you made there stays with the workspace.'
          }
          onOpenChange={() => setAsking(undefined)}
        >
          {go.isError && (
            <p role="alert" className="mb-3 text-danger">
              {go.error.message}
            </p>
          )}
          <div className="flex justify-end gap-2">
            <Button variant="quiet" onClick={() => setAsking(undefined)}>
              Stay
            </Button>
            <Button variant="danger" loading={go.isPending} onClick={() => go.mutate()}>
              {asking === 'delete' ? 'Delete' : 'Leave'}
            </Button>
          </div>
        </Dialog>
      )}
    </Section>
  )
}
