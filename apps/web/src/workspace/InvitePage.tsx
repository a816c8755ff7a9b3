import { Avatar, Button, EmptyState, Skeleton } from '@boxyard/ui'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { z } from 'zod'
import { useApp } from '../App.ts'
import type { App } from '../App.ts'
import { QueryView } from '../dashboard/QueryView.tsx'

const invitedTo = (app: App, token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: async () => {
      const { teamByToken } = await app.graphql.query(
        `query teamByToken($token: String!) { teamByToken(inviteToken: $token) { id name description avatarUrl } }`,
        {
          variables: { token },
          schema: z.object({
            teamByToken: z
              .object({
                id: z.string(),
                name: z.string(),
                description: z.string().nullable(),
                avatarUrl: z.string().nullable(),
              })
              .nullable(),
          }),
        },
      )
      return teamByToken
    },
  })

/** The way into a workspace by the link of an invitation. */
export function InvitePage({ token }: { token: string }) {
  const app = useApp()
  const navigate = useNavigate()
  const invitation = useQuery(invitedTo(app, token))
  const join = useMutation({
    mutationFn: async () => {
      const { redeemTeamInviteToken: team } = await app.graphql.query(
        `mutation redeemTeamInviteToken($token: String!) { redeemTeamInviteToken(inviteToken: $token) { id } }`,
        { variables: { token }, schema: z.object({ redeemTeamInviteToken: z.object({ id: z.string() }) }) },
      )
      await app.queries.invalidateQueries({ queryKey: ['workspaces'] })
      app.workspace.choose(team.id)
      await navigate({ to: '/dashboard/recent', search: { workspace: team.id } })
    },
  })
  return (
    <QueryView query={invitation} what="The invitation" skeleton={<Skeleton className="h-48" />}>
      {(team) =>
        team ? (
          <EmptyState
            icon={<Avatar shape="block" size="l" src={team.avatarUrl} name={team.name} />}
            title={`You are invited to ${team.name}`}
            action={
              <Button variant="primary" size="large" loading={join.isPending} onClick={() => join.mutate()}>
                Join {team.name}
              </Button>
            }
          >
            {team.description || 'Once you join, you see the sandboxes, folders and repositories of this workspace.'}
            {join.isError && (
              <p role="alert" className="mt-2 text-danger">
                You did not join: {join.error.message}
              </p>
            )}
          </EmptyState>
        ) : (
          <EmptyState icon={<Users aria-hidden size={28} strokeWidth={1.5} />} title="This invitation is not valid">
            The link may have been replaced by a newer one. Ask somebody in the workspace for a new link.
          </EmptyState>
        )
      }
    </QueryView>
  )
}
