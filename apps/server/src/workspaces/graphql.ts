import { mayDoInTeam, plans, teamPolicies } from '@boxyard/api'
import type { PlanLimits } from '@boxyard/api'
import { identitiesLoader, personalTeamIdLoader } from '../accounts/loaders.ts'
import { hadSubscription } from '../billing/activePlans.ts'
import type { Builder } from '../graphql/builder.ts'
import type { GraphqlTypes } from '../graphql/types.ts'
import type { TeamLimitsShape } from './graphqlTypes.ts'
import { eligibleTeams, findTeamByToken } from './invitations.ts'
import {
  draftCountLoader,
  inviteesLoader,
  limitsLoader,
  membersLoader,
  standingLoader,
  teamLoader,
  usageLoader,
} from './loaders.ts'
import { defineWorkspaceMutations } from './mutations.ts'
import { primaryTeamId, teamsOf } from './teams.ts'

/** What the query API says about workspaces and their members. */
export function defineWorkspaces(builder: Builder, types: GraphqlTypes): void {
  types.team.implement({
    fields: (t) => ({
      avatarUrl: t.exposeString('avatarUrl', { nullable: true }),
      creatorId: t.expose('creatorId', { type: 'UUID4', nullable: true }),
      description: t.exposeString('description', { nullable: true }),
      frozen: t.exposeBoolean('frozen', { nullable: false }),
      id: t.expose('id', { type: 'UUID4', nullable: false }),
      insertedAt: t.string({ nullable: false, resolve: ({ insertedAt }) => insertedAt.toISOString() }),
      invitees: t.field({
        type: [types.user],
        nullable: false,
        resolve: async ({ id }, _args, context) => (await inviteesLoader(context).load(id)).map(({ user }) => user),
      }),
      // Empty for whoever may not invite: the published schema has no null here.
      inviteToken: t.string({
        nullable: false,
        resolve: async ({ id, kind, inviteToken }, _args, context) =>
          kind === 'team' && mayDoInTeam(await standingLoader(context).load(id), 'seeInviteLink') ? inviteToken : '',
      }),
      joinedPilotAt: t.field({
        type: 'DateTime',
        nullable: true,
        deprecationReason: 'No longer supported',
        resolve: ({ usageBillingBeta, updatedAt }) => (usageBillingBeta ? updatedAt : null),
      }),
      legacy: t.boolean({
        nullable: false,
        deprecationReason: 'No longer supported',
        // No workspace here was ever on a plan that is sold no longer.
        resolve: () => false,
      }),
      limits: t.field({
        type: types.teamLimits,
        nullable: false,
        resolve: async ({ id, onDemandSpendingLimit }, _args, context) =>
          presentLimits(await limitsLoader(context).load(id), onDemandSpendingLimit),
      }),
      members: t.field({
        type: [types.teamMember],
        nullable: false,
        resolve: async ({ id }, _args, context) => (await membersLoader(context).load(id)).map(({ user }) => user),
      }),
      metadata: t.field({ type: types.teamMetadata, nullable: false, resolve: ({ useCases }) => ({ useCases }) }),
      name: t.exposeString('name', { nullable: false }),
      settings: t.field({ type: types.workspaceSandboxSettings, nullable: true, resolve: (team) => team }),
      shortid: t.exposeString('shortid', { nullable: false }),
      type: t.field({
        type: types.teamType,
        nullable: false,
        deprecationReason: 'No longer supported',
        resolve: ({ kind }) => kind,
      }),
      usage: t.field({
        type: types.teamUsage,
        nullable: false,
        resolve: ({ id }, _args, context) => usageLoader(context).load(id),
      }),
      userAuthorizations: t.field({
        type: [types.userAuthorization],
        nullable: false,
        resolve: async ({ id }, _args, context) => {
          const members = await membersLoader(context).load(id)
          return members.map(async ({ member: { userId, authorization, teamManager } }) => ({
            userId,
            authorization,
            teamManager,
            drafts: await draftCountLoader(context).load(`${id}/${userId}`),
          }))
        },
      }),
      users: t.field({
        type: [types.user],
        nullable: false,
        resolve: async ({ id }, _args, context) => (await membersLoader(context).load(id)).map(({ user }) => user),
      }),
    }),
  })

  types.teamPreview.implement({
    fields: (t) => ({
      avatarUrl: t.exposeString('avatarUrl', { nullable: true }),
      description: t.exposeString('description', { nullable: true }),
      id: t.expose('id', { type: 'UUID4', nullable: false }),
      name: t.exposeString('name', { nullable: false }),
      shortid: t.exposeString('shortid', { nullable: false }),
    }),
  })

  types.teamMember.implement({
    fields: (t) => ({
      avatarUrl: t.string({ nullable: false, resolve: ({ avatarUrl }) => avatarUrl ?? '' }),
      bio: t.exposeString('bio', { nullable: true }),
      githubUsername: t.string({
        nullable: true,
        resolve: async ({ id }, _args, context) =>
          (await identitiesLoader(context).load(id)).find(({ provider }) => provider === 'github')?.login ?? null,
      }),
      id: t.expose('id', { type: 'UUID4', nullable: false }),
      name: t.exposeString('name', { nullable: true }),
      username: t.exposeString('username', { nullable: false }),
    }),
  })

  types.teamLimits.implement({
    fields: (t) => ({
      includedCredits: t.exposeInt('includedCredits', { nullable: false }),
      includedDrafts: t.exposeInt('includedDrafts', { nullable: false }),
      includedMembers: t.exposeInt('includedMembers', { nullable: false }),
      includedPrivateSandboxes: t.exposeInt('includedPrivateSandboxes', { nullable: false }),
      includedPublicSandboxes: t.exposeInt('includedPublicSandboxes', { nullable: false }),
      includedSandboxes: t.exposeInt('includedSandboxes', { nullable: false }),
      includedStorage: t.exposeInt('includedStorage', { nullable: false }),
      includedVmTier: t.exposeInt('includedVmTier', { nullable: false }),
      maxEditors: t.exposeInt('maxEditors', { nullable: true, deprecationReason: 'No longer supported' }),
      maxPrivateProjects: t.exposeInt('maxPrivateProjects', {
        nullable: true,
        deprecationReason: 'No longer supported',
      }),
      maxPrivateSandboxes: t.exposeInt('maxPrivateSandboxes', {
        nullable: true,
        deprecationReason: 'No longer supported',
      }),
      maxPublicProjects: t.exposeInt('maxPublicProjects', { nullable: true, deprecationReason: 'No longer supported' }),
      maxPublicSandboxes: t.exposeInt('maxPublicSandboxes', {
        nullable: true,
        deprecationReason: 'No longer supported',
      }),
      onDemandCreditLimit: t.exposeInt('onDemandCreditLimit', { nullable: true }),
      onDemandSpendingLimit: t.exposeInt('onDemandSpendingLimit', { nullable: true }),
    }),
  })

  types.teamMetadata.implement({
    fields: (t) => ({
      useCases: t.expose('useCases', { type: ['String'], nullable: false }),
    }),
  })

  types.teamUsage.implement({
    fields: (t) => ({
      credits: t.exposeInt('credits', { nullable: false }),
      editorsQuantity: t.exposeInt('editorsQuantity', { nullable: false }),
      privateProjectsQuantity: t.exposeInt('privateProjectsQuantity', { nullable: false }),
      privateSandboxesQuantity: t.exposeInt('privateSandboxesQuantity', { nullable: false }),
      publicProjectsQuantity: t.exposeInt('publicProjectsQuantity', { nullable: false }),
      publicSandboxesQuantity: t.exposeInt('publicSandboxesQuantity', { nullable: false }),
      restrictedSandboxes: t.exposeInt('restrictedSandboxes', { nullable: false }),
      sandboxes: t.exposeInt('sandboxes', { nullable: false }),
      unrestrictedSandboxes: t.exposeInt('unrestrictedSandboxes', { nullable: false }),
    }),
  })

  types.userAuthorization.implement({
    fields: (t) => ({
      authorization: t.expose('authorization', { type: types.teamMemberAuthorization, nullable: false }),
      drafts: t.exposeInt('drafts', { nullable: false }),
      teamManager: t.exposeBoolean('teamManager', { nullable: false }),
      userId: t.expose('userId', { type: 'UUID4', nullable: false }),
    }),
  })

  types.workspaceSandboxSettings.implement({
    fields: (t) => ({
      aiConsent: t.field({
        type: types.teamAiConsent,
        nullable: false,
        resolve: (team) => ({
          privateRepositories: team.aiPrivateRepositories,
          privateSandboxes: team.aiPrivateSandboxes,
          publicRepositories: team.aiPublicRepositories,
          publicSandboxes: team.aiPublicSandboxes,
        }),
      }),
      defaultAuthorization: t.expose('defaultAuthorization', { type: types.teamMemberAuthorization, nullable: false }),
      minimumPrivacy: t.exposeInt('minimumPrivacy', { nullable: false }),
      preventSandboxExport: t.exposeBoolean('preventSandboxExport', { nullable: false }),
      preventSandboxLeaving: t.exposeBoolean('preventSandboxLeaving', { nullable: false }),
    }),
  })

  types.teamAiConsent.implement({
    fields: (t) => ({
      privateRepositories: t.exposeBoolean('privateRepositories', { nullable: false }),
      privateSandboxes: t.exposeBoolean('privateSandboxes', { nullable: false }),
      publicRepositories: t.exposeBoolean('publicRepositories', { nullable: false }),
      publicSandboxes: t.exposeBoolean('publicSandboxes', { nullable: false }),
    }),
  })

  types.limits.implement({
    fields: (t) => ({
      personalFree: t.expose('personalFree', { type: types.teamLimits, nullable: false }),
      personalPro: t.expose('personalPro', { type: types.teamLimits, nullable: false }),
      teamFree: t.expose('teamFree', { type: types.teamLimits, nullable: false }),
      teamPro: t.expose('teamPro', { type: types.teamLimits, nullable: false }),
    }),
  })

  builder.objectFields(types.currentUser, (t) => ({
    eligibleForTrial: t.boolean({
      nullable: false,
      resolve: async ({ id }, _args, { database }) => {
        const teams = await teamsOf(database, id)
        return !(await hadSubscription(
          database,
          teams.map((team) => team.id),
        ))
      },
    }),
    eligibleWorkspaces: t.field({
      type: [types.teamPreview],
      nullable: false,
      resolve: (user, _args, { database }) => eligibleTeams(database, user),
    }),
    primaryWorkspaceId: t.field({
      type: 'UUID4',
      nullable: true,
      resolve: async ({ id }, _args, context) =>
        (await primaryTeamId(context.database, id)) ?? personalTeamIdLoader(context).load(id),
    }),
    team: t.field({
      type: types.team,
      nullable: true,
      args: { id: t.arg({ type: 'UUID4' }) },
      resolve: async (user, { id }, context) => {
        const teamId = id ?? (await personalTeamIdLoader(context).load(user.id))
        const { role } = await standingLoader(context).load(teamId)
        return teamPolicies.mayDo(role, 'see') ? teamLoader(context).load(teamId) : null
      },
    }),
    teams: t.field({
      type: [types.team],
      nullable: false,
      resolve: ({ id }, _args, { database }) => teamsOf(database, id),
    }),
    workspaces: t.field({
      type: [types.team],
      nullable: false,
      resolve: ({ id }, _args, { database }) => teamsOf(database, id),
    }),
  }))

  builder.queryFields((t) => ({
    limits: t.field({
      type: types.limits,
      nullable: false,
      resolve: () => ({
        personalFree: presentLimits(plans.free, null),
        personalPro: presentLimits(plans.flex, null),
        teamFree: presentLimits(plans.free, null),
        teamPro: presentLimits(plans.builder, null),
      }),
    }),
    teamByToken: t.field({
      type: types.teamPreview,
      nullable: true,
      args: { inviteToken: t.arg.string({ required: true }) },
      resolve: (_root, { inviteToken }, { database }) => findTeamByToken(database, inviteToken),
    }),
  }))

  defineWorkspaceMutations(builder, types)
}

/** Credits cost one unit of the currency each, so the spending limit also limits them. */
function presentLimits(limits: PlanLimits, onDemandSpendingLimit: number | null): TeamLimitsShape {
  return {
    ...limits,
    maxEditors: limits.includedMembers,
    maxPrivateProjects: null,
    maxPrivateSandboxes: limits.includedPrivateSandboxes,
    maxPublicProjects: null,
    maxPublicSandboxes: limits.includedPublicSandboxes,
    onDemandCreditLimit: onDemandSpendingLimit,
    onDemandSpendingLimit,
  }
}
