import { z } from 'zod'
import type { App } from '../App.ts'
import type { AiConsent, MemberAuthorization } from './workspaceQueries.ts'

/** Runs one mutation about a workspace and has the pages read it again. */
async function change(app: App, document: string, variables: Record<string, unknown>): Promise<void> {
  await app.graphql.query(document, { variables, schema: z.unknown() })
  await Promise.all([
    app.queries.invalidateQueries({ queryKey: ['workspace'] }),
    app.queries.invalidateQueries({ queryKey: ['workspaces'] }),
  ])
}

/** Answers with the id of the new workspace. */
export async function createWorkspace(app: App, name: string): Promise<string> {
  const { createTeam } = await app.graphql.query(
    `mutation createTeam($name: String!) { createTeam(name: $name) { id } }`,
    { variables: { name }, schema: z.object({ createTeam: z.object({ id: z.string() }) }) },
  )
  await app.queries.invalidateQueries({ queryKey: ['workspaces'] })
  return createTeam.id
}

export const renameWorkspace = (app: App, teamId: string, name: string) =>
  change(
    app,
    `mutation setTeamName($teamId: UUID4!, $name: String!) { setTeamName(teamId: $teamId, name: $name) { id } }`,
    {
      teamId,
      name,
    },
  )

export const describeWorkspace = (app: App, teamId: string, description: string) =>
  change(
    app,
    `mutation setTeamDescription($teamId: UUID4!, $description: String!) { setTeamDescription(teamId: $teamId, description: $description) { id } }`,
    { teamId, description },
  )

/** Invites by e-mail when what was typed has an @, else by user name. */
export const invite = (app: App, teamId: string, whom: string, authorization: MemberAuthorization) =>
  whom.includes('@')
    ? change(
        app,
        `mutation inviteToTeamViaEmail($teamId: UUID4!, $email: String!, $authorization: TeamMemberAuthorization) { inviteToTeamViaEmail(teamId: $teamId, email: $email, authorization: $authorization) }`,
        { teamId, email: whom, authorization },
      )
    : change(
        app,
        `mutation inviteToTeam($teamId: UUID4!, $username: String!, $authorization: TeamMemberAuthorization) { inviteToTeam(teamId: $teamId, username: $username, authorization: $authorization) { id } }`,
        { teamId, username: whom, authorization },
      )

export const revokeInvitation = (app: App, teamId: string, userId: string) =>
  change(
    app,
    `mutation revokeTeamInvitation($teamId: UUID4!, $userId: UUID4!) { revokeTeamInvitation(teamId: $teamId, userId: $userId) { id } }`,
    { teamId, userId },
  )

export const removeMember = (app: App, teamId: string, userId: string) =>
  change(
    app,
    `mutation removeFromTeam($teamId: UUID4!, $userId: UUID4!) { removeFromTeam(teamId: $teamId, userId: $userId) { id } }`,
    { teamId, userId },
  )

export const changeMember = (app: App, teamId: string, userId: string, authorization: MemberAuthorization) =>
  change(
    app,
    `mutation changeTeamMemberAuthorizations($teamId: UUID4!, $memberAuthorizations: [MemberAuthorization!]) { changeTeamMemberAuthorizations(teamId: $teamId, memberAuthorizations: $memberAuthorizations) { id } }`,
    { teamId, memberAuthorizations: [{ userId, authorization }] },
  )

export const leaveWorkspace = (app: App, teamId: string) =>
  change(app, `mutation leaveTeam($teamId: UUID4!) { leaveTeam(teamId: $teamId) }`, { teamId })

export const deleteWorkspace = (app: App, teamId: string) =>
  change(app, `mutation deleteWorkspace($teamId: UUID4!) { deleteWorkspace(teamId: $teamId) }`, { teamId })

export const setDefaultAuthorization = (app: App, teamId: string, defaultAuthorization: MemberAuthorization) =>
  change(
    app,
    `mutation setDefaultTeamMemberAuthorization($teamId: UUID4!, $defaultAuthorization: TeamMemberAuthorization!) { setDefaultTeamMemberAuthorization(teamId: $teamId, defaultAuthorization: $defaultAuthorization) { defaultAuthorization } }`,
    { teamId, defaultAuthorization },
  )

export const setMinimumPrivacy = (app: App, teamId: string, minimumPrivacy: number, updateDrafts: boolean) =>
  change(
    app,
    `mutation setTeamMinimumPrivacy($teamId: UUID4!, $minimumPrivacy: Int!, $updateDrafts: Boolean!) { setTeamMinimumPrivacy(teamId: $teamId, minimumPrivacy: $minimumPrivacy, updateDrafts: $updateDrafts) { minimumPrivacy } }`,
    { teamId, minimumPrivacy, updateDrafts },
  )

export const setProtection = (
  app: App,
  teamId: string,
  { preventSandboxExport, preventSandboxLeaving }: { preventSandboxExport: boolean; preventSandboxLeaving: boolean },
) =>
  change(
    app,
    `mutation setWorkspaceSandboxSettings($teamId: UUID4!, $preventSandboxExport: Boolean!, $preventSandboxLeaving: Boolean!) { setWorkspaceSandboxSettings(teamId: $teamId, preventSandboxExport: $preventSandboxExport, preventSandboxLeaving: $preventSandboxLeaving) { preventSandboxExport } }`,
    { teamId, preventSandboxExport, preventSandboxLeaving },
  )

export const setAiConsent = (app: App, teamId: string, consent: AiConsent) =>
  change(
    app,
    `mutation setTeamAiConsent($teamId: UUID4!, $privateRepositories: Boolean!, $privateSandboxes: Boolean!, $publicRepositories: Boolean!, $publicSandboxes: Boolean!) { setTeamAiConsent(teamId: $teamId, privateRepositories: $privateRepositories, privateSandboxes: $privateSandboxes, publicRepositories: $publicRepositories, publicSandboxes: $publicSandboxes) { publicSandboxes } }`,
    { teamId, ...consent },
  )
