import type { SandboxRole } from '@boxyard/api'
import { and, inArray } from 'drizzle-orm'
import { gits, sandboxAccesses, sandboxes } from '../database/schema.ts'
import { defineListLoader, defineLoader, defineLoaderWith, defineRowLoader, groupedBy } from '../graphql/loader.ts'
import { unsavedSandboxes } from '../rooms/unsavedSandboxes.ts'
import { limitsLoader, standingLoader } from '../workspaces/loaders.ts'
import { teamsOf } from '../workspaces/teams.ts'
import { collaboratorsOf, invitationsOf } from './collaborators.ts'
import { filedCounts, restrictedIds } from './counts.ts'
import { bookmarkedIds, bookmarksOf, customTemplatesOf, findTemplates, templatesOfTeams } from './customTemplates.ts'
import type { AnyTemplate, CustomTemplate } from './graphqlTypes.ts'
import { draftsOf, gitSandboxes, teamSandboxes } from './lists.ts'
import type { SandboxFilter } from './lists.ts'
import { lastAccesses, rolesIn } from './sandboxes.ts'
import type { Sandbox } from './sandboxes.ts'

/** What whoever asks is to a sandbox. */
export const sandboxRoleLoader = defineLoader<Sandbox, SandboxRole>(({ database, user }, list) =>
  rolesIn(database, list, user),
)

/** A sandbox by its id, whoever asks: for what they were let see already. */
export const sandboxLoader = defineRowLoader(({ database }, ids) =>
  database
    .select()
    .from(sandboxes)
    .where(inArray(sandboxes.id, [...ids])),
)

/** Whether somebody has written in a sandbox what is not saved yet. */
export const unsavedLoader = defineLoader<string, boolean>(async ({ database }, ids) => {
  const unsaved = await unsavedSandboxes(database, ids)
  return ids.map((id) => unsaved.has(id))
})

/** When whoever asks opened a sandbox last. */
export const lastAccessLoader = defineLoader<string, Date | null>(async ({ database, user }, ids) => {
  const found = user ? await lastAccesses(database, user.id, ids) : new Map<string, Date>()
  return ids.map((id) => found.get(id) ?? null)
})

export const gitLoader = defineRowLoader(({ database }, ids) =>
  database
    .select()
    .from(gits)
    .where(inArray(gits.id, [...ids])),
)

export const collaboratorsLoader = defineListLoader(
  ({ database }, ids) => collaboratorsOf(database, ids),
  ({ sandboxId }) => sandboxId,
)

/** When each collaborator opened the sandbox last: `sandbox/user`. */
export const collaboratorSeenLoader = defineLoader<string, Date | null>(async ({ database }, keys) => {
  const ids = [...new Set(keys.map((key) => key.slice(0, key.indexOf('/'))))]
  const rows = await database
    .select()
    .from(sandboxAccesses)
    .where(
      and(
        inArray(sandboxAccesses.sandboxId, ids),
        inArray(
          sandboxAccesses.userId,
          keys.map((key) => key.slice(key.indexOf('/') + 1)),
        ),
      ),
    )
  const found = new Map(rows.map((row) => [`${row.sandboxId}/${row.userId}`, row.lastAccessedAt]))
  return keys.map((key) => found.get(key) ?? null)
})

export const invitationsLoader = defineListLoader(
  ({ database }, ids) => invitationsOf(database, ids),
  ({ sandboxId }) => sandboxId,
)

/** The template that a sandbox was made, or null. */
export const customTemplateLoader = defineLoader<string, CustomTemplate | null>(async ({ database }, ids) => {
  const found = new Map((await customTemplatesOf(database, ids)).map((template) => [template.sandboxId, template]))
  return ids.map((id) => found.get(id) ?? null)
})

export const teamTemplatesLoader = defineListLoader(
  async ({ database, user }, teamIds) => (user ? templatesOfTeams(database, teamIds, user.id) : []),
  ({ teamId }) => teamId,
)

