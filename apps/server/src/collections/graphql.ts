import { personalTeamIdLoader, userLoader } from '../accounts/loaders.ts'
import type { User } from '../accounts/users.ts'
import type { Builder } from '../graphql/builder.ts'
import type { GraphqlContext } from '../graphql/graphqlContext.ts'
import { requireUser } from '../graphql/requireUser.ts'
import type { GraphqlTypes } from '../graphql/types.ts'
import { uuidSchema } from '../graphql/uuidSchema.ts'
import { validInput } from '../graphql/validInput.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import { sandboxIdsSchema } from '../sandboxes/authorizeSandboxes.ts'
import { moveSandboxes } from '../sandboxes/moveSandboxes.ts'
import { authorizeTeam } from '../workspaces/authorizeTeam.ts'
import { standingLoader, teamLoader } from '../workspaces/loaders.ts'
import type { Team } from '../workspaces/teams.ts'
import { collectionPathSchema } from './collectionPath.ts'
import { collectionsIn, findCollection } from './collections.ts'
import { createCollection, deleteCollection, renameCollection } from './commands.ts'
import { collectionCountLoader, collectionLoader, collectionSandboxesLoader, teamCollectionsLoader } from './loaders.ts'

/** What the query API says about folders. */
export function defineCollections(builder: Builder, types: GraphqlTypes): void {
  types.collection.implement({
    fields: (t) => ({
      id: t.expose('id', { type: 'UUID4', nullable: true }),
      path: t.exposeString('path', { nullable: false }),
      sandboxCount: t.int({
        nullable: false,
        resolve: ({ id }, _args, context) => collectionCountLoader(context).load(id),
      }),
      sandboxes: t.field({
        type: [types.sandbox],
        nullable: false,
        resolve: ({ id }, _args, context) => collectionSandboxesLoader(context).load(id),
      }),
      team: t.field({
        type: types.team,
        nullable: true,
        resolve: ({ teamId }, _args, context) => teamLoader(context).load(teamId),
      }),
      teamId: t.expose('teamId', { type: 'UUID4', nullable: true }),
      // The folders of a personal workspace belong to its person.
      user: t.field({
        type: types.user,
        nullable: true,
        resolve: async ({ teamId }, _args, context) => {
          const team = await teamLoader(context).load(teamId)
          return team?.kind === 'personal' && team.creatorId !== null ? userLoader(context).load(team.creatorId) : null
        },
      }),
    }),
  })

  builder.objectField(types.team, 'collections', (t) =>
    t.field({
      type: [types.collection],
      nullable: false,
      resolve: ({ id }, _args, context) => teamCollectionsLoader(context).load(id),
    }),
  )
  builder.objectField(types.sandbox, 'collection', (t) =>
    t.field({
      type: types.collection,
      nullable: true,
      resolve: async ({ collectionId, teamId }, _args, context) => {
        if (collectionId === null || !(await isMember(context, teamId))) return null
        return collectionLoader(context).load(collectionId)
      },
    }),
  )
  builder.objectFields(types.currentUser, (t) => ({
    collection: t.field({
      type: types.collection,
      nullable: true,
      args: { path: t.arg.string({ required: true }), teamId: t.arg.id() },
      resolve: async (user, args, context) => {
        const path = validInput(collectionPathSchema, args.path)
        const { team } = await authorizeTeam(context.database, await teamIdOf(context, user, args.teamId), user, 'see')
        return findCollection(context.database, team.id, path)
      },
    }),
    collections: t.field({
      type: [types.collection],
      nullable: false,
      args: { teamId: t.arg.id() },
      resolve: async (user, args, context) => {
        const { team } = await authorizeTeam(context.database, await teamIdOf(context, user, args.teamId), user, 'see')
        return collectionsIn(context.database, [team.id])
      },
    }),
  }))

  builder.mutationFields((t) => ({
    createCollection: t.field({
      type: types.collection,
      nullable: false,
      args: { path: t.arg.string({ required: true }), teamId: t.arg({ type: 'UUID4' }) },
      resolve: (_root, args, context) => {
        const path = validInput(collectionPathSchema, args.path)
        return inFolders(context, args.teamId, (work, team) => createCollection(work, team, path))
      },
    }),
    deleteCollection: t.field({
      type: [types.collection],
      nullable: false,
      args: { path: t.arg.string({ required: true }), teamId: t.arg({ type: 'UUID4' }) },
      resolve: (_root, args, context) => {
        const path = validInput(collectionPathSchema, args.path)
        return inFolders(context, args.teamId, (work, team) => deleteCollection(work, team, path))
      },
    }),
    renameCollection: t.field({
      type: [types.collection],
      nullable: false,
      args: {
        newPath: t.arg.string({ required: true }),
        newTeamId: t.arg({ type: 'UUID4' }),
        path: t.arg.string({ required: true }),
        teamId: t.arg({ type: 'UUID4' }),
      },
      resolve: async (_root, args, context) => {
        const path = validInput(collectionPathSchema, args.path)
        const newPath = validInput(collectionPathSchema, args.newPath)
        const user = requireUser(context)
        const fromId = await teamIdOf(context, user, args.teamId)
        const toId = args.newTeamId ?? fromId
        return inTransaction(context.database, user, async (work) => {
          // Always in the same order, so that two calls can not wait for each other.
          const teams = new Map<string, Team>()
          for (const id of [...new Set([fromId, toId])].toSorted()) {
            teams.set(id, (await authorizeTeam(work.tx, id, user, 'editFolders', { lock: true })).team)
          }
          return renameCollection(work, { team: teams.get(fromId)!, path }, { team: teams.get(toId)!, path: newPath })
        })
      },
    }),
    addToCollection: t.field({
      type: types.collection,
      nullable: false,
      args: {
        collectionPath: t.arg.string({ required: true }),
        privacy: t.arg.int(),
        sandboxIds: t.arg({ type: ['ID'], required: { list: false, items: false } }),
        teamId: t.arg({ type: 'UUID4' }),
      },
      resolve: (_root, { collectionPath, privacy, sandboxIds, teamId }, context) => {
        const path = validInput(collectionPathSchema, collectionPath)
        const user = requireUser(context)
        const ids = validIds(sandboxIds)
        return inTransaction(context.database, user, async (work) => {
          const { collection } = await moveSandboxes(work, user, ids, { teamId, path, privacy })
          return collection!
        })
      },
    }),
    addToCollectionOrTeam: t.field({
      type: [types.sandbox],
      nullable: { list: false, items: true },
      args: {
        collectionPath: t.arg.string(),
        privacy: t.arg.int(),
        sandboxIds: t.arg({ type: ['ID'], required: { list: false, items: false } }),
        teamId: t.arg({ type: 'UUID4' }),
      },
      resolve: (_root, { collectionPath, privacy, sandboxIds, teamId }, context) => {
        const path = collectionPath == null ? null : validInput(collectionPathSchema, collectionPath)
        const user = requireUser(context)
        const ids = validIds(sandboxIds)
        return inTransaction(
          context.database,
          user,
          async (work) => (await moveSandboxes(work, user, ids, { teamId, path, privacy })).moved,
        )
      },
    }),
  }))
}

async function inFolders<T>(
  context: GraphqlContext,
  teamId: string | null | undefined,
  command: (work: Work, team: Team) => Promise<T>,
): Promise<T> {
  const user = requireUser(context)
  const id = await teamIdOf(context, user, teamId)
  return inTransaction(context.database, user, async (work) => {
    const { team } = await authorizeTeam(work.tx, id, user, 'editFolders', { lock: true })
    return command(work, team)
  })
}

function validIds(ids: readonly (string | null | undefined)[] | null | undefined): string[] {
  const named = (ids ?? []).filter((id) => id != null)
  return named.length === 0 ? [] : validInput(sandboxIdsSchema, named)
}

const teamIdOf = async (context: GraphqlContext, user: User, teamId: string | null | undefined) =>
  teamId == null ? personalTeamIdLoader(context).load(user.id) : validInput(uuidSchema, teamId)

const isMember = async (context: GraphqlContext, teamId: string) =>
  (await standingLoader(context).load(teamId)).role !== 'none'
