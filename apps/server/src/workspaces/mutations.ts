import { ApiError } from '@boxyard/api'
import type { TeamOperation } from '@boxyard/api'
import { z } from 'zod'
import { findUserByName } from '../accounts/users.ts'
import type { User } from '../accounts/users.ts'
import type { Builder } from '../graphql/builder.ts'
import type { GraphqlContext } from '../graphql/graphqlContext.ts'
import { requireUser } from '../graphql/requireUser.ts'
import type { GraphqlTypes } from '../graphql/types.ts'
import { validInput } from '../graphql/validInput.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import { authorizeTeam } from './authorizeTeam.ts'
import { changeTeamSettings, describeTeam, setMinimumPrivacy } from './changeTeam.ts'
import { createTeam, teamNameSchema } from './createTeam.ts'
import { deleteTeam } from './deleteTeam.ts'
import {
  acceptInvitation,
  inviteEmail,
  inviteUser,
  joinEligibleTeam,
  redeemToken,
  rejectInvitation,
  requestInvitation,
  revokeInvitation,
} from './invitations.ts'
import { changeMembers, endMembership, setPrimaryTeam } from './members.ts'
import type { Team } from './teams.ts'

const descriptionSchema = z.string().trim().max(500, 'At most 500 characters.')
const useCasesSchema = z.array(z.string().trim().min(1).max(100)).max(20, 'At most 20 use cases.')
const emailSchema = z.email('This is no e-mail address.').max(254)
const memberChangesSchema = z.array(z.unknown()).max(100, 'At most 100 members at once.')
const spendingLimitSchema = z.int().min(0, 'The limit can not be negative.').max(10_000_000).nullable()

