import type { Duplex } from 'node:stream'

/** What a driver can do beyond the basics. A driver that lacks one says so; nothing is pretended. */
export const boxCapabilities = [
  'memorySnapshot',
  'liveFork',
  'memoryFork',
  'pause',
  'resizeOnline',
  'updateOnline',
  'sharedTrees',
  'egressPolicy',
  'hardLimits',
  'strongIsolation',
  'multiNode',
] as const
export type BoxCapability = (typeof boxCapabilities)[number]

/** How well the box is kept apart from its host: shown to people, and code of strangers is refused at `none`. */
export const isolationLevels = ['none', 'namespace', 'userspace-kernel', 'vm'] as const
export type IsolationLevel = (typeof isolationLevels)[number]

/** The answer of a probe that really tried: `reasons` are sentences for the operator, whether `ok` or not. */
export interface DriverProbe {
  ok: boolean
  capabilities: ReadonlySet<BoxCapability>
  isolation: IsolationLevel
  reasons: readonly string[]
}

/** Sizes of tiers are in MiB. */
export const BYTES_PER_MIB = 1024 * 1024

export interface Tier {
  /** Cores. */
  cpu: number
  /** MiB. */
  memory: number
  /** MiB. */
  disk: number
}

/** Where the disk of a new box comes from. A sealed disk is immutable and may be the source of any number of boxes. */
export type DiskSource =
  /** A folder on the host whose content becomes the workspace; home and state start empty. */
  | { kind: 'folder'; path: string }
  | { kind: 'sealed'; diskId: string }
  /**
   * The disk of another box as it is now; a running box is paused for the moment of the copy. With `memory` its processes go on in the
   * copy, from its first start on: only with the capability `memoryFork`, and only as long as the source is in memory.
   */
  | { kind: 'box'; boxId: string; memory?: boolean | undefined }

export interface BoxSpec {
  /** Lower-case letters, digits and dashes, at most 40. */
  id: string
  disk: DiskSource
  tier: Tier
}

export const bootTypes = ['RUNNING', 'RESUME', 'CLEAN', 'FORK'] as const
export type BootType = (typeof bootTypes)[number]

/** What every run of a box is given. */
export interface StartOptions {
  /** The fencing number of this run; higher than that of every earlier run of the box. */
  epoch: number
  /** CLEAN runs the set-up, RESUME and FORK inherit its outcome from the disk. */
  boot: Exclude<BootType, 'RUNNING'>
  /** Environment of the dev server and of everything it starts. */
  env: Readonly<Record<string, string>>
  /** Unix socket of the egress proxy on the host, or null for no network at all. */
  egressSocket: string | null
  /** Reports the phases of the start as they happen. */
  onPhase: (phase: StartPhase) => void
}

/** Phases of a start inside a driver, in order. Each is reported when it begins. */
export type StartPhase = 'preparing-disk' | 'starting-sandbox' | 'starting-dev-server'

export interface BoxMetrics {
  /** Microseconds of processor time since the start of the run. */
  cpuUsec: number
  memoryBytes: number
  memoryLimitBytes: number | null
  diskBytes: number
  diskLimitBytes: number | null
  processes: number
}

export interface RunningBox {
  id: string
  epoch: number
  startedAt: Date
  /** Path of the workspace as programs in the box see it. */
  workspace: string
  /** Which of the tier's limits the host really enforces. */
  limits: { cpu: boolean; memory: boolean; processes: boolean; disk: boolean }
}

export interface BoxExit {
  id: string
  epoch: number
  /** `failed`: its dev server kept ending. */
  reason: 'stopped' | 'exited' | 'killed' | 'failed'
  /** The last lines the box wrote on its console. */
  log: string
}

/**
 * A way to run boxes. Every driver starts the same dev server inside, so files, shells, tasks and ports are the same everywhere.
 * All calls are idempotent by id. Failures are BoxError.
 */
export interface BoxDriver {
  readonly name: string
  probe(): Promise<DriverProbe>
  /** Makes the disk of a new box. */
  create(spec: BoxSpec): Promise<void>
  /** Resolves when the dev server answers. */
  start(id: string, options: StartOptions): Promise<RunningBox>
  /** Asks the dev server to flush and end, then kills what is left after `graceMs`. Resolves when nothing of the box runs. */
  stop(id: string, options?: { graceMs?: number }): Promise<void>
  /** Freezes the processes in memory. Only with the capability `pause`. */
  pause(id: string): Promise<void>
  unpause(id: string): Promise<void>
  /**
   * Sends the clients away, has everything written to disk, and freezes the box. True: its memory is kept, and `resume` goes on where
   * it was. False: this driver can't keep memory, so the box was stopped and its files are what is left.
   */
  hibernate(id: string): Promise<boolean>
  /** Wakes a frozen box. Resolves when its dev server answers. */
  resume(id: string): Promise<void>
  /** Gives a box another size. True when a running box has it already, false when it has it from the next start on. */
  resize(id: string, tier: Tier): Promise<boolean>
  /**
   * Gives a running box the dev server as it is on the host now; terminals, commands and tasks run on, and clients come back. Only with the
   * capability `updateOnline`. DEV_SERVER_FAILED: the new one did not answer and the former one was started again, terminals anew.
   */
  update(id: string): Promise<void>
  /**
   * Unpacks an archive with the content of a folder, to be given to boxes under `treeId`, 64 hexadecimal digits that name its content. Nothing
   * is done without the capability `sharedTrees`. Trees that were given longest ago make room for others.
   */
  keepTree(treeId: string, archive: string): Promise<void>
  /**
   * Puts a kept tree in the place of an empty folder of a running box, named from its workspace. Nothing is copied; what the box changes in
   * it is the box's own. False, and nothing is changed, when that can't be: then the box has to be given the files another way.
   */
  giveTree(id: string, treeId: string, folder: string): Promise<boolean>
  /** Makes an immutable copy of a box's disk under `diskId`; a running box is paused for the moment of the copy. */
  seal(id: string, diskId: string): Promise<void>
  hasSealed(diskId: string): Promise<boolean>
  removeSealed(diskId: string): Promise<void>
  /** Stops the box and removes its disk. */
  destroy(id: string): Promise<void>
  /** Opens a connection to the dev server of a running box. */
  connect(id: string): Promise<Duplex>
  /** Opens a connection to 127.0.0.1:port inside a running box. Fails with PORT_CLOSED when nothing listens. */
  dial(id: string, port: number): Promise<Duplex>
  metrics(id: string): Promise<BoxMetrics>
  running(): readonly RunningBox[]
  /** Console output of the last run, for the page that explains a failed start. */
  log(id: string): Promise<string>
  /** Called once for each end of a run. Returns a function that stops listening. */
  onExit(listener: (exit: BoxExit) => void): () => void
  /** Stops every box. */
  dispose(): Promise<void>
}
