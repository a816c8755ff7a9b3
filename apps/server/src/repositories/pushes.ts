import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { branches, gitCredentials, projects } from '../database/schema.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import { personColor } from './personColor.ts'
import { isOfRepository } from './sameRepository.ts'

const HEADS = 'refs/heads/'

/** What the git host says of a push, as far as branches need it. */
const pushSchema = z.looseObject({
  ref: z.string(),
  deleted: z.boolean().default(false),
  head_commit: z.looseObject({ id: z.string(), message: z.string(), timestamp: z.string() }).nullish(),
  repository: z.looseObject({ name: z.string(), owner: z.looseObject({ login: z.string() }) }),
  sender: z.looseObject({ login: z.string() }).optional(),
})

/** Notes at the branches with a box what was pushed to them, and tells those who follow the repository. */
export async function notePush(database: Database, issuer: string, payload: unknown): Promise<void> {
  const { success, data } = pushSchema.safeParse(payload)
  if (!success || !data.ref.startsWith(HEADS)) return
  const { deleted, head_commit: head, sender } = data
  await inTransaction(database, null, async ({ tx, publish }) => {
    const known = and(eq(gitCredentials.issuer, issuer), eq(gitCredentials.login, sender?.login ?? ''))
    const [person] = await tx.select({ userId: gitCredentials.userId }).from(gitCredentials).where(known)
    const rows = await tx
      .select({ id: branches.id, owner: projects.owner, repo: projects.name })
      .from(branches)
      .innerJoin(projects, eq(projects.id, branches.projectId))
      .where(
        and(
          isOfRepository(projects, { owner: data.repository.owner.login, name: data.repository.name }),
          eq(branches.name, data.ref.slice(HEADS.length)),
          eq(branches.contribution, false),
        ),
      )
    const userId = person?.userId ?? null
    const lastCommit = head && {
      color: personColor(userId),
      message: head.message,
      sha: head.id,
      timestamp: head.timestamp,
      userId,
    }
    for (const row of rows) {
      await tx
        .update(branches)
        .set({ upstream: !deleted, ...(lastCommit ? { lastCommit } : {}), updatedAt: new Date() })
        .where(eq(branches.id, row.id))
      if (lastCommit) await publish('projectCommits', { owner: row.owner, repo: row.repo, branchId: row.id })
    }
  })
}