/** Changes of workspaces and their members. Each locks its workspace, so that two never work on an old state. */
export function defineWorkspaceMutations(builder: Builder, types: GraphqlTypes): void {
  /** Runs a command in a workspace when whoever asks may do this there. */
  async function inTeam<T>(
    context: GraphqlContext,
    id: string,
    operation: TeamOperation,
    command: (work: Work, team: Team, user: User) => Promise<T>,
  ): Promise<T> {
    const user = requireUser(context)
    return inTransaction(context.database, user, async (work) => {
      const { team } = await authorizeTeam(work.tx, id, user, operation, { lock: true })
      return command(work, team, user)
    })
  }

  const done = async (work: Promise<void>, answer: string) => {
    await work
    return answer
  }

  builder.mutationFields((t) => ({
    createTeam: t.field({
      type: types.team,
      nullable: false,
      args: { name: t.arg.string({ required: true }), pilot: t.arg.boolean() },
      resolve: (_root, { name }, context) => {
        const user = requireUser(context)
        const valid = validInput(teamNameSchema, name)
        return inTransaction(context.database, user, (work) => createTeam(work, user, valid))
      },
    }),
    deleteWorkspace: t.string({
      nullable: false,
      args: { teamId: t.arg({ type: 'UUID4', required: true }) },
      resolve: async (_root, { teamId }, context) => {
        const devboxes = await inTeam(context, teamId, 'delete', deleteTeam)
        for (const id of devboxes) {
          await context.machines?.remove(id).catch((error: unknown) => {
            context.server.log.error({ err: error, sandbox: id }, 'a machine of a deleted workspace is still there')
          })
        }
        return 'Workspace deleted'
      },
    }),
    setTeamName: t.field({
      type: types.team,
      nullable: false,
      args: { name: t.arg.string({ required: true }), teamId: t.arg({ type: 'UUID4', required: true }) },
      resolve: (_root, args, context) => {
        const name = validInput(teamNameSchema, args.name)
        return inTeam(context, args.teamId, 'describe', (work, team) => describeTeam(work, team, { name }))
      },
    }),
    setTeamDescription: t.field({
      type: types.team,
      nullable: false,
      args: { description: t.arg.string({ required: true }), teamId: t.arg({ type: 'UUID4', required: true }) },
      resolve: (_root, args, context) => {
        const description = validInput(descriptionSchema, args.description)
        return inTeam(context, args.teamId, 'describe', (work, team) => describeTeam(work, team, { description }))
      },
    }),
    setTeamMetadata: t.field({
      type: types.team,
      nullable: false,
      args: {
        metadata: t.arg({ type: types.teamMetadataInput, required: true }),
        teamId: t.arg({ type: 'UUID4', required: true }),
      },
      resolve: (_root, { metadata, teamId }, context) => {
        const useCases = validInput(useCasesSchema, metadata.useCases)
        return inTeam(context, teamId, 'describe', (work, team) => describeTeam(work, team, { useCases }))
      },
    }),
    setTeamLimits: t.string({
      nullable: false,
      args: { onDemandSpendingLimit: t.arg.int(), teamId: t.arg({ type: 'UUID4', required: true }) },
      resolve: (_root, args, context) => {
        const onDemandSpendingLimit = validInput(spendingLimitSchema, args.onDemandSpendingLimit ?? null)
        const change = inTeam(context, args.teamId, 'changeBilling', async (work, team) => {
          await changeTeamSettings(work, team, { onDemandSpendingLimit })
        })
        return done(change, 'Limits set')
      },
    }),
    setTeamMinimumPrivacy: t.field({
      type: types.workspaceSandboxSettings,
      nullable: false,
      args: {
        minimumPrivacy: t.arg.int({ required: true }),
        teamId: t.arg({ type: 'UUID4', required: true }),
        updateDrafts: t.arg.boolean({ required: true }),
      },
      resolve: (_root, { minimumPrivacy, teamId, updateDrafts }, context) =>
        inTeam(context, teamId, 'changeSettings', (work, team) =>
          setMinimumPrivacy(work, team, minimumPrivacy, updateDrafts),
        ),
    }),
    setWorkspaceSandboxSettings: t.field({
      type: types.workspaceSandboxSettings,
      nullable: false,
      args: {
        preventSandboxExport: t.arg.boolean({ required: true }),
        preventSandboxLeaving: t.arg.boolean({ required: true }),
        teamId: t.arg({ type: 'UUID4', required: true }),
      },
      resolve: (_root, { teamId, preventSandboxExport, preventSandboxLeaving }, context) =>
        inTeam(context, teamId, 'changeSettings', (work, team) =>
          changeTeamSettings(work, team, { preventSandboxExport, preventSandboxLeaving }),
        ),
    }),
    setDefaultTeamMemberAuthorization: t.field({
      type: types.workspaceSandboxSettings,
      nullable: false,
      args: {
        defaultAuthorization: t.arg({ type: types.teamMemberAuthorization, required: true }),
        teamId: t.arg({ type: 'UUID4', required: true }),
      },
      resolve: (_root, { defaultAuthorization, teamId }, context) =>
        inTeam(context, teamId, 'changeSettings', (work, team) =>
          changeTeamSettings(work, team, { defaultAuthorization }),
        ),
    }),
    setTeamAiConsent: t.field({
      type: types.teamAiConsent,
      nullable: false,
      args: {
        privateRepositories: t.arg.boolean({ required: true }),
        privateSandboxes: t.arg.boolean({ required: true }),
        publicRepositories: t.arg.boolean({ required: true }),
        publicSandboxes: t.arg.boolean({ required: true }),
        teamId: t.arg({ type: 'UUID4', required: true }),
      },
      resolve: async (_root, { teamId, ...consent }, context) => {
        await inTeam(context, teamId, 'changeSettings', (work, team) =>
          changeTeamSettings(work, team, {
            aiPrivateRepositories: consent.privateRepositories,
            aiPrivateSandboxes: consent.privateSandboxes,
            aiPublicRepositories: consent.publicRepositories,
            aiPublicSandboxes: consent.publicSandboxes,
          }),
        )
        return consent
      },
    }),
    setPrimaryWorkspace: t.string({
      nullable: false,
      args: { primaryWorkspaceId: t.arg({ type: 'UUID4', required: true }) },
      resolve: (_root, { primaryWorkspaceId }, context) =>
        done(
          inTeam(context, primaryWorkspaceId, 'see', (work, team, user) => setPrimaryTeam(work, team, user.id)),
          'Primary workspace set',
        ),
    }),

    inviteToTeam: t.field({
      type: types.team,
      nullable: false,
      args: {
        authorization: t.arg({ type: types.teamMemberAuthorization }),
        teamId: t.arg({ type: 'UUID4', required: true }),
        username: t.arg.string({ required: true }),
      },
      resolve: (_root, { authorization, teamId, username }, context) =>
        inTeam(context, teamId, 'invite', async (work, team, user) => {
          const role = await invitedRole(work, team, user, authorization)
          const invited = await findUserByName(work.tx, username)
          if (!invited) throw new ApiError('NOT_FOUND', { detail: 'There is nobody with this username' })
          await inviteUser(work, team, user, invited, role)
          return team
        }),
    }),
    inviteToTeamViaEmail: t.string({
      nullable: false,
      args: {
        authorization: t.arg({ type: types.teamMemberAuthorization }),
        email: t.arg.string({ required: true }),
        teamId: t.arg({ type: 'UUID4', required: true }),
      },
      resolve: (_root, args, context) => {
        const email = validInput(emailSchema, args.email)
        const invite = inTeam(context, args.teamId, 'invite', async (work, team, user) => {
          const role = await invitedRole(work, team, user, args.authorization)
          await inviteEmail(work, team, user, email, role)
        })
        return done(invite, 'Invitation sent')
      },
    }),
    revokeTeamInvitation: t.field({
      type: types.team,
      nullable: false,
      args: { teamId: t.arg({ type: 'UUID4', required: true }), userId: t.arg({ type: 'UUID4', required: true }) },
      resolve: (_root, { teamId, userId }, context) =>
        inTeam(context, teamId, 'answerRequests', async (work, team) => {
          await revokeInvitation(work, team, userId)
          return team
        }),
    }),
    acceptTeamInvitation: t.field({
      type: types.team,
      nullable: false,
      args: { teamId: t.arg({ type: 'UUID4', required: true }) },
      resolve: (_root, { teamId }, context) => {
        const user = requireUser(context)
        return inTransaction(context.database, user, (work) => acceptInvitation(work, user, teamId))
      },
    }),
    rejectTeamInvitation: t.string({
      nullable: false,
      args: { teamId: t.arg({ type: 'UUID4', required: true }) },
      resolve: (_root, { teamId }, context) => {
        const user = requireUser(context)
        return done(
          inTransaction(context.database, user, (work) => rejectInvitation(work, user, teamId)),
          'Invitation rejected',
        )
      },
    }),
    requestTeamInvitation: t.string({
      nullable: false,
      args: { teamId: t.arg({ type: 'UUID4', required: true }) },
      resolve: (_root, { teamId }, context) => {
        const user = requireUser(context)
        return done(
          inTransaction(context.database, user, (work) => requestInvitation(work, user, teamId)),
          'Request sent',
        )
      },
    }),
    redeemTeamInviteToken: t.field({
      type: types.team,
      nullable: false,
      args: { inviteToken: t.arg.string({ required: true }) },
      resolve: (_root, { inviteToken }, context) => {
        const user = requireUser(context)
        return inTransaction(context.database, user, (work) => redeemToken(work, user, inviteToken))
      },
    }),
    joinEligibleWorkspace: t.field({
      type: types.team,
      nullable: false,
      args: { workspaceId: t.arg.id({ required: true }) },
      resolve: (_root, { workspaceId }, context) => {
        const user = requireUser(context)
        return inTransaction(context.database, user, (work) => joinEligibleTeam(work, user, workspaceId))
      },
    }),
    changeTeamMemberAuthorizations: t.field({
      type: types.team,
      nullable: false,
      args: {
        memberAuthorizations: t.arg({ type: [types.memberAuthorization] }),
        teamId: t.arg({ type: 'UUID4', required: true }),
      },
      resolve: (_root, { memberAuthorizations, teamId }, context) => {
        const changes = memberAuthorizations ?? []
        validInput(memberChangesSchema, changes)
        return inTeam(context, teamId, 'changeMembers', async (work, team) => {
          await changeMembers(work, team, changes)
          return team
        })
      },
    }),
    removeFromTeam: t.field({
      type: types.team,
      nullable: false,
      args: { teamId: t.arg({ type: 'UUID4', required: true }), userId: t.arg({ type: 'UUID4', required: true }) },
      resolve: (_root, { teamId, userId }, context) =>
        inTeam(context, teamId, 'changeMembers', async (work, team) => {
          await endMembership(work, team, userId, 'removed')
          return team
        }),
    }),
    leaveTeam: t.string({
      nullable: false,
      args: { teamId: t.arg({ type: 'UUID4', required: true }) },
      resolve: (_root, { teamId }, context) =>
        done(
          inTeam(context, teamId, 'leave', (work, team, user) => endMembership(work, team, user.id, 'left')),
          'You left the workspace',
        ),
    }),
  }))
}

/** Nobody invites someone as more than they are themselves. */
async function invitedRole(
  { tx }: Work,
  team: Team,
  inviter: User,
  wished: Team['defaultAuthorization'] | null | undefined,
): Promise<Team['defaultAuthorization']> {
  const role = wished ?? team.defaultAuthorization
  const { standing } = await authorizeTeam(tx, team.id, inviter, 'invite')
  if (role === 'admin' && standing.role !== 'admin') {
    throw new ApiError('FORBIDDEN', { detail: 'Only an administrator can invite an administrator' })
  }
  return role
}
