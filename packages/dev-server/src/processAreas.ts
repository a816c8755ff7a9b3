import { userInfo } from 'node:os'
import type { Area } from './area.ts'
import type { Configuration } from './configuration.ts'
import type { ConnectionRegistry } from './connection.ts'
import type { Workspace } from './fs/workspace.ts'
import { createGitArea } from './git/gitArea.ts'
import { hasGit } from './git/runGit.ts'
import { EGRESS_RELAY_PORT } from './http/egressRelay.ts'
import type { Log } from './log.ts'
import { createPortArea } from './port/portArea.ts'
import { createSetupArea } from './setup/setupArea.ts'
import { createShellArea } from './shell/shellArea.ts'
import { systemTimers } from './shell/Timers.ts'
import type { DevServerStatus } from './status.ts'
import { readUsage } from './system/readUsage.ts'
import { createSystemArea } from './system/systemArea.ts'
import { processStatus } from './task/processStatus.ts'
import { createTaskArea } from './task/taskArea.ts'
import { watchFolder } from './task/watchFolder.ts'

export interface ProcessAreas {
  /** In the order they were started. */
  areas: Area[]
  status: DevServerStatus
  flush(): Promise<void>
}

/** Starts the areas that deal with processes: shells, ports, tasks, the set-up and the machine they run on. */
export async function startProcessAreas(
  configuration: Configuration,
  connections: ConnectionRegistry,
  workspace: Workspace,
  log: Log,
): Promise<ProcessAreas> {
  const report = (error: unknown): void => log.error('Something the dev server does by itself failed', error)
  const common = { configuration, connections, timers: systemTimers, report }
  const shell = await createShellArea({ ...common, environment: process.env, username: readUsername() })
  const { shells } = shell
  const ports = await createPortArea({ ...common, shells, excluded: new Set([EGRESS_RELAY_PORT]) })
  const task = await createTaskArea({ ...common, shells, ports, watchFolder })
  const setup = await createSetupArea({ ...common, shells, tasks: task.tasks })
  const sources = { cgroup: '/sys/fs/cgroup', proc: '/proc', disk: configuration.workspace }
  const system = await createSystemArea({ ...common, readUsage: () => readUsage(sources) })
  const git = hasGit()
    ? [createGitArea({ ...common, workspace, shells, environment: shell.environment, watchFolder })]
    : []
  return {
    areas: [shell, ports, task, setup, system, ...git],
    status: processStatus({ tasks: task.tasks, setup: setup.setup, monitor: ports.monitor }),
    flush: () => shells.flush(),
  }
}

/** The name the driver gave, else the one of /etc/passwd, else the number: a box may know its user by that alone. */
function readUsername(): string {
  const { USER: name } = process.env
  if (name) return name
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 0)
  }
}
