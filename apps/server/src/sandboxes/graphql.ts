import { userLoader } from '../accounts/loaders.ts'
import type { Builder } from '../graphql/builder.ts'
import { limitOf } from '../graphql/limitOf.ts'
import type { GraphqlTypes } from '../graphql/types.ts'
import { teamLoader } from '../workspaces/loaders.ts'
import { lastAccessLoader, sandboxRoleLoader } from './loaders.ts'
import { iconUrl } from './presentSandbox.ts'
import { aliasOf } from './sandboxIds.ts'
import { accessSandbox, recentSandboxes, recentTemplateNames } from './sandboxes.ts'
import { officialTemplateUuid } from './templates.ts'

/** What the query API says about sandboxes. */
export function defineSandboxes(builder: Builder, types: GraphqlTypes): void {
  types.sandbox.implement({
    fields: (t) => ({
      alias: t.string({ nullable: true, resolve: aliasOf }),
      author: t.field({
        type: types.user,
        nullable: true,
        resolve: ({ authorId }, _args, context) => (authorId === null ? null : userLoader(context).load(authorId)),
      }),
      authorization: t.field({
        type: types.authorization,
        nullable: false,
        resolve: (parent, _args, context) => sandboxRoleLoader(context).load(parent),
      }),
      draft: t.boolean({ nullable: false, resolve: ({ collectionId }) => collectionId === null }),
      forkedTemplate: t.field({
        type: types.template,
        nullable: true,
        resolve: ({ template: name }, _args, context) => {
          const template = name === null ? null : context.templates.find(name)
          return template && { kind: 'official' as const, template }
        },
      }),
      // Whoever never opened it gets the moment it was made.
      lastAccessedAt: t.field({
        type: 'DateTime',
        nullable: false,
        resolve: async ({ id, insertedAt }, _args, context) => (await lastAccessLoader(context).load(id)) ?? insertedAt,
      }),
      screenshotOutdated: t.boolean({
        nullable: false,
        resolve: ({ screenshotAt, updatedAt }) => screenshotAt !== null && screenshotAt < updatedAt,
      }),
      screenshotUrl: t.exposeString('screenshotUrl', { nullable: true }),
      team: t.field({
        type: types.teamPreview,
        nullable: true,
        resolve: ({ teamId }, _args, context) => teamLoader(context).load(teamId),
      }),
      alwaysOn: t.exposeBoolean('alwaysOn', { nullable: true, deprecationReason: 'No longer supported' }),
      authorId: t.expose('authorId', { type: 'UUID4', nullable: true }),
      description: t.exposeString('description', { nullable: true }),
      forkCount: t.exposeInt('forkCount', { nullable: false }),
      id: t.exposeID('id', { nullable: false }),
      insertedAt: t.string({ nullable: false, resolve: ({ insertedAt }) => insertedAt.toISOString() }),
      isFrozen: t.exposeBoolean('isFrozen', { nullable: false }),
      isV2: t.exposeBoolean('isV2', { nullable: false }),
      likeCount: t.exposeInt('likeCount', { nullable: false }),
      privacy: t.exposeInt('privacy', { nullable: false }),
      prNumber: t.exposeInt('prNumber', { nullable: true }),
      removedAt: t.string({ nullable: true, resolve: ({ removedAt }) => removedAt?.toISOString() }),
      teamId: t.expose('teamId', { type: 'UUID4', nullable: true }),
      title: t.exposeString('title', { nullable: true }),
      updatedAt: t.string({ nullable: false, resolve: ({ updatedAt }) => updatedAt.toISOString() }),
      viewCount: t.exposeInt('viewCount', { nullable: false }),
    }),
  })

  types.git.implement({
    fields: (t) => ({
      branch: t.exposeString('branch', { nullable: true }),
      commitSha: t.exposeString('commitSha', { nullable: true }),
      id: t.expose('id', { type: 'UUID4', nullable: true }),
      path: t.exposeString('path', { nullable: true }),
      repo: t.exposeString('repo', { nullable: true }),
      username: t.exposeString('username', { nullable: true }),
    }),
  })

  types.collaborator.implement({
    fields: (t) => ({
      authorization: t.expose('authorization', { type: types.authorization, nullable: false }),
      id: t.expose('id', { type: 'UUID4', nullable: false }),
    }),
  })

  types.invitation.implement({
    fields: (t) => ({
      authorization: t.expose('authorization', { type: types.authorization, nullable: false }),
      email: t.exposeString('email', { nullable: true }),
      id: t.exposeID('id', { nullable: true }),
      token: t.exposeString('token', { nullable: false }),
    }),
  })

  types.template.implement({
    fields: (t) => ({
      color: t.string({ nullable: true, resolve: ({ kind, template }) => (kind === 'custom' ? template.color : null) }),
      description: t.string({
        nullable: true,
        deprecationReason: 'No longer supported',
        resolve: ({ template }) => template.description,
      }),
      iconUrl: t.string({
        nullable: true,
        resolve: ({ kind, template }) => (kind === 'custom' ? template.iconUrl : iconUrl(template)),
      }),
      id: t.field({
        type: 'UUID4',
        nullable: true,
        resolve: ({ kind, template }) => (kind === 'custom' ? template.id : officialTemplateUuid(template)),
      }),
      official: t.boolean({ nullable: false, resolve: ({ kind }) => kind === 'official' }),
      title: t.string({
        nullable: true,
        deprecationReason: 'No longer supported',
        resolve: ({ template }) => template.title,
      }),
    }),
  })

  types.bookmarked.implement({
    fields: (t) => ({
      entity: t.expose('entity', { type: types.bookmarkEntity, nullable: true }),
      isBookmarked: t.exposeBoolean('isBookmarked', { nullable: true }),
    }),
  })

  types.sandboxProtectionSettings.implement({
    fields: (t) => ({
      preventSandboxExport: t.exposeBoolean('preventSandboxExport', { nullable: false }),
      preventSandboxLeaving: t.exposeBoolean('preventSandboxLeaving', { nullable: false }),
    }),
  })

  types.sandboxSettings.implement({
    fields: (t) => ({
      aiConsent: t.exposeBoolean('aiConsent', { nullable: true }),
    }),
  })

  types.source.implement({
    fields: (t) => ({
      id: t.expose('id', { type: 'UUID4', nullable: true }),
      template: t.exposeString('template', { nullable: true }),
    }),
  })

  builder.queryField('sandbox', (t) =>
    t.field({
      type: types.sandbox,
      nullable: true,
      args: { sandboxId: t.arg.id({ required: true }) },
      resolve: async (_root, { sandboxId }, { database, user }) =>
        (await accessSandbox(database, sandboxId, user))?.sandbox ?? null,
    }),
  )

  builder.objectFields(types.currentUser, (t) => ({
    recentlyAccessedSandboxes: t.field({
      type: [types.sandbox],
      nullable: false,
      args: { limit: t.arg.int(), teamId: t.arg({ type: 'UUID4' }) },
      resolve: async ({ id }, { limit, teamId }, context) => {
        const recent = await recentSandboxes(context.database, id, { limit: limitOf(limit), teamId: teamId ?? null })
        for (const { sandbox, lastAccessedAt } of recent) lastAccessLoader(context).prime(sandbox.id, lastAccessedAt)
        return recent.map(({ sandbox }) => sandbox)
      },
    }),
    recentlyUsedTemplates: t.field({
      type: [types.template],
      nullable: false,
      args: { teamId: t.arg({ type: 'UUID4' }) },
      resolve: async ({ id }, { teamId }, { database, templates }) => {
        const names = await recentTemplateNames(database, id, teamId ?? null)
        return names.flatMap((name) => {
          const template = templates.find(name)
          return template ? [{ kind: 'official' as const, template }] : []
        })
      },
    }),
  }))
}
