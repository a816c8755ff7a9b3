import { and, eq, isNotNull, lt } from 'drizzle-orm'
import { sandboxes } from '../database/schema.ts'
import type { Work } from '../outbox/unitOfWork.ts'

/** Makes everything in a workspace at least this private. */
export async function raisePrivacy(work: Work, teamId: string, privacy: number, drafts: boolean): Promise<void> {
  const changed = await work.tx
    .update(sandboxes)
    .set({ privacy })
    .where(
      and(
        eq(sandboxes.teamId, teamId),
        lt(sandboxes.privacy, privacy),
        drafts ? undefined : isNotNull(sandboxes.collectionId),
      ),
    )
    .returning({ id: sandboxes.id })
  for (const { id } of changed) {
    await work.publish('sandboxChanged', { sandboxId: id })
    await work.publish('accessChanged', { userId: null, teamId: null, sandboxId: id })
  }
}
