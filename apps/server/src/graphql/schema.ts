import { authorizationOf } from '@boxyard/api'
import type { Authorization } from '@boxyard/api'
import { createHash } from 'node:crypto'
import type { GraphQLSchema } from 'graphql'
import type { User } from '../accounts/users.ts'
import { iconUrl } from '../sandboxes/presentSandbox.ts'
import { defineSandboxChanged } from '../sandboxes/liveSandbox.ts'
import { aliasOf } from '../sandboxes/sandboxIds.ts'
import { accessSandbox, recentSandboxes, recentTemplateNames } from '../sandboxes/sandboxes.ts'
import type { Sandbox } from '../sandboxes/sandboxes.ts'
import type { OfficialTemplate } from '../sandboxes/templates.ts'
import { teamsOf } from '../workspaces/teams.ts'
import type { Team } from '../workspaces/teams.ts'
import { createBuilder } from './builder.ts'
import type { Builder } from './builder.ts'

const DEFAULT_LIMIT = 50
const HIGHEST_LIMIT = 200

/** The query API. Names, arguments and nullability are those of the published schema, of which this is a part. */
export function createGraphqlSchema(): GraphQLSchema {
  const builder = createBuilder()
  const team = defineTeams(builder)
  const template = defineTemplates(builder)
  const sandbox = defineSandboxes(builder, template)
  defineCurrentUser(builder, { team, template, sandbox })
  defineSandboxChanged(builder, sandbox)
  return builder.toSchema()
}

type TypeRef<T> = ReturnType<typeof objectRef<T>>
export type SandboxRef = TypeRef<Sandbox>
const objectRef = <T>(builder: Builder, name: string) => builder.objectRef<T>(name)

function defineTeams(builder: Builder): TypeRef<Team> {
  const team = objectRef<Team>(builder, 'Team')
  team.implement({
    fields: (t) => ({
      avatarUrl: t.exposeString('avatarUrl', { nullable: true }),
      creatorId: t.expose('creatorId', { type: 'UUID4', nullable: true }),
      description: t.exposeString('description', { nullable: true }),
      id: t.expose('id', { type: 'UUID4', nullable: false }),
      insertedAt: t.string({ nullable: false, resolve: ({ insertedAt }) => insertedAt.toISOString() }),
      name: t.exposeString('name', { nullable: false }),
    }),
  })
  return team
}

function defineTemplates(builder: Builder): TypeRef<OfficialTemplate> {
  const template = objectRef<OfficialTemplate>(builder, 'Template')
  template.implement({
    fields: (t) => ({
      description: t.exposeString('description', { nullable: true, deprecationReason: 'No longer supported' }),
      iconUrl: t.string({ nullable: true, resolve: iconUrl }),
      id: t.field({ type: 'UUID4', nullable: true, resolve: ({ name }) => uuidOf(name) }),
      official: t.boolean({ nullable: false, resolve: () => true }),
      title: t.exposeString('title', { nullable: true, deprecationReason: 'No longer supported' }),
    }),
  })
  return template
}