/** Sandboxes of a workspace that are beyond what its plan includes. */
const restrictedLoader = defineLoader<string, ReadonlySet<string>>(async (context, teamIds) => {
  const [limits, counts] = await Promise.all([
    limitsLoader(context).loadMany(teamIds),
    filedCounts(context.database, teamIds),
  ])
  const beyond = teamIds.flatMap((teamId, index) => {
    const limit = limits[index]!
    if (limit instanceof Error) return []
    const included = limit.includedSandboxes
    return (counts.get(teamId)?.filed ?? 0) > included ? [{ teamId, included }] : []
  })
  const restricted = await restrictedIds(context.database, beyond)
  return limits.map((limit) => (limit instanceof Error ? limit : restricted))
})

export const isRestricted: (
  context: Parameters<typeof restrictedLoader>[0],
  sandbox: Sandbox,
) => Promise<boolean> = async (context, { id, teamId, collectionId }) =>
  collectionId !== null && (await restrictedLoader(context).load(teamId)).has(id)

/** What is in the folders of a workspace, for one of its people. */
export const teamSandboxesLoader = defineLoaderWith<SandboxFilter, Sandbox[]>(async (context, teamIds, filter) => {
  const { database, user } = context
  if (!user) return teamIds.map(() => [])
  const standings = await standingLoader(context).loadMany(teamIds)
  const adminOf = teamIds.filter((_id, index) => {
    const standing = standings[index]!
    return !(standing instanceof Error) && standing.role === 'admin'
  })
  const found = await teamSandboxes(database, teamIds, { userId: user.id, adminOf }, filter)
  return groupedBy(found, teamIds, ({ teamId }) => teamId)
})

/** The drafts of whoever asks in a workspace. */
export const draftsLoader = defineLoaderWith<Pick<SandboxFilter, 'orderBy' | 'limit' | 'columns'>, Sandbox[]>(
  async ({ database, user }, teamIds, filter) => {
    const found = user ? await draftsOf(database, teamIds, user.id, filter) : []
    return groupedBy(found, teamIds, ({ teamId }) => teamId)
  },
)

/** Sandboxes of a place in a repository that whoever asks may see. */
export const gitSandboxesLoader = defineLoaderWith<{ kind: 'base' | 'original'; teamId: string | null }, Sandbox[]>(
  async ({ database, user }, gitIds, { kind, teamId }) => {
    const found = user ? await gitSandboxes(database, gitIds, kind, user.id, teamId) : []
    return groupedBy(found, gitIds, ({ gitId }) => gitId).map((rows) => rows.map(({ sandbox }) => sandbox))
  },
)

/** A template by the id that the query API gives it; null where there is none. Whether it may be seen is for the caller to ask. */
export const templateLoader = defineLoader<string, AnyTemplate | null>(async ({ database, templates }, ids) => {
  const found = await findTemplates(database, templates, ids)
  return ids.map((id) => found.get(id) ?? null)
})

/** Ids of what a workspace has bookmarked, the newest first. */
export const teamBookmarksLoader = defineListLoader(
  ({ database }, teamIds) => bookmarkedIds(database, { teamIds }),
  ({ by }) => by,
)

/** The workspaces of whoever asks. */
export const ownTeamsLoader = defineLoader<string, Awaited<ReturnType<typeof teamsOf>>>(({ database }, userIds) =>
  Promise.all(userIds.map((id) => teamsOf(database, id))),
)

/** Bookmarks of whoever asks and their workspaces, by template. */
export const bookmarksLoader = defineListLoader(
  async (context, templateIds) => {
    if (!context.user) return []
    const teams = await ownTeamsLoader(context).load(context.user.id)
    return bookmarksOf(
      context.database,
      templateIds,
      context.user.id,
      teams.map(({ id }) => id),
    )
  },
  ({ templateId }) => templateId,
)
