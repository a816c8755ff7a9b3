import type { Transaction } from '../database/database.ts'

/** What a new devbox starts from. */
export type MachineSource =
  /** An official template: `folder` is its absolute path on the host. */
  | { kind: 'template'; name: string; folder: string }
  /** Another devbox as it is now, running or not. */
  | { kind: 'sandbox'; sandboxId: string }

/** The machines of devboxes, as the sandboxes domain needs them. The box of a devbox has the devbox's id. */
export interface MachineDirectory {
  /**
   * Resolves when a start of `sandboxId` will find what it comes from once `transaction` is committed, also after a kill -9. Writes
   * in that transaction, so that the sandbox and its machine exist together or not at all.
   */
  create(sandboxId: string, source: MachineSource, transaction: Transaction): Promise<void>
  /** Stops the machine and keeps its disk. Resolves also when it does not run. */
  stop(sandboxId: string): Promise<void>
  /** Stops the machine and removes its disk. Resolves also when there is none. */
  remove(sandboxId: string): Promise<void>
}