function defineSandboxes(builder: Builder, template: TypeRef<OfficialTemplate>): TypeRef<Sandbox> {
  const authorization = builder.enumType('Authorization', {
    values: {
      COMMENT: { value: 'comment' },
      NONE: { value: 'none' },
      OWNER: { value: 'owner' },
      READ: { value: 'read' },
      WRITE_CODE: { value: 'write_code' },
      WRITE_PROJECT: { value: 'write_project' },
    } satisfies Record<string, { value: Authorization }>,
  })

  const user = objectRef<User>(builder, 'User')
  user.implement({
    fields: (t) => ({
      // Empty for someone without a picture: the published schema has no null here.
      avatarUrl: t.string({ nullable: false, resolve: ({ avatarUrl }) => avatarUrl ?? '' }),
      id: t.expose('id', { type: 'UUID4', nullable: false }),
      name: t.exposeString('name', { nullable: true }),
      personalWorkspaceId: t.field({
        type: 'UUID4',
        nullable: false,
        resolve: ({ id }, _args, context) => context.personalTeamIds.load(id),
      }),
      username: t.exposeString('username', { nullable: false }),
    }),
  })

  const teamPreview = objectRef<Team>(builder, 'TeamPreview')
  teamPreview.implement({
    fields: (t) => ({
      avatarUrl: t.exposeString('avatarUrl', { nullable: true }),
      description: t.exposeString('description', { nullable: true }),
      id: t.expose('id', { type: 'UUID4', nullable: false }),
      name: t.exposeString('name', { nullable: false }),
    }),
  })

  const sandbox = objectRef<Sandbox>(builder, 'Sandbox')
  sandbox.implement({
    fields: (t) => ({
      alias: t.string({ nullable: true, resolve: aliasOf }),
      author: t.field({
        type: user,
        nullable: true,
        resolve: ({ authorId }, _args, context) => (authorId === null ? null : context.users.load(authorId)),
      }),
      authorId: t.expose('authorId', { type: 'UUID4', nullable: true }),
      authorization: t.field({
        type: authorization,
        nullable: false,
        resolve: async (parent, _args, context) => authorizationOf(await context.roles.load(parent)),
      }),
      description: t.exposeString('description', { nullable: true }),
      draft: t.boolean({ nullable: false, resolve: () => false }),
      forkCount: t.exposeInt('forkCount', { nullable: false }),
      forkedTemplate: t.field({
        type: template,
        nullable: true,
        resolve: (parent, _args, context) =>
          parent.template === null ? null : context.templates.find(parent.template),
      }),
      id: t.exposeID('id', { nullable: false }),
      insertedAt: t.string({ nullable: false, resolve: ({ insertedAt }) => insertedAt.toISOString() }),
      isFrozen: t.exposeBoolean('isFrozen', { nullable: false }),
      isV2: t.exposeBoolean('isV2', { nullable: false }),
      // Whoever never opened it gets the moment it was made.
      lastAccessedAt: t.field({
        type: 'DateTime',
        nullable: false,
        resolve: async ({ id, insertedAt }, _args, context) => (await context.lastAccesses.load(id)) ?? insertedAt,
      }),
      likeCount: t.int({ nullable: false, resolve: () => 0 }),
      privacy: t.exposeInt('privacy', { nullable: false }),
      removedAt: t.string({ nullable: true, resolve: ({ removedAt }) => removedAt?.toISOString() }),
      restricted: t.boolean({ nullable: false, resolve: () => false }),
      screenshotOutdated: t.boolean({ nullable: false, resolve: () => false }),
      screenshotUrl: t.string({ nullable: true, resolve: () => null }),
      team: t.field({
        type: teamPreview,
        nullable: true,
        resolve: ({ teamId }, _args, context) => context.teams.load(teamId),
      }),
      teamId: t.expose('teamId', { type: 'UUID4', nullable: true }),
      title: t.exposeString('title', { nullable: true }),
      updatedAt: t.string({ nullable: false, resolve: ({ updatedAt }) => updatedAt.toISOString() }),
      viewCount: t.exposeInt('viewCount', { nullable: false }),
    }),
  })

  builder.queryField('sandbox', (t) =>
    t.field({
      type: sandbox,
      nullable: true,
      args: { sandboxId: t.arg.id({ required: true }) },
      resolve: async (_root, { sandboxId }, { database, user: asking }) =>
        (await accessSandbox(database, sandboxId, asking))?.sandbox ?? null,
    }),
  )
  return sandbox
}

function defineCurrentUser(
  builder: Builder,
  types: { team: TypeRef<Team>; template: TypeRef<OfficialTemplate>; sandbox: TypeRef<Sandbox> },
): void {
  const currentUser = objectRef<User>(builder, 'CurrentUser')
  currentUser.implement({
    fields: (t) => ({
      deletionRequested: t.exposeBoolean('deletionRequested', { nullable: false }),
      email: t.exposeString('email', { nullable: false }),
      id: t.expose('id', { type: 'UUID4', nullable: false }),
      name: t.exposeString('name', { nullable: true }),
      personalWorkspaceId: t.field({
        type: 'UUID4',
        nullable: false,
        resolve: ({ id }, _args, context) => context.personalTeamIds.load(id),
      }),
      primaryWorkspaceId: t.field({
        type: 'UUID4',
        nullable: true,
        resolve: ({ id }, _args, context) => context.personalTeamIds.load(id),
      }),
      recentlyAccessedSandboxes: t.field({
        type: [types.sandbox],
        nullable: false,
        args: { limit: t.arg.int(), teamId: t.arg({ type: 'UUID4' }) },
        resolve: async ({ id }, { limit, teamId }, context) => {
          const recent = await recentSandboxes(context.database, id, { limit: limitOf(limit), teamId: teamId ?? null })
          for (const { sandbox, lastAccessedAt } of recent) context.lastAccesses.prime(sandbox.id, lastAccessedAt)
          return recent.map(({ sandbox }) => sandbox)
        },
      }),
      recentlyUsedTemplates: t.field({
        type: [types.template],
        nullable: false,
        args: { teamId: t.arg({ type: 'UUID4' }) },
        resolve: async ({ id }, { teamId }, { database, templates }) => {
          const names = await recentTemplateNames(database, id, teamId ?? null)
          return names.flatMap((name) => templates.find(name) ?? [])
        },
      }),
      username: t.exposeString('username', { nullable: false }),
      workspaces: t.field({
        type: [types.team],
        nullable: false,
        resolve: ({ id }, _args, { database }) => teamsOf(database, id),
      }),
    }),
  })
  builder.queryField('me', (t) =>
    t.field({ type: currentUser, nullable: true, resolve: (_root, _args, { user }) => user }),
  )
}

function limitOf(limit: number | null | undefined): number {
  return Math.min(Math.max(limit ?? DEFAULT_LIMIT, 0), HIGHEST_LIMIT)
}

/** Templates have names, the schema wants a UUID: one that follows from the name. */
function uuidOf(name: string): string {
  const hex = createHash('sha256').update(`template:${name}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
