import type { Queryable } from '../database/database.ts'
import type { TokenHolder } from '../tokens/tokens.ts'
import { findUserOfSession } from './sessions.ts'
import { findUser } from './users.ts'
import type { User } from './users.ts'

/** Whom a signed token speaks for, as long as the session it came from goes on. */
export function findTokenHolder(database: Queryable, holder: TokenHolder): Promise<User | null> {
  return holder.sessionId === null
    ? findUser(database, holder.userId)
    : findUserOfSession(database, holder.sessionId, new Date())
}
