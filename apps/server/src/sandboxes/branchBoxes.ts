import { eq } from 'drizzle-orm'
import type { Database, Transaction } from '../database/database.ts'
import { sqlState, UNIQUE_VIOLATION } from '../database/database.ts'
import { sandboxes } from '../database/schema.ts'
import type { MachineDirectory } from './machineDirectory.ts'
import { newSandboxId } from './sandboxIds.ts'

export interface NewBranchBox {
  title: string
  teamId: string
  authorId: string
  isPrivate: boolean
  frozen: boolean
  /** The checkout that becomes its workspace. */
  folder: string
}

/**
 * Makes the devbox behind a branch, and with it whatever `also` writes, all or nothing. Its id is the branch's, so that starts, sockets
 * and previews of branches go the way of every devbox.
 */
export async function createBranchBox<T>(
  database: Database,
  machines: MachineDirectory,
  { title, teamId, authorId, isPrivate, frozen, folder }: NewBranchBox,
  also: (tx: Transaction, id: string) => Promise<T>,
): Promise<T> {
  for (;;) {
    const id = newSandboxId()
    try {
      return await database.transaction(async (tx) => {
        const privacy = isPrivate ? 2 : 1
        await tx.insert(sandboxes).values({ id, title, privacy, isV2: true, isFrozen: frozen, authorId, teamId })
        const result = await also(tx, id)
        await machines.create(id, { kind: 'files', folder })
        return result
      })
    } catch (error) {
      const [taken] = await database.select({ id: sandboxes.id }).from(sandboxes).where(eq(sandboxes.id, id))
      // Another id is drawn only when this one was taken; whatever else is not unique is the caller's.
      if (sqlState(error) !== UNIQUE_VIOLATION || !taken) throw error
    }
  }
}

export async function changeBranchBox(
  tx: Database | Transaction,
  id: string,
  change: { title?: string; isFrozen?: boolean },
): Promise<void> {
  await tx
    .update(sandboxes)
    .set({ ...change, updatedAt: new Date() })
    .where(eq(sandboxes.id, id))
}

/** Removes the machine first: what is interrupted is taken up by the next try. */
export async function removeBranchBox(
  database: Database,
  machines: MachineDirectory | null,
  id: string,
): Promise<void> {
  await machines?.remove(id)
  await database.delete(sandboxes).where(eq(sandboxes.id, id))
}
