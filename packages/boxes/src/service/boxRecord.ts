import type { BoxErrorCode } from '../errors.ts'
import type { BoxSpec, StartPhase } from '../driver.ts'

/** Phases of a start as people see them, in order. */
export const bootPhases = {
  queued: { message: 'Preparing MicroVM...', progress: 0 },
  template: { message: 'Preparing the template...', progress: 5 },
  'preparing-disk': { message: 'Preparing the disk...', progress: 20 },
  'starting-sandbox': { message: 'Starting MicroVM...', progress: 30 },
  'starting-dev-server': { message: 'Starting the dev server...', progress: 40 },
  ready: { message: 'MicroVM started, connecting...', progress: 55 },
} as const satisfies Record<StartPhase | 'queued' | 'template' | 'ready', { message: string; progress: number }>
export type BootPhase = keyof typeof bootPhases

export const boxStates = [
  'stopped',
  'starting',
  'running',
  'hibernating',
  /** Frozen in memory. A box that sleeps as files only is `stopped`, with the reason. */
  'hibernated',
  'resuming',
  'stopping',
  'error',
  'destroying',
] as const
export type BoxState = (typeof boxStates)[number]

/**
 * Why a box does not run. `idle` and `hibernated`: it sleeps, because nobody used it or because it was asked to.
 * `server-ended`: the server was killed or stopped, and the box with it.
 */
export const stopReasons = ['stopped', 'idle', 'hibernated', 'exited', 'killed', 'server-ended'] as const
export type StopReason = (typeof stopReasons)[number]

export interface BoxFailure {
  code: BoxErrorCode
  detail: string | null
  /** Null when it was not a start that failed. */
  phase: BootPhase | null
  at: Date
}

/** What people choose for one box. */
export interface BoxSettings {
  /** Milliseconds without use after which the box goes to sleep; null for what the server does with every box. */
  idleMs: number | null
  /** Which visits to a preview wake the box. Opening the editor always does. */
  wake: { http: boolean; websocket: boolean }
}

export const defaultBoxSettings: BoxSettings = { idleMs: null, wake: { http: true, websocket: true } }

/** What is kept about one box, durably. */
export interface BoxRecord {
  spec: BoxSpec
  /** Whether the disk's source had finished its set-up, so that the box need not run it again. */
  inheritsSetup: boolean
  /** False until the disk is made, which for a sealed disk that does not exist yet is at the first start. */
  hasDisk: boolean
  /** True once a run became ready. */
  hasRun: boolean
  settings: BoxSettings
  /** True after a shutdown: the next start is a clean boot that runs the set-up again. */
  cleanNext: boolean
  state: BoxState
  /** Fencing number of the latest run; saved before the run begins. */
  epoch: number
  stopReason: StopReason | null
  lastError: BoxFailure | null
}

/** Keeps records. Each call is durable when it resolves; a record is replaced as a whole. */
export interface BoxStore {
  load(id: string): Promise<BoxRecord | null>
  save(record: BoxRecord): Promise<void>
  list(): Promise<BoxRecord[]>
  remove(id: string): Promise<void>
}
