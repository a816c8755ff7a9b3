import { ApiError } from '@boxyard/api'
import { and, asc, eq, gt, lt, sql } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import { sqlState, UNIQUE_VIOLATION } from '../database/database.ts'
import type { Database, Queryable } from '../database/database.ts'
import { rowsInTurn, sameInTurn } from '../database/sameTurn.ts'
import { defineStatement } from '../database/statement.ts'
import { identities, pendingUsers, users } from '../database/schema.ts'
import { createWork } from '../outbox/unitOfWork.ts'
import { createPersonalTeam, joinTeam } from '../workspaces/teams.ts'
import { hashSecret } from './secrets.ts'

export type User = typeof users.$inferSelect
export type Identity = typeof identities.$inferSelect
export type PendingUser = typeof pendingUsers.$inferSelect

/** Who a sign-in provider says someone is. */
export interface ProviderIdentity {
  provider: Identity['provider']
  /** Web address of the provider, or the id of the connection of a workspace. */
  issuer: string
  /** Id at the provider; never reused there. */
  subject: string
  login: string
  name: string | null
  email: string
  avatarUrl: string | null
  scopes: string[]
  /** Whether the provider is trusted to say who administers this server, and says this one does. */
  administrator: boolean
  /** The workspace whose single sign-on this is. */
  teamId: string | null
}

/** Seconds until a sign-up that nobody finishes is forgotten. */
export const PENDING_SECONDS = 3600

export async function findUserByIdentity(database: Queryable, identity: ProviderIdentity): Promise<User | null> {
  const [row] = await database
    .select({ user: users })
    .from(identities)
    .innerJoin(users, eq(users.id, identities.userId))
    .where(sameIdentity(identity))
  return row?.user ?? null
}

/** Takes over what the provider says now about someone who signs in again. */
export async function refreshIdentity(database: Queryable, identity: ProviderIdentity): Promise<void> {
  const { login, name, avatarUrl, scopes } = identity
  await database
    .update(identities)
    .set({ login, name, avatarUrl, scopes, updatedAt: new Date() })
    .where(sameIdentity(identity))
}

function sameIdentity({ provider, issuer, subject }: ProviderIdentity) {
  return and(eq(identities.provider, provider), eq(identities.issuer, issuer), eq(identities.subject, subject))
}

export async function findUser(database: Queryable, id: string): Promise<User | null> {
  const [user] = await findUsers(database, [id])
  return user ?? null
}

/** Ignores case. */
export async function findUserByName(database: Queryable, username: string): Promise<User | null> {
  const [user] = await database
    .select()
    .from(users)
    .where(eq(sql`lower(${users.username})`, username.toLowerCase()))
  return user ?? null
}

const usersById = defineStatement<{ ids: readonly string[] }, User[]>('users by id', (database) =>
  database
    .select()
    .from(users)
    .where(sql`${users.id} = any(${sql.placeholder('ids')})`),
)

export const findUsers = rowsInTurn<User>((database, ids) => usersById(database, { ids }))

/** Whoever has this address; the one who was there first, should several have it. */
export async function findUserByEmail(database: Queryable, email: string): Promise<User | null> {
  const [user] = await database
    .select()
    .from(users)
    .where(eq(sql`lower(${users.email})`, email.toLowerCase()))
    .orderBy(asc(users.insertedAt))
    .limit(1)
  return user ?? null
}

export async function isUsernameAvailable(database: Queryable, username: string): Promise<boolean> {
  return (await findUserByName(database, username)) === null
}

export async function isEmailTaken(database: Queryable, email: string): Promise<boolean> {
  const taken = await database
    .select({ id: users.id })
    .from(users)
    .where(eq(sql`lower(${users.email})`, email.toLowerCase()))
    .limit(1)
  return taken.length > 0
}

/** A free username close to `login`. */
export async function suggestUsername(database: Queryable, login: string): Promise<string> {
  const usable = login.replace(/[^A-Za-z0-9_-]/g, '').replace(/^[-_]+|[-_]+$/g, '')
  const base = usable.length < 2 ? 'user' : usable.slice(0, 32)
  for (let suffix = 1; ; suffix += 1) {
    const candidate = suffix === 1 ? base : `${base}${suffix}`
    if (await isUsernameAvailable(database, candidate)) return candidate
  }
}

/** Remembers someone who has to choose a username first. `browserSecret` ties the sign-up to the browser it began in. */
export async function addPendingUser(
  database: Queryable,
  identity: ProviderIdentity,
  browserSecret: string,
  now: Date,
): Promise<PendingUser> {
  await database.delete(pendingUsers).where(lt(pendingUsers.expiresAt, now))
  const [pending] = await database
    .insert(pendingUsers)
    .values({
      ...identity,
      id: randomUUID(),
      browserHash: hashSecret(browserSecret),
      username: await suggestUsername(database, identity.login),
      expiresAt: new Date(now.getTime() + PENDING_SECONDS * 1000),
    })
    .returning()
  return pending!
}

