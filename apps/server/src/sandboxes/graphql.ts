import { and, eq } from 'drizzle-orm'
import { gits } from '../database/schema.ts'
import type { Builder } from '../graphql/builder.ts'
import { HIGHEST_LIMIT, limitOf } from '../graphql/limitOf.ts'
import type { GraphqlTypes } from '../graphql/types.ts'
import { eligibleTeams } from '../workspaces/invitations.ts'
import { gitSandboxes, sandboxesBy, searchSandboxes, sharedWith } from './lists.ts'
import { draftsLoader, gitSandboxesLoader, lastAccessLoader, teamSandboxesLoader } from './loaders.ts'
import { defineSandboxMutations } from './mutations.ts'
import { sandboxColumns } from './sandboxColumns.ts'
import { defineSandboxFields } from './sandboxFields.ts'
import { accessSandbox, findSandbox, recentSandboxes } from './sandboxes.ts'
import { defineSharingMutations } from './sharingMutations.ts'
import { defineTemplateFields } from './templateFields.ts'

/** Nobody remembers more of a title. */
const LONGEST_SEARCH = 200

/** What the query API says about sandboxes: their lists, and everything around one. */
export function defineSandboxes(builder: Builder, types: GraphqlTypes): void {
  defineSandboxFields(types)
  defineTemplateFields(builder, types)
  defineSandboxMutations(builder, types)
  defineSharingMutations(builder, types)

  types.git.implement({
    fields: (t) => ({
      baseGitSandboxes: t.field({
        type: [types.sandbox],
        nullable: false,
        args: { teamId: t.arg({ type: 'UUID4' }) },
        resolve: ({ id }, { teamId }, context) =>
          gitSandboxesLoader(context, { kind: 'base', teamId: teamId ?? null }).load(id),
      }),
      branch: t.exposeString('branch', { nullable: true }),
      commitSha: t.exposeString('commitSha', { nullable: true }),
      id: t.expose('id', { type: 'UUID4', nullable: true }),
      originalGitSandboxes: t.field({
        type: [types.sandbox],
        nullable: false,
        args: { teamId: t.arg({ type: 'UUID4' }) },
        resolve: ({ id }, { teamId }, context) =>
          gitSandboxesLoader(context, { kind: 'original', teamId: teamId ?? null }).load(id),
      }),
      path: t.exposeString('path', { nullable: true }),
      repo: t.exposeString('repo', { nullable: true }),
      username: t.exposeString('username', { nullable: true }),
    }),
  })

  builder.queryFields((t) => ({
    sandbox: t.field({
      type: types.sandbox,
      nullable: true,
      args: { sandboxId: t.arg.id({ required: true }) },
      resolve: async (_root, { sandboxId }, { database, user }) =>
        (await accessSandbox(database, sandboxId, user))?.sandbox ?? null,
    }),
    // Whoever may not open a sandbox, but could join its workspace with their address, is told which.
    sandboxEligibleWorkspace: t.field({
      type: types.teamPreview,
      nullable: true,
      args: { sandboxId: t.arg.id({ required: true }) },
      resolve: async (_root, { sandboxId }, { database, user }) => {
        const sandbox = user && (await findSandbox(database, sandboxId))
        if (!sandbox) return null
        return (await eligibleTeams(database, user)).find(({ id }) => id === sandbox.teamId) ?? null
      },
    }),
    // A place in a repository is known to those who may see a sandbox of it.
    git: t.field({
      type: types.git,
      nullable: true,
      args: {
        branch: t.arg.string({ required: true }),
        path: t.arg.string({ required: true }),
        repo: t.arg.string({ required: true }),
        username: t.arg.string({ required: true }),
      },
      resolve: async (_root, { branch, path, repo, username }, { database, user }) => {
        if (!user) return null
        const [git] = await database
          .select()
          .from(gits)
          .where(and(eq(gits.username, username), eq(gits.repo, repo), eq(gits.branch, branch), eq(gits.path, path)))
          .orderBy(gits.insertedAt)
          .limit(1)
        if (!git) return null
        const [original, base] = await Promise.all([
          gitSandboxes(database, [git.id], 'original', user.id, null),
          gitSandboxes(database, [git.id], 'base', user.id, null),
        ])
        return original.length + base.length > 0 ? git : null
      },
    }),
  }))

  builder.objectFields(types.team, (t) => ({
    drafts: t.field({
      type: [types.sandbox],
      nullable: false,
      args: { authorId: t.arg({ type: 'UUID4' }), limit: t.arg.int(), orderBy: t.arg({ type: types.orderBy }) },
      // Drafts are found by their author only.
      resolve: ({ id }, { authorId, limit, orderBy }, context, info) =>
        context.user && (authorId == null || authorId === context.user.id)
          ? draftsLoader(context, {
              orderBy,
              limit: limitOf(limit, HIGHEST_LIMIT),
              columns: sandboxColumns(info),
            }).load(id)
          : [],
    }),
    search: t.field({
      type: [types.sandbox],
      nullable: false,
      args: { limit: t.arg.int(), text: t.arg.string({ required: true }) },
      resolve: ({ id }, { limit, text }, { database, user }) =>
        user ? searchSandboxes(database, user.id, id, text.slice(0, LONGEST_SEARCH), limitOf(limit)) : [],
    }),
    sandboxes: t.field({
      type: [types.sandbox],
      nullable: false,
      args: {
        alwaysOn: t.arg.boolean(),
        authorId: t.arg({ type: 'UUID4' }),
        hasOriginalGit: t.arg.boolean(),
        limit: t.arg.int(),
        orderBy: t.arg({ type: types.orderBy }),
        showDeleted: t.arg.boolean(),
      },
      resolve: ({ id }, { limit, ...filter }, context, info) =>
        teamSandboxesLoader(context, {
          ...filter,
          limit: limitOf(limit, HIGHEST_LIMIT),
          columns: sandboxColumns(info),
        }).load(id),
    }),
  }))

  builder.objectFields(types.currentUser, (t) => ({
    collaboratorSandboxes: t.field({
      type: [types.sandbox],
      nullable: false,
      resolve: ({ id }, _args, { database }) => sharedWith(database, id, HIGHEST_LIMIT),
    }),
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
    sandboxes: t.field({
      type: [types.sandbox],
      nullable: false,
      args: {
        hasOriginalGit: t.arg.boolean(),
        limit: t.arg.int(),
        orderBy: t.arg({ type: types.orderBy }),
        showDeleted: t.arg.boolean(),
      },
      resolve: ({ id }, { limit, ...filter }, { database }, info) =>
        sandboxesBy(database, id, {
          ...filter,
          limit: limitOf(limit, HIGHEST_LIMIT),
          columns: sandboxColumns(info),
        }),
    }),
  }))
}
