import { userInfo } from 'node:os'
import { createAiArea } from './ai/aiArea.ts'
import type { Area } from './area.ts'
import { createChannelArea } from './channel/channelArea.ts'
import { createCommandArea } from './command/commandArea.ts'
import type { Configuration } from './configuration.ts'
import type { ConnectionRegistry } from './connection.ts'
import { planDevContainer } from './container/devContainer.ts'
import { createContainerArea } from './container/containerArea.ts'
import { readDevContainer } from './container/readDevContainer.ts'
import type { Files } from './files.ts'
import { createGitArea } from './git/gitArea.ts'
import { hasGit } from './git/runGit.ts'
import { EGRESS_RELAY_PORT } from './http/egressRelay.ts'
import { createLanguageArea } from './language/languageArea.ts'
import type { Log } from './log.ts'
import { createNotificationArea } from './notification/notificationArea.ts'
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
  { workspace, documents, fsArea }: Pick<Files, 'workspace' | 'documents' | 'fsArea'>,
  log: Log,
): Promise<ProcessAreas> {
  const report = (error: unknown): void => log.error('Something the dev server does by itself failed', error)
  const common = { configuration, connections, timers: systemTimers, report }
  const own = await withDevContainer(process.env, configuration, report)
  const shell = await createShellArea({ ...common, environment: own, username: readUsername() })
  const { shells, environment } = shell
  const ports = await createPortArea({
    ...common,
    shells,
    excluded: { has: (port) => port === EGRESS_RELAY_PORT || port === fsArea.downloads.port },
  })
  const task = await createTaskArea({ ...common, shells, ports, watchFolder })
  const setup = await createSetupArea({ ...common, shells, tasks: task.tasks })
  const sources = { cgroup: '/sys/fs/cgroup', proc: '/proc', disk: configuration.workspace }
  const system = await createSystemArea({ ...common, readUsage: () => readUsage(sources) })
  const git = hasGit() ? [createGitArea({ ...common, workspace, shells, environment, watchFolder })] : []
  const language = createLanguageArea({ ...common, environment, texts: documents })
  const notifications = createNotificationArea()
  const container = createContainerArea({ ...common, workspace, tasks: task.tasks, notifications, environment })
  const commands = createCommandArea([
    {
      id: 'boxyard.restartLanguageServers',
      displayName: 'Restart language servers',
      run: () => language.restart(),
    },
    {
      id: 'boxyard.runSetup',
      displayName: 'Run the set-up again',
      run: () => {
        setup.setup.send({ type: 'SET_STEP', stepIndex: 0 })
        return Promise.resolve()
      },
    },
  ])
  return {
    areas: [
      shell,
      ports,
      task,
      setup,
      system,
      ...git,
      language,
      createChannelArea(),
      notifications,
      commands,
      container,
      createAiArea(),
    ],
    status: processStatus({ tasks: task.tasks, setup: setup.setup, monitor: ports.monitor }),
    flush: () => shells.flush(),
  }
}

/** The dev container of the workspace adds to what every program is started with. One that can't be read adds nothing. */
async function withDevContainer(
  environment: NodeJS.ProcessEnv,
  { workspace, home }: Configuration,
  report: (error: unknown) => void,
): Promise<NodeJS.ProcessEnv> {
  const given: Record<string, string> = {}
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && !name.startsWith('BOXYARD_')) given[name] = value
  }
  const container = await readDevContainer(workspace).catch(report)
  if (!container) return environment
  return { ...environment, ...planDevContainer(container, { workspace, home, environment: given }).environment }
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
