import { ApiError } from '@boxyard/api'
import type { Builder } from '../graphql/builder.ts'
import type { GraphqlTypes } from '../graphql/types.ts'
import { requireUser } from '../graphql/requireUser.ts'
import { validInput } from '../graphql/validInput.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import { cancelDeletion, DELETION_DAYS, requestDeletion } from './deleteAccount.ts'
import { identitiesLoader, personalTeamIdLoader } from './loaders.ts'
import { profileSchema, updateProfile } from './updateProfile.ts'

/** What the query API says about people and the one who asks. */
export function defineAccounts(builder: Builder, types: GraphqlTypes): void {
  types.user.implement({
    fields: (t) => ({
      // Empty for someone without a picture: the published schema has no null here.
      avatarUrl: t.string({ nullable: false, resolve: ({ avatarUrl }) => avatarUrl ?? '' }),
      bio: t.exposeString('bio', { nullable: true }),
      id: t.expose('id', { type: 'UUID4', nullable: false }),
      name: t.exposeString('name', { nullable: true }),
      personalWorkspaceId: t.field({
        type: 'UUID4',
        nullable: false,
        resolve: ({ id }, _args, context) => personalTeamIdLoader(context).load(id),
      }),
      socialLinks: t.exposeStringList('socialLinks', { nullable: true }),
      username: t.exposeString('username', { nullable: false }),
    }),
  })

  types.currentUser.implement({
    fields: (t) => ({
      deletionRequested: t.exposeBoolean('deletionRequested', { nullable: false }),
      email: t.exposeString('email', { nullable: false }),
      id: t.expose('id', { type: 'UUID4', nullable: false }),
      name: t.exposeString('name', { nullable: true }),
      personalWorkspaceId: t.field({
        type: 'UUID4',
        nullable: false,
        resolve: ({ id }, _args, context) => personalTeamIdLoader(context).load(id),
      }),
      // The published schema knows three; someone who came another way has the one of the local git host.
      provider: t.field({
        type: types.providerName,
        nullable: false,
        resolve: async ({ id }, _args, context) => {
          for (const { provider } of await identitiesLoader(context).load(id)) {
            if (provider === 'github' || provider === 'google' || provider === 'apple') return provider
          }
          return 'github' as const
        },
      }),
      username: t.exposeString('username', { nullable: false }),
    }),
  })

  types.githubProfile.implement({
    fields: (t) => ({
      avatarUrl: t.exposeString('avatarUrl', { nullable: false }),
      id: t.exposeID('id', { nullable: false }),
      login: t.exposeString('login', { nullable: false }),
      name: t.exposeString('name', { nullable: true }),
      scopes: t.exposeStringList('scopes', { nullable: false }),
    }),
  })

  builder.queryField('me', (t) =>
    t.field({ type: types.currentUser, nullable: true, resolve: (_root, _args, { user }) => user }),
  )

  builder.mutationField('updateCurrentUser', (t) =>
    t.field({
      type: types.user,
      nullable: false,
      args: {
        bio: t.arg.string(),
        name: t.arg.string(),
        socialLinks: t.arg.stringList(),
        username: t.arg.string({ required: true }),
      },
      resolve: async (_root, args, context) => {
        const user = requireUser(context)
        const profile = validInput(profileSchema, args)
        const updated = await inTransaction(context.database, user, (work) => updateProfile(work, user, profile))
        Object.assign(context, { user: updated, peopleAtHand: [updated] })
        return updated
      },
    }),
  )

  builder.mutationFields((t) => ({
    deleteCurrentUser: t.string({
      nullable: false,
      args: { confirm: t.arg.boolean({ defaultValue: true }) },
      resolve: async (_root, { confirm }, context) => {
        const user = requireUser(context)
        if (confirm === false)
          throw new ApiError('INVALID_INPUT', { detail: 'Confirm that the account is to be deleted' })
        await inTransaction(context.database, user, (work) => requestDeletion(work, user))
        return `Your account is deleted in ${DELETION_DAYS} days`
      },
    }),
    cancelDeleteCurrentUser: t.string({
      nullable: false,
      resolve: async (_root, _args, context) => {
        const user = requireUser(context)
        await inTransaction(context.database, user, (work) => cancelDeletion(work, user))
        return 'Your account stays'
      },
    }),
  }))
}
