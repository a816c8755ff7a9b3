import { inArray } from 'drizzle-orm'
import { liveSessions } from '../database/schema.ts'
import { defineListLoader, defineRowLoader } from '../graphql/loader.ts'
import { guestsOfSessions } from './liveSessions.ts'

/** Sessions, also those that have ended. */
export const liveSessionLoader = defineRowLoader(({ database }, ids) =>
  database
    .select()
    .from(liveSessions)
    .where(inArray(liveSessions.id, [...ids])),
)

export const liveGuestsLoader = defineListLoader(
  ({ database }, sessionIds) => guestsOfSessions(database, sessionIds),
  ({ sessionId }) => sessionId,
)
