import type { GitAccount, RepositoryStorage } from '@boxyard/git-host'
import { eq, inArray, sql } from 'drizzle-orm'
import type { Database, Queryable } from '../database/database.ts'
import {
  gitAccounts,
  gitCheckRuns,
  gitCollaborators,
  gitDeliveries,
  gitHooks,
  gitIssueComments,
  gitMemberships,
  gitOrganizations,
  gitProtections,
  gitPulls,
  gitRepositories,
  gitReviewComments,
  gitReviewRequests,
  gitReviews,
  gitStatuses,
} from '../database/schema.ts'
import { accountColumns } from './drizzleStorage.ts'
import { drizzleRecords } from './drizzleRecords.ts'

/** The repositories' records of the local git host in the server's own database. */
export function createRepositoryStorage(database: Database): RepositoryStorage {
  return storageOn(database, (work) => database.transaction((tx) => work(tx)))
}

function storageOn(
  database: Queryable,
  begin: <T>(work: (tx: Queryable) => Promise<T>) => Promise<T>,
): RepositoryStorage {
  return {
    repositories: drizzleRecords(database, gitRepositories),
    organizations: drizzleRecords(database, gitOrganizations),
    memberships: drizzleRecords(database, gitMemberships),
    collaborators: drizzleRecords(database, gitCollaborators),
    pulls: drizzleRecords(database, gitPulls),
    reviews: drizzleRecords(database, gitReviews),
    reviewComments: drizzleRecords(database, gitReviewComments),
    issueComments: drizzleRecords(database, gitIssueComments),
    reviewRequests: drizzleRecords(database, gitReviewRequests),
    statuses: drizzleRecords(database, gitStatuses),
    checkRuns: drizzleRecords(database, gitCheckRuns),
    protections: drizzleRecords(database, gitProtections),
    hooks: drizzleRecords(database, gitHooks),
    deliveries: drizzleRecords(database, gitDeliveries),

    async findAccount(login) {
      const [account] = await database
        .select(accountColumns)
        .from(gitAccounts)
        .where(eq(sql`lower(${gitAccounts.login})`, login.toLowerCase()))
      return account ?? null
    },
    async findAccounts(ids): Promise<GitAccount[]> {
      if (ids.length === 0) return []
      return database
        .select(accountColumns)
        .from(gitAccounts)
        .where(inArray(gitAccounts.id, [...ids]))
    },

    transaction: (work) => begin((tx) => work(storageOn(tx, (inner) => inner(tx)))),

    async takeNumber(repositoryId) {
      const [row] = await database
        .update(gitRepositories)
        .set({ nextNumber: sql`${gitRepositories.nextNumber} + 1` })
        .where(eq(gitRepositories.id, repositoryId))
        .returning({ next: gitRepositories.nextNumber })
      return row!.next - 1
    },

    async takeDeliveries(now, until, limit) {
      const due = sql`select id from ${gitDeliveries} where ${gitDeliveries.nextAttemptAt} <= ${now.toISOString()}::timestamptz
        order by ${gitDeliveries.nextAttemptAt}, id limit ${limit} for update skip locked`
      const taken = await database
        .update(gitDeliveries)
        .set({ nextAttemptAt: until })
        .where(sql`${gitDeliveries.id} in (${due})`)
        .returning()
      return taken.toSorted((a, b) => a.id - b.id)
    },
  }
}
