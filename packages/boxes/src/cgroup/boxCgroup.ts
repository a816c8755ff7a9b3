import type { SandboxUsage } from '../sandbox.ts'

/** The control groups of one box. */
export interface BoxCgroup {
  /** Files that a process writes its number to, to be in the groups. */
  readonly enterFiles: readonly string[]
  readonly limits: { cpu: boolean; memory: boolean; processes: boolean; disk: boolean }
  readonly canFreeze: boolean
  freeze(): Promise<void>
  thaw(): Promise<void>
  /** Null where the groups do not measure. */
  usage(): Promise<SandboxUsage | null>
  remove(): Promise<void>
}
