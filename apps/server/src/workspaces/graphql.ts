import { identitiesLoader, personalTeamIdLoader } from '../accounts/loaders.ts'
import type { Builder } from '../graphql/builder.ts'
import type { GraphqlTypes } from '../graphql/types.ts'
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
      name: t.exposeString('name', { nullable: false }),
      shortid: t.exposeString('shortid', { nullable: false }),
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

  builder.objectField(types.currentUser, 'workspaces', (t) =>
    t.field({ type: [types.team], nullable: false, resolve: ({ id }, _args, { database }) => teamsOf(database, id) }),
  )
  builder.objectField(types.currentUser, 'primaryWorkspaceId', (t) =>
    t.field({
      type: 'UUID4',
      nullable: true,
      resolve: async ({ id }, _args, context) =>
        (await primaryTeamId(context.database, id)) ?? personalTeamIdLoader(context).load(id),
    }),
  )
}
