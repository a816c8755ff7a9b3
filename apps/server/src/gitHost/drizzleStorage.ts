import type { GitAccount, GitHostStorage } from '@boxyard/git-host'
import { and, eq, gt, lt, sql } from 'drizzle-orm'
import { sqlState, UNIQUE_VIOLATION } from '../database/database.ts'
import type { Database } from '../database/database.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import {
  gitAccounts,
  gitInvitations,
  gitOauthCodes,
  gitSessions,
  gitSignInLinks,
  gitSignInFailures,
  gitTokens,
} from '../database/schema.ts'

/** Serializes the creation of accounts, so that one of two simultaneous first ones is the administrator's. */
const ACCOUNT_LOCK = 0x676974

export const accountColumns = {
  id: gitAccounts.id,
  login: gitAccounts.login,
  name: gitAccounts.name,
  email: gitAccounts.email,
  administrator: gitAccounts.administrator,
  emailVerified: sql<boolean>`${gitAccounts.emailVerifiedAt} is not null`,
  insertedAt: gitAccounts.insertedAt,
} satisfies Record<keyof GitAccount, unknown>

/** The storage of the local git host in the server's own database. */
export function createGitHostStorage(database: Database, now: () => Date = () => new Date()): GitHostStorage {
  return {
    async hasAccounts() {
      return (await database.select({ id: gitAccounts.id }).from(gitAccounts).limit(1)).length > 0
    },

    async createAccount(account, admission) {
      try {
        return await database.transaction(async (tx) => {
          await tx.execute(sql`select pg_advisory_xact_lock(${ACCOUNT_LOCK})`)
          const administrator = (await tx.select({ id: gitAccounts.id }).from(gitAccounts).limit(1)).length === 0
          if (!administrator && admission !== 'open') {
            const used = await tx
              .delete(gitInvitations)
              .where(
                and(eq(gitInvitations.codeHash, admission.invitationHash ?? ''), gt(gitInvitations.expiresAt, now())),
              )
              .returning({ codeHash: gitInvitations.codeHash })
            if (used.length === 0) return 'NOT_ADMITTED'
          }
          const [created] = await tx
            .insert(gitAccounts)
            .values({ ...account, administrator })
            .returning(accountColumns)
          return created!
        })
      } catch (error) {
        // The invitation is still there: the transaction was rolled back.
        if (sqlState(error) === UNIQUE_VIOLATION) return 'LOGIN_TAKEN'
        throw error
      }
    },

    async findCredentials(login) {
      const [row] = await database
        .select({ ...accountColumns, passwordHash: gitAccounts.passwordHash })
        .from(gitAccounts)
        .where(eq(sql`lower(${gitAccounts.login})`, login.toLowerCase()))
      if (!row) return null
      const { passwordHash, ...account } = row
      return { account, passwordHash }
    },

    async findAccountByEmail(email) {
      const found = await database
        .select(accountColumns)
        .from(gitAccounts)
        .where(eq(sql`lower(${gitAccounts.email})`, email.toLowerCase()))
        .limit(2)
      return found.length === 1 ? found[0]! : null
    },
    addSignInLink(link, mail) {
      return inTransaction(database, null, async ({ tx, mail: send }) => {
        await tx.delete(gitSignInLinks).where(lt(gitSignInLinks.expiresAt, now()))
        await tx.insert(gitSignInLinks).values(link)
        await send('signInLink', mail)
      })
    },
    async findSignInLink(tokenHash) {
      const [account] = await database
        .select(accountColumns)
        .from(gitSignInLinks)
        .innerJoin(gitAccounts, eq(gitAccounts.id, gitSignInLinks.accountId))
        .where(and(eq(gitSignInLinks.tokenHash, tokenHash), gt(gitSignInLinks.expiresAt, now())))
      return account ?? null
    },
    takeSignInLink(tokenHash) {
      return database.transaction(async (tx) => {
        const [link] = await tx.delete(gitSignInLinks).where(eq(gitSignInLinks.tokenHash, tokenHash)).returning()
        if (!link || link.expiresAt <= now()) return null
        const [account] = await tx
          .update(gitAccounts)
          .set({ emailVerifiedAt: now() })
          .where(eq(gitAccounts.id, link.accountId))
          .returning(accountColumns)
        return account ?? null
      })
    },

    async addSession(session) {
      await database.insert(gitSessions).values(session)
    },
    async findSession(tokenHash) {
      const [row] = await database
        .select({ account: accountColumns, insertedAt: gitSessions.insertedAt })
        .from(gitSessions)
        .innerJoin(gitAccounts, eq(gitAccounts.id, gitSessions.accountId))
        .where(and(eq(gitSessions.tokenHash, tokenHash), gt(gitSessions.expiresAt, now())))
      return row ?? null
    },
    async removeSession(tokenHash) {
      await database.delete(gitSessions).where(eq(gitSessions.tokenHash, tokenHash))
    },

    async addCode(code) {
      await database.insert(gitOauthCodes).values(code)
    },
    async takeCode(codeHash) {
      const [code] = await database.delete(gitOauthCodes).where(eq(gitOauthCodes.codeHash, codeHash)).returning()
      return code && code.expiresAt > now() ? code : null
    },

    async addToken(token) {
      await database.insert(gitTokens).values(token)
    },
    async findToken(tokenHash) {
      const [row] = await database
        .select({ account: accountColumns, scopes: gitTokens.scopes })
        .from(gitTokens)
        .innerJoin(gitAccounts, eq(gitAccounts.id, gitTokens.accountId))
        .where(eq(gitTokens.tokenHash, tokenHash))
      return row ?? null
    },

    async addInvitation(invitation) {
      await database.insert(gitInvitations).values(invitation)
    },
    async hasInvitation(codeHash) {
      const found = await database
        .select({ codeHash: gitInvitations.codeHash })
        .from(gitInvitations)
        .where(and(eq(gitInvitations.codeHash, codeHash), gt(gitInvitations.expiresAt, now())))
      return found.length > 0
    },

    async countAttempt(key, windowMs) {
      const since = now()
      const oldest = new Date(since.getTime() - windowMs)
      const expired = sql`${gitSignInFailures.since} < ${oldest.toISOString()}::timestamptz`
      const [row] = await database
        .insert(gitSignInFailures)
        .values({ key, failures: 1, since })
        .onConflictDoUpdate({
          target: gitSignInFailures.key,
          set: {
            failures: sql`case when ${expired} then 1 else ${gitSignInFailures.failures} + 1 end`,
            since: sql`case when ${expired} then ${since.toISOString()}::timestamptz else ${gitSignInFailures.since} end`,
          },
        })
        .returning({ failures: gitSignInFailures.failures })
      return row!.failures
    },
    async forgiveAttempt(key) {
      await database
        .update(gitSignInFailures)
        .set({ failures: sql`greatest(${gitSignInFailures.failures} - 1, 0)` })
        .where(eq(gitSignInFailures.key, key))
    },
    async clearAttempts(key) {
      await database.delete(gitSignInFailures).where(eq(gitSignInFailures.key, key))
    },
  }
}
