import type { Readable } from 'node:stream'
import type { DiskMount, DiskOwner } from './disk/workspaceStore.ts'
import type { DriverProbe, RunningBox, Tier } from './driver.ts'

/** What a sandbox needs to start the dev server of one box. Folders are on the host. */
export interface SandboxLaunch {
  id: string
  tier: Tier
  /** Private folder of the box for whatever the sandbox has to keep beside the disk. */
  folder: string
  disk: DiskMount
  /** Empty, and writable for the box. */
  runFolder: string
  egressSocket: string | null
  /** Whether the run may go on with what was copied of another box's memory. */
  mayGoOn: boolean
  /** Environment without the paths; the sandbox adds those. */
  env: Readonly<Record<string, string>>
}

export interface SandboxEnd {
  code: number | null
  signal: NodeJS.Signals | null
  /** False when the program of the box was never started. */
  programRan: boolean
}

export interface SandboxUsage {
  cpuUsec: number
  memoryBytes: number
  memoryLimitBytes: number | null
  processes: number
}

/** The processes of one run. */
export interface SandboxProcess {
  readonly console: readonly Readable[]
  readonly workspace: RunningBox['workspace']
  readonly limits: RunningBox['limits']
  /**
   * The root of the mounted disk, by a path of the host that leads through one mount only: a rename from there to there stays on that disk,
   * whatever links programs of the box put in its way. Null where the server can't reach it.
   */
  readonly diskRoot?: string | null
  /** What runs is the copy of a run of another box: its dev server has to be told which box it is now. Known once `started`. */
  readonly isCopy?: boolean
  /** The program runs, or the sandbox ended. */
  readonly started: Promise<void>
  /** Nothing of the run is left, neither processes nor mounts nor control groups. Never rejects. */
  readonly ended: Promise<SandboxEnd>
  /** Asks the dev server to end. */
  terminate(): Promise<void>
  /** Ends everything at once; `ended` tells when it is done. */
  kill(): void
  pause(): Promise<void>
  /** Goes on after a pause or a hibernation. */
  unpause(): Promise<void>
  /** Keeps the memory on disk and frees it. Where it is missing a run sleeps paused. */
  hibernate?(): Promise<void>
  /** Puts the memory of this run, which is paused or asleep, into the private folder of a box, whose first run goes on from there. */
  copyMemory?(folder: string): Promise<void>
  usage(): Promise<SandboxUsage>
  /** Changes the limits of the run. False when they can't be changed now. */
  resize(tier: Tier): Promise<boolean>
}

/** The part of a driver that keeps a box apart from its host. */
export interface Sandbox {
  readonly name: string
  /** Who owns the content of disks, or null for the user of the server. */
  readonly diskOwner: DiskOwner | null
  probe(): Promise<DriverProbe>
  /** Lets running boxes see the dev server as it is on the host now. Answers the path of its program in them. Missing where that can't be. */
  publishDevServer?(): Promise<string>
  /** Cleans what a killed server left. */
  open(): Promise<void>
  launch(options: SandboxLaunch): Promise<SandboxProcess>
}
