import { join } from 'node:path'
import type { Area, Connections } from '../area.ts'
import type { Configuration } from '../configuration.ts'
import type { PortArea } from '../port/portArea.ts'
import type { Shells } from '../shell/Shells.ts'
import type { Timers } from '../shell/Timers.ts'
import { StateFile } from '../system/StateFile.ts'
import { RestartWatch } from './RestartWatch.ts'
import { TaskConfigurationFile } from './TaskConfigurationFile.ts'
import { Tasks, taskStateSchema } from './Tasks.ts'
import type { WatchFolder } from './watchFolder.ts'

export interface TaskAreaDependencies {
  configuration: Pick<Configuration, 'workspace' | 'state'>
  connections: Connections
  shells: Shells
  ports: Pick<PortArea, 'monitor' | 'describe'>
  watchFolder: WatchFolder
  onContent: (listener: (path: string) => void) => void
  timers: Timers
  report: (error: unknown) => void
}

export interface TaskArea extends Area {
  readonly tasks: Tasks
}

/** The tasks of the workspace. See SPEC-shells.md, rules TA1 and on. */
export async function createTaskArea(dependencies: TaskAreaDependencies): Promise<TaskArea> {
  const { configuration, connections, shells, ports, watchFolder, onContent, timers, report } = dependencies
  const file = new TaskConfigurationFile({ workspace: configuration.workspace, watchFolder, timers, report })
  const tasks = await Tasks.load({
    file,
    state: new StateFile(join(configuration.state, 'tasks.json'), taskStateSchema, report),
    shells,
    connections,
    describePort: ports.describe,
    refreshPorts: () => ports.monitor.refresh(),
    report,
  })
  ports.monitor.onChange((sockets) => tasks.portsChanged(sockets))
  await tasks.portsChanged(ports.monitor.sockets)
  const root = configuration.workspace
  const restarts = await RestartWatch.start({ root, tasks, onContent, watchFolder, timers, report })
  return {
    tasks,
    handlers: {
      'task/list': () => tasks.list(),
      'task/run': ({ taskId }) => tasks.run(taskId),
      'task/runCommand': ({ command, name, saveToConfig }) => tasks.runCommand(command, name, saveToConfig),
      'task/stop': ({ taskId }) => tasks.stop(taskId),
      'task/create': ({ taskFields, startTask }) => tasks.create(taskFields, startTask),
      'task/update': ({ taskId, taskFields }) => tasks.update(taskId, taskFields),
      'task/saveToConfig': ({ taskId }) => tasks.saveToConfig(taskId),
      'task/generateConfig': async () => {
        await tasks.generateConfig()
        return null
      },
      'task/createSetupTasks': async ({ tasks: setupTasks }) => {
        await tasks.createSetupTasks(setupTasks)
        return null
      },
    },
    async dispose() {
      await restarts.dispose()
      await file.dispose()
    },
  }
}
