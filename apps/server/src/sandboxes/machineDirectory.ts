import type { Readable } from 'node:stream'

/** What a new devbox starts from. */
export type MachineSource =
  /** An official template: `folder` is its absolute path on the host. */
  | { kind: 'template'; name: string; folder: string }
  /** A folder on the host whose content is copied before the call resolves. */
  | { kind: 'files'; folder: string }
  /** Another devbox as it is now, running or not; with `memory` its processes go on in the copy where machines can do that. */
  | { kind: 'sandbox'; sandboxId: string; memory: boolean }

/** The machines of devboxes, as the sandboxes domain needs them. The box of a devbox has the devbox's id. */
export interface MachineDirectory {
  /**
   * Makes the machine of a sandbox that is about to exist. When it resolves, a start of `sandboxId` will find what it comes from, also
   * after a kill -9. A machine whose sandbox never comes to be is removed at the next start of the server.
   */
  create(sandboxId: string, source: MachineSource): Promise<void>
  /** Stops the machine and keeps its disk. Resolves also when it does not run. */
  stop(sandboxId: string): Promise<void>
  /** Stops the machine and removes its disk. Resolves also when there is none. */
  remove(sandboxId: string): Promise<void>
  /** Gives the machine another size, by number, smallest 1. One that runs changes as far as that can be. */
  resize(sandboxId: string, tier: number): Promise<void>
  /** Minutes without use after which the machine goes to sleep; null for what its repository or workspace says from the next start on. */
  setIdleTime(sandboxId: string, minutes: number | null): Promise<void>
  /** The files of its workspace as a zip archive, without what comes back by itself. Starts the machine. Rejects with BoxError. */
  archive(sandboxId: string): Promise<Readable>
}
