import { inArray } from 'drizzle-orm'
import { identities } from '../database/schema.ts'
import { defineListLoader, defineLoader, defineRowLoader } from '../graphql/loader.ts'
import { findPersonalTeamIds } from '../workspaces/teams.ts'
import { findUsers } from './users.ts'

/** People by id. Whoever asks is at hand already, and what people look at is mostly their own. */
export const userLoader = defineRowLoader(async ({ database, peopleAtHand }, ids) => {
  const others = ids.filter((id) => !peopleAtHand.some((person) => person.id === id))
  return others.length === 0 ? [...peopleAtHand] : [...peopleAtHand, ...(await findUsers(database, others))]
})

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
