import { mayDo } from '@boxyard/api'
import { userLoader } from '../accounts/loaders.ts'
import { momentText } from '../graphql/momentText.ts'
import type { GraphqlTypes } from '../graphql/types.ts'
import { teamLoader } from '../workspaces/loaders.ts'
import { environmentOf } from './environment.ts'
import {
  collaboratorSeenLoader,
  collaboratorsLoader,
  customTemplateLoader,
  gitLoader,
  invitationsLoader,
  isRestricted,
  lastAccessLoader,
  sandboxLoader,
  sandboxRoleLoader,
  unsavedLoader,
} from './loaders.ts'
import { aliasOf } from './sandboxIds.ts'
import { screenshotUrl } from './screenshots.ts'

/** What the query API says about one sandbox and who has access to it. */
export function defineSandboxFields(types: GraphqlTypes): void {
  types.sandbox.implement({
    fields: (t) => ({
      alias: t.string({ nullable: true, resolve: aliasOf }),
      alwaysOn: t.exposeBoolean('alwaysOn', { nullable: true, deprecationReason: 'No longer supported' }),
      author: t.field({
        type: types.user,
        nullable: true,
        resolve: ({ authorId }, _args, context) => (authorId === null ? null : userLoader(context).load(authorId)),
      }),
      authorId: t.expose('authorId', { type: 'UUID4', nullable: true }),
      authorization: t.field({
        type: types.authorization,
        nullable: false,
        resolve: (parent, _args, context) => sandboxRoleLoader(context).load(parent),
      }),
      baseGit: t.field({
        type: types.git,
        nullable: true,
        resolve: ({ baseGitId }, _args, context) => (baseGitId === null ? null : gitLoader(context).load(baseGitId)),
      }),
      collaborators: t.field({
        type: [types.collaborator],
        nullable: false,
        resolve: async (parent, _args, context) =>
          mayDo(await sandboxRoleLoader(context).load(parent), 'seeCollaborators')
            ? collaboratorsLoader(context).load(parent.id)
            : [],
      }),
      customTemplate: t.field({
        type: types.template,
        nullable: true,
        resolve: async ({ id }, _args, context) => {
          const template = await customTemplateLoader(context).load(id)
          return template && { kind: 'custom' as const, template }
        },
      }),
      description: t.exposeString('description', { nullable: true }),
      draft: t.boolean({ nullable: false, resolve: ({ collectionId }) => collectionId === null }),
      forkCount: t.exposeInt('forkCount', { nullable: false }),
      forkedTemplate: t.field({
        type: types.template,
        nullable: true,
        resolve: ({ template: name }, _args, context) => {
          const template = name === null ? null : context.templates.find(name)
          return template && { kind: 'official' as const, template }
        },
      }),
      git: t.field({
        type: types.git,
        nullable: true,
        resolve: ({ gitId }, _args, context) => (gitId === null ? null : gitLoader(context).load(gitId)),
      }),
      id: t.exposeID('id', { nullable: false }),
      insertedAt: t.string({ nullable: false, resolve: ({ insertedAt }) => momentText(insertedAt) }),
      invitations: t.field({
        type: [types.invitation],
        nullable: false,
        // With an invitation goes its token, so only who may invite sees them.
        resolve: async (parent, _args, context) =>
          mayDo(await sandboxRoleLoader(context).load(parent), 'share')
            ? invitationsLoader(context).load(parent.id)
            : [],
      }),
      isFrozen: t.exposeBoolean('isFrozen', { nullable: false }),
      isSse: t.boolean({
        nullable: true,
        deprecationReason: 'No longer supported',
        resolve: ({ isV2 }) => isV2,
      }),
      isV2: t.exposeBoolean('isV2', { nullable: false }),
      // Whoever never opened it gets the moment it was made.
      lastAccessedAt: t.field({
        type: 'DateTime',
        nullable: false,
        resolve: async ({ id, insertedAt }, _args, context) => (await lastAccessLoader(context).load(id)) ?? insertedAt,
      }),
      likeCount: t.exposeInt('likeCount', { nullable: false }),
      originalGit: t.field({
        type: types.git,
        nullable: true,
        resolve: ({ originalGitId }, _args, context) =>
          originalGitId === null ? null : gitLoader(context).load(originalGitId),
      }),
      permissions: t.field({
        type: types.sandboxProtectionSettings,
        nullable: true,
        resolve: async ({ teamId, preventSandboxExport, preventSandboxLeaving }, _args, context) => {
          const team = await teamLoader(context).load(teamId)
          return {
            preventSandboxExport: preventSandboxExport || (team?.preventSandboxExport ?? false),
            preventSandboxLeaving: preventSandboxLeaving || (team?.preventSandboxLeaving ?? false),
          }
        },
      }),
      privacy: t.exposeInt('privacy', { nullable: false }),
      prNumber: t.exposeInt('prNumber', { nullable: true }),
      removedAt: t.string({ nullable: true, resolve: ({ removedAt }) => removedAt?.toISOString() }),
      restricted: t.boolean({ nullable: false, resolve: (parent, _args, context) => isRestricted(context, parent) }),
      screenshotOutdated: t.boolean({
        nullable: false,
        // It shows what is saved.
        resolve: ({ id, isV2 }, _args, context) => !isV2 && unsavedLoader(context).load(id),
      }),
      screenshotUrl: t.string({ nullable: true, resolve: screenshotUrl }),
      settings: t.field({ type: types.sandboxSettings, nullable: false, resolve: ({ aiConsent }) => ({ aiConsent }) }),
      source: t.field({
        type: types.source,
        nullable: false,
        resolve: (parent, _args, { templates }) => ({
          id: parent.sourceId,
          template: environmentOf(parent, templates),
        }),
      }),
      team: t.field({
        type: types.teamPreview,
        nullable: true,
        resolve: ({ teamId }, _args, context) => teamLoader(context).load(teamId),
      }),
      teamId: t.expose('teamId', { type: 'UUID4', nullable: true }),
      title: t.exposeString('title', { nullable: true }),
      updatedAt: t.string({ nullable: false, resolve: ({ updatedAt }) => momentText(updatedAt) }),
      viewCount: t.exposeInt('viewCount', { nullable: false }),
    }),
  })

  types.collaborator.implement({
    fields: (t) => ({
      authorization: t.expose('authorization', { type: types.authorization, nullable: false }),
      id: t.expose('id', { type: 'UUID4', nullable: false }),
      lastSeenAt: t.field({
        type: 'DateTime',
        nullable: true,
        resolve: ({ sandboxId, userId }, _args, context) =>
          collaboratorSeenLoader(context).load(`${sandboxId}/${userId}`),
      }),
      sandbox: t.field({
        type: types.sandbox,
        nullable: false,
        resolve: async ({ sandboxId }, _args, context) => (await sandboxLoader(context).load(sandboxId))!,
      }),
      user: t.field({
        type: types.user,
        nullable: false,
        resolve: async ({ userId }, _args, context) => (await userLoader(context).load(userId))!,
      }),
      // Sandboxes have no limit of editors that a collaborator could be beyond.
      warning: t.string({ nullable: true, resolve: () => null }),
    }),
  })

  types.invitation.implement({
    fields: (t) => ({
      authorization: t.expose('authorization', { type: types.authorization, nullable: false }),
      email: t.exposeString('email', { nullable: true }),
      id: t.exposeID('id', { nullable: true }),
      sandbox: t.field({
        type: types.sandbox,
        nullable: false,
        resolve: async ({ sandboxId }, _args, context) => (await sandboxLoader(context).load(sandboxId))!,
      }),
      token: t.exposeString('token', { nullable: false }),
    }),
  })

  types.sandboxProtectionSettings.implement({
    fields: (t) => ({
      preventSandboxExport: t.exposeBoolean('preventSandboxExport', { nullable: false }),
      preventSandboxLeaving: t.exposeBoolean('preventSandboxLeaving', { nullable: false }),
    }),
  })
  types.sandboxSettings.implement({
    fields: (t) => ({ aiConsent: t.exposeBoolean('aiConsent', { nullable: true }) }),
  })
  types.source.implement({
    fields: (t) => ({
      id: t.expose('id', { type: 'UUID4', nullable: true }),
      template: t.exposeString('template', { nullable: true }),
    }),
  })
}
