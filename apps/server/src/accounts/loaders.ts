import { inArray } from 'drizzle-orm'
import { identities } from '../database/schema.ts'
import { defineListLoader, defineLoader, defineRowLoader } from '../graphql/loader.ts'
import { findPersonalTeamIds } from '../workspaces/teams.ts'
import { findUsers } from './users.ts'

export const userLoader = defineRowLoader(({ database }, ids) => findUsers(database, ids))

export const personalTeamIdLoader = defineLoader<string, string>(async ({ database }, userIds) => {
  const found = await findPersonalTeamIds(database, userIds)
  return userIds.map((id) => found.get(id) ?? new Error(`The user ${id} has no personal workspace`))
})

/** Who a user is at each sign-in provider, the first one first. */
export const identitiesLoader = defineListLoader(
  ({ database }, userIds) =>
    database
      .select()
      .from(identities)
      .where(inArray(identities.userId, [...userIds]))
      .orderBy(identities.insertedAt),
  ({ userId }) => userId,
)
