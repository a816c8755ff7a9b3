import { and, desc, eq, gt, isNull, lt, ne, or, sql } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import type { Queryable } from '../database/database.ts'
import { sameInTurn } from '../database/sameTurn.ts'
import { defineStatement } from '../database/statement.ts'
import { sessions, users } from '../database/schema.ts'
import { hashSecret, newSecret } from './secrets.ts'
import type { User } from './users.ts'

export type Session = typeof sessions.$inferSelect
export type SessionKind = Session['kind']

export interface SessionUser {
  user: User
  sessionId: string
  kind: SessionKind
  /** The token that the browser is to use from now on, when it is time for a new one. */
  nextToken?: string
}

export const SESSION_SECONDS = 30 * 86_400

const ROTATE_AFTER_MS = 86_400_000
/** An answer with a new token may be lost; the next one is offered after this time. */
const OFFER_AGAIN_MS = 10 * 60_000
/** How long the token before is good once its successor came: for requests that were on their way. */
const PREVIOUS_GRACE_MS = 60_000
const NOTE_USE_AFTER_MS = 5 * 60_000

const inThirtyDays = (now: Date) => new Date(now.getTime() + SESSION_SECONDS * 1000)

/** Begins a session and returns its token, which is known to nobody but its holder. */
export async function createSession(
  database: Queryable,
  session: { userId: string; kind: SessionKind; userAgent?: string | undefined; label?: string },
  now = new Date(),
): Promise<string> {
  const token = newSecret(session.kind === 'bearer' ? 'csb_v1_' : '')
  const { userId, kind, userAgent, label } = session
  await database.insert(sessions).values({
    id: randomUUID(),
    userId,
    kind,
    expiresAt: inThirtyDays(now),
    rotatedAt: now,
    lastUsedAt: now,
    tokenHash: hashSecret(token),
    userAgent: userAgent?.slice(0, 300) ?? null,
    label: label ?? null,
  })
  return token
}

const sessionsByToken = sameInTurn(
  ({ hash }) => hash,
  defineStatement<{ hash: string; now: Date }, { user: User; session: Session }[]>('session by token', (database) => {
    const hash = sql.placeholder('hash')
    return database
      .select({ user: users, session: sessions })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(
        and(
          or(eq(sessions.tokenHash, hash), eq(sessions.nextTokenHash, hash), eq(sessions.previousTokenHash, hash)),
          gt(sessions.expiresAt, sql.placeholder('now')),
        ),
      )
  }),
)

/**
 * Whose token it is. With `mayRotate` the answer reaches the holder, so that a browser's token that is a day old gets a successor.
 * A token that was replaced and comes back later was copied: then the whole session ends.
 */
export async function useSession(
  database: Queryable,
  token: string,
  options: { now: Date; mayRotate: boolean },
): Promise<SessionUser | null> {
  const { now } = options
  const hash = hashSecret(token)
  const [row] = await sessionsByToken(database, { hash, now })
  if (!row) return null
  const { user, session } = row
  const found = { user, sessionId: session.id, kind: session.kind }
  if (session.previousTokenHash === hash) {
    if (now.getTime() - session.rotatedAt.getTime() <= PREVIOUS_GRACE_MS) return found
    await removeSession(database, session.id)
    return null
  }
  if (session.nextTokenHash === hash) {
    await promote(database, session, now)
    return found
  }
  const age = now.getTime() - session.rotatedAt.getTime()
  if (options.mayRotate && session.kind === 'browser' && age > ROTATE_AFTER_MS) {
    const nextToken = await offerNext(database, session.id, now)
    if (nextToken !== null) return { ...found, nextToken }
  }
  if (now.getTime() - session.lastUsedAt.getTime() > NOTE_USE_AFTER_MS) {
    await database.update(sessions).set({ lastUsedAt: now }).where(eq(sessions.id, session.id))
  }
  return found
}

/** Of requests that come together only one gets the new token, so that the browser keeps the one that is known here. */
async function offerNext(database: Queryable, id: string, now: Date): Promise<string | null> {
  const token = newSecret()
  const offered = await database
    .update(sessions)
    .set({ nextTokenHash: hashSecret(token), nextOfferedAt: now, lastUsedAt: now, expiresAt: inThirtyDays(now) })
    .where(
      and(
        eq(sessions.id, id),
        or(isNull(sessions.nextOfferedAt), lt(sessions.nextOfferedAt, new Date(now.getTime() - OFFER_AGAIN_MS))),
      ),
    )
    .returning({ id: sessions.id })
  return offered.length > 0 ? token : null
}

async function promote(database: Queryable, session: Session, now: Date): Promise<void> {
  await database
    .update(sessions)
    .set({
      tokenHash: session.nextTokenHash!,
      previousTokenHash: session.tokenHash,
      nextTokenHash: null,
      nextOfferedAt: null,
      rotatedAt: now,
      lastUsedAt: now,
    })
    .where(and(eq(sessions.id, session.id), eq(sessions.nextTokenHash, session.nextTokenHash!)))
}

/** The user of a session that is still there, by its id. */
export async function findUserOfSession(database: Queryable, id: string, now: Date): Promise<User | null> {
  const [row] = await database
    .select({ user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, id), gt(sessions.expiresAt, now)))
  return row?.user ?? null
}

/** What somebody is signed in with, the most recently used first. */
export function listSessions(database: Queryable, userId: string, now: Date): Promise<Session[]> {
  return database
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, now)))
    .orderBy(desc(sessions.lastUsedAt))
}

export async function removeSession(database: Queryable, id: string): Promise<void> {
  await database.delete(sessions).where(eq(sessions.id, id))
}

/** Ends one session of somebody. False when it is none of theirs. */
export async function removeSessionOf(database: Queryable, userId: string, id: string): Promise<boolean> {
  const removed = await database
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.id, id)))
    .returning({ id: sessions.id })
  return removed.length > 0
}

/** Ends all sessions of somebody but one, and returns their ids. */
export async function removeOtherSessions(
  database: Queryable,
  userId: string,
  keepId: string | null,
): Promise<string[]> {
  const own = eq(sessions.userId, userId)
  const removed = await database
    .delete(sessions)
    .where(keepId === null ? own : and(own, ne(sessions.id, keepId)))
    .returning({ id: sessions.id })
  return removed.map(({ id }) => id)
}

/** Ends the session of a token if it belongs to this user, and returns its id. */
export async function revokeToken(database: Queryable, userId: string, token: string): Promise<string | null> {
  const [removed] = await database
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.tokenHash, hashSecret(token))))
    .returning({ id: sessions.id })
  return removed?.id ?? null
}