export async function findPendingUser(
  database: Queryable,
  id: string,
  browserSecret: string | undefined,
  now: Date,
): Promise<PendingUser | null> {
  if (browserSecret === undefined) return null
  const [pending] = await database
    .select()
    .from(pendingUsers)
    .where(
      and(
        eq(pendingUsers.id, id),
        eq(pendingUsers.browserHash, hashSecret(browserSecret)),
        gt(pendingUsers.expiresAt, now),
      ),
    )
  return pending ?? null
}

export interface ChosenAccount {
  username: string
  name: string | null
  firstAdministers: boolean
  /** What the person said about themselves: role, usage, company. */
  answers?: Readonly<Record<string, string>>
}

/**
 * Makes the user, the identity and the personal workspace of someone who was pending, all or nothing. With `firstAdministers` the
 * very first user becomes the administrator.
 */
export async function finalizeUser(
  database: Database,
  pending: PendingUser,
  chosen: ChosenAccount,
): Promise<{ user: User; personalTeamId: string }> {
  try {
    return await database.transaction(async (tx) => {
      const taken = await tx
        .delete(pendingUsers)
        .where(eq(pendingUsers.id, pending.id))
        .returning({ id: pendingUsers.id })
      if (taken.length === 0) throw new ApiError('SIGN_UP_EXPIRED')
      if (chosen.firstAdministers) await tx.execute(sql`lock table ${users} in share row exclusive mode`)
      const administers = pending.administrator
        ? !(await hasAdministrator(tx))
        : chosen.firstAdministers && (await hasNoUsers(tx))
      const created = await createUser(tx, {
        username: chosen.username,
        name: chosen.name ?? pending.name,
        email: pending.email,
        avatarUrl: pending.avatarUrl,
        role: administers ? 'admin' : 'member',
      })
      await addIdentity(tx, created.user.id, pending)
      if (pending.teamId !== null && (await joinTeam(tx, pending.teamId, created.user.id))) {
        const joined = { teamId: pending.teamId, userId: created.user.id, detail: { by: 'sso' } }
        await createWork(tx, created.user.id).audit('member.added', joined)
      }
      if (chosen.answers) await tx.update(users).set({ metadata: chosen.answers }).where(eq(users.id, created.user.id))
      return created
    })
  } catch (error) {
    if (sqlState(error) !== UNIQUE_VIOLATION) throw error
    const free = await isUsernameAvailable(database, chosen.username)
    if (free) throw new ApiError('ALREADY_SIGNED_UP', { cause: error })
    throw new ApiError('USERNAME_TAKEN', { cause: error, fields: { username: ['This username is taken.'] } })
  }
}

/** Lets somebody sign in at one more provider. Fails with a unique violation when somebody else does. */
export async function addIdentity(
  database: Queryable,
  userId: string,
  identity: Omit<ProviderIdentity, 'administrator' | 'email' | 'teamId'>,
): Promise<void> {
  const { provider, issuer, subject, login, name, avatarUrl, scopes } = identity
  await database
    .insert(identities)
    .values({ id: randomUUID(), userId, provider, issuer, subject, login, name, avatarUrl, scopes })
}

/** The ways somebody can sign in, the oldest first. */
export function findIdentities(database: Queryable, userId: string): Promise<Identity[]> {
  return database.select().from(identities).where(eq(identities.userId, userId)).orderBy(asc(identities.insertedAt))
}

/** A user with a personal workspace. */
export async function createUser(
  database: Queryable,
  user: Pick<User, 'username' | 'name' | 'email' | 'avatarUrl' | 'role'>,
): Promise<{ user: User; personalTeamId: string }> {
  const [created] = await database
    .insert(users)
    .values({ id: randomUUID(), ...user })
    .returning()
  const personalTeamId = await createPersonalTeam(database, created!)
  return { user: created!, personalTeamId }
}

/** Whether a person administers this server. The account that the settings' token acts for is nobody's. */
async function hasAdministrator(database: Queryable): Promise<boolean> {
  const found = await database
    .select({ id: users.id })
    .from(users)
    .innerJoin(identities, eq(identities.userId, users.id))
    .where(eq(users.role, 'admin'))
    .limit(1)
  return found.length > 0
}

/** Whether nobody has an account yet. */
export async function hasNoUsers(database: Queryable): Promise<boolean> {
  return (await database.select({ id: users.id }).from(users).limit(1)).length === 0
}

const oldestAdministrator = sameInTurn(
  () => '',
  defineStatement<Record<string, never>, User[]>('oldest administrator', (database) =>
    database.select().from(users).where(eq(users.role, 'admin')).orderBy(asc(users.insertedAt)).limit(1),
  ),
)

/** The administrator who was there first, made when there is none yet. */
export async function firstAdministrator(database: Database): Promise<User> {
  const [found] = await oldestAdministrator(database, {})
  if (found) return found
  return database.transaction(async (tx) => {
    await tx.execute(sql`lock table ${users} in share row exclusive mode`)
    const [present] = await oldestAdministrator(tx, {})
    if (present) return present
    const username = await suggestUsername(tx, 'admin')
    const { user } = await createUser(tx, {
      username,
      name: 'Administrator',
      email: '',
      avatarUrl: null,
      role: 'admin',
    })
    return user
  })
}
