import { userInfo } from 'node:os'
import { createAiArea } from './ai/aiArea.ts'
import type { Area, Connection } from './area.ts'
import { createBoxArea } from './box/boxArea.ts'
import { createChannelArea } from './channel/channelArea.ts'
import { createCommandArea } from './command/commandArea.ts'
import type { Configuration } from './configuration.ts'
import type { ConnectionRegistry } from './connection.ts'
import { planDevContainer, type DevContainerPlan } from './container/devContainer.ts'
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
import type { HandedShells } from './shell/handedShell.ts'
import { createShellArea } from './shell/shellArea.ts'
import type { Shells } from './shell/Shells.ts'
import { systemTimers } from './shell/Timers.ts'
import type { Identity } from './stateFolder.ts'
import type { DevServerStatus } from './status.ts'
import { askForUsage } from './system/askForUsage.ts'
import { askToSleep } from './system/askToSleep.ts'
import { readUsage } from './system/readUsage.ts'
import { createSystemArea } from './system/systemArea.ts'
import { processStatus } from './task/processStatus.ts'
import { createTaskArea } from './task/taskArea.ts'
import { watchFolder } from './task/watchFolder.ts'
import type { VsCodeServer } from './vsCode/VsCodeServer.ts'

export interface ProcessAreas {
  /** In the order they were started. */
  areas: Area[]
  status: DevServerStatus
  flush(): Promise<void>
  /** The box has slept in memory and goes on. */
  woke(): Promise<void>
  /** What programs that a person starts are given. */
  environment: Readonly<Record<string, string>>
  /** For a dev server that makes way for another one. */
  shells: Shells
  /** Tells somebody who is back that this is another dev server. */
  tellAgain(connection: Connection): void
  /** The box is a copy from now on, with another id. */
  adopted(): void
}

const STARTED_AGAIN =
  'The dev server was started again, because it had ended. Files and what was typed are as they were; terminals and tasks begin anew below what they showed.'

/** Starts the areas that deal with processes: shells, ports, tasks, the set-up and the machine they run on. */
export async function startProcessAreas(
  configuration: Configuration,
  { isCopy }: Pick<Identity, 'isCopy'>,
  connections: ConnectionRegistry,
  { workspace, documents, fsArea }: Pick<Files, 'workspace' | 'documents' | 'fsArea'>,
  handed: HandedShells | null,
  vsCodeServer: Pick<VsCodeServer, 'port'>,
  log: Log,
): Promise<ProcessAreas> {
  const report = (error: unknown): void => log.error('Something the dev server does by itself failed', error)
  const common = { configuration, connections, timers: systemTimers, report }
  const container = await planOfWorkspace(process.env, configuration)
  const own = { ...process.env, ...container.environment }
  const shell = await createShellArea({ ...common, isCopy, handed, environment: own, username: readUsername() })
  const { shells, environment, pace } = shell
  documents.onTyped(() => pace.typed())
  const ports = await createPortArea({
    ...common,
    shells,
    excluded: {
      has: (port) => port === EGRESS_RELAY_PORT || port === fsArea.downloads.port || port === vsCodeServer.port,
    },
  })
  const task = await createTaskArea({
    ...common,
    shells,
    ports,
    watchFolder,
    onContent: (listener) => workspace.onContent(listener),
  })
  const setup = await createSetupArea({ ...common, shells, tasks: task.tasks, container })
  const sources = { cgroup: '/sys/fs/cgroup', proc: '/proc', disk: configuration.workspace }
  const { egressSocket } = configuration
  const platform = egressSocket === undefined ? {} : platformOf(egressSocket)
  const system = await createSystemArea({ ...common, ...platform, readUsage: () => readUsage(sources) })
  const git = hasGit() ? [createGitArea({ ...common, workspace, shells, environment, watchFolder })] : []
  const isInstalling = (): boolean => setup.setup.progress.state === 'IN_PROGRESS'
  const texts = documents
  const language = createLanguageArea({ ...common, environment, texts, files: workspace, watchFolder, isInstalling })
  setup.onProgress(() => language.setupChanged())
  const notifications = createNotificationArea()
  const containers = createContainerArea({ ...common, workspace, tasks: task.tasks, notifications, environment })
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
      containers,
      createAiArea(),
      createBoxArea({ configuration, shells, environment }),
    ],
    status: processStatus({ tasks: task.tasks, setup: setup.setup, monitor: ports.monitor }),
    shells,
    environment,
    flush: () => shells.flush(),
    adopted: () => shell.adopted(),
    woke: () => (configuration.startTasks ? task.tasks.woke() : Promise.resolve()),
    tellAgain(connection) {
      notifications.notify(connection, { type: 'warning', message: STARTED_AGAIN }).catch(report)
    },
  }
}

/** What concerns this box and is the platform's. */
function platformOf(egressSocket: string) {
  return { sleep: () => askToSleep(egressSocket), askForUsage: () => askForUsage(egressSocket) }
}

/** What the dev container of the workspace asks for. One that can't be read is said and adds nothing. */
async function planOfWorkspace(
  environment: NodeJS.ProcessEnv,
  { workspace, home }: Configuration,
): Promise<DevContainerPlan> {
  const given: Record<string, string> = {}
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && !name.startsWith('BOXYARD_')) given[name] = value
  }
  const box = { workspace, home, environment: given }
  try {
    return planDevContainer((await readDevContainer(workspace)) ?? {}, box)
  } catch (error) {
    return { ...planDevContainer({}, box), notes: [`${(error as Error).message}. Nothing of it was done.`] }
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
