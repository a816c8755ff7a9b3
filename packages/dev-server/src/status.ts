import type { SetupProgress, ShellStatus } from '@boxyard/protocol'

/** A task as the page shows it that stands in for a preview nothing serves yet. */
export interface TaskStatus {
  id: string
  name: string
  command: string
  /** Null when it is not started. */
  status: ShellStatus | null
  /** The port its configuration names, or null. */
  preview_port: number | null
  /** Ports it listens on now. */
  ports: number[]
  /** The last lines it printed. */
  tail: string
}

/** What the status endpoint asks of the areas that know. Areas that are not composed in leave their part empty. */
export interface DevServerStatus {
  setup(): SetupProgress | null
  tasks(): TaskStatus[]
  /** Ports that something in the box listens on. */
  ports(): number[]
  /** Starts a task. Throws ProtocolError TASK_NOT_FOUND. */
  runTask(taskId: string): Promise<void>
}
