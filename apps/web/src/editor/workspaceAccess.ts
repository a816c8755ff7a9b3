import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import type { App } from '../App.ts'

/** What was not opened. */
export type ClosedPlace = { sandboxId: string } | { owner: string; repo: string }

const workspace = z.object({ id: z.string(), name: z.string() })
export type ClosedWorkspace = z.output<typeof workspace>

export interface WorkspaceAccess {
  /** The workspace that takes the person in at once. */
  eligible: ClosedWorkspace | null
  /** Those whose administrators can be asked. */
  toAsk: readonly ClosedWorkspace[]
  /** Whether it can be read without being in any of them. */
  isReadable: boolean
}

const sandboxDocument = `query eligible($sandboxId: ID!) { sandboxEligibleWorkspace(sandboxId: $sandboxId) { id name } }`
const repositoryDocument = `query access($owner: String!, $repo: String!) {
  recentTeamsByRepository(owner: $owner, name: $repo, provider: GITHUB) { id name }
  githubRepo(owner: $owner, repo: $repo) { private }
  me { eligibleWorkspaces { id } }
}`

/** How somebody who is signed in gets into what was not opened for them. */
export const workspaceAccess = ({ graphql }: Pick<App, 'graphql'>, place: ClosedPlace) =>
  queryOptions({
    queryKey: ['workspace-access', place],
    queryFn: async (): Promise<WorkspaceAccess> => {
      if ('sandboxId' in place) {
        const found = await graphql.query(sandboxDocument, {
          variables: place,
          schema: z.object({ sandboxEligibleWorkspace: workspace.nullable() }),
        })
        return { eligible: found.sandboxEligibleWorkspace, toAsk: [], isReadable: false }
      }
      const found = await graphql.query(repositoryDocument, {
        variables: place,
        schema: z.object({
          recentTeamsByRepository: z.array(workspace),
          githubRepo: z.object({ private: z.boolean() }).nullable(),
          me: z.object({ eligibleWorkspaces: z.array(z.object({ id: z.string() })) }).nullable(),
        }),
      })
      const toAsk = found.recentTeamsByRepository
      const open = new Set(found.me?.eligibleWorkspaces.map(({ id }) => id))
      return {
        eligible: toAsk.find(({ id }) => open.has(id)) ?? null,
        toAsk,
        isReadable: found.githubRepo?.private === false,
      }
    },
    retry: false,
  })

const joinDocument = `mutation join($workspaceId: ID!) { joinEligibleWorkspace(workspaceId: $workspaceId) { id } }`
const requestDocument = `mutation request($teamId: UUID4!) { requestTeamInvitation(teamId: $teamId) }`

export async function joinWorkspace({ graphql }: Pick<App, 'graphql'>, workspaceId: string): Promise<void> {
  await graphql.query(joinDocument, { variables: { workspaceId }, schema: z.unknown() })
}

export async function requestAccess({ graphql }: Pick<App, 'graphql'>, teamId: string): Promise<void> {
  await graphql.query(requestDocument, { variables: { teamId }, schema: z.unknown() })
}
