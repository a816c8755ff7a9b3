import type { GitStatus } from '@boxyard/protocol'
import { eq } from 'drizzle-orm'
import { isDeepStrictEqual } from 'node:util'
import type { Database } from '../database/database.ts'
import { branches, projects } from '../database/schema.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'

/** Keeps what the git of a branch's box says of it, and tells those who follow the repository when that is news. */
export async function noteBranchStatus(database: Database, branchId: string, said: GitStatus): Promise<void> {
  await inTransaction(database, null, async ({ tx, publish }) => {
    const [branch] = await tx.select().from(branches).where(eq(branches.id, branchId)).for('no key update')
    if (!branch) return
    const status = {
      hasChanges: said.localChanges,
      hasConflicts: said.conflicts,
      remote: { ahead: said.remote.ahead, behind: said.remote.behind },
      target: { ahead: said.target.ahead, behind: said.target.behind },
    }
    if (isDeepStrictEqual(branch.status, status)) return
    await tx.update(branches).set({ status, updatedAt: new Date() }).where(eq(branches.id, branchId))
    const [project] = await tx.select().from(projects).where(eq(projects.id, branch.projectId))
    await publish('projectStatus', { owner: project!.owner, repo: project!.name, branchId })
  })
}
