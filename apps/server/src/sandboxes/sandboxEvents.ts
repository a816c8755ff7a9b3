import type { Transaction } from '../database/database.ts'
import { subjectOf } from '../events/platformEvent.ts'
import { publishEvent } from '../events/publishEvent.ts'

export const SANDBOX_CHANGED = 'sandboxChanged'

/** Tells those who follow a sandbox that it changed. */
export async function publishSandboxChanged(transaction: Transaction, id: string): Promise<void> {
  await publishEvent(transaction, { type: SANDBOX_CHANGED, subject: subjectOf.sandbox(id), data: { id } })
}
