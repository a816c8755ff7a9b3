import { join } from 'node:path'
import type { Area, Connections } from '../area.ts'
import type { Configuration } from '../configuration.ts'
import type { Shells } from '../shell/Shells.ts'
import { StateFile } from '../system/StateFile.ts'
import type { Tasks } from '../task/Tasks.ts'
import { Setup } from './Setup.ts'
import { setupStateSchema } from './setupMachine.ts'

export interface SetupAreaDependencies {
  configuration: Pick<Configuration, 'boot' | 'startTasks' | 'state'>
  connections: Connections
  shells: Shells
  tasks: Tasks
  report: (error: unknown) => void
}

export interface SetupArea extends Area {
  readonly setup: Setup
}

/**
 * The set-up of the box. It begins at once, and the tasks that run at the start follow when it is finished. See SPEC-shells.md,
 * rules SU1 and on.
 */
export async function createSetupArea(dependencies: SetupAreaDependencies): Promise<SetupArea> {
  const { configuration, connections, shells, tasks, report } = dependencies
  const setup = await Setup.load({
    boot: configuration.boot,
    shells,
    state: new StateFile(join(configuration.state, 'setup.json'), setupStateSchema, report),
    readSteps: () => tasks.setupTasks,
    onProgress: (progress) =>
      connections.broadcast('setup/progress', progress, {
        only: (connection) => connection.subscriptions.setup?.progress === true,
      }),
    onFinished: () => {
      if (configuration.startTasks) tasks.runAtStart().catch(report)
    },
    report,
  })
  setup.start()
  return {
    setup,
    handlers: {
      'setup/get': () => setup.progress,
      'setup/skip': ({ stepIndexToSkip }) => setup.send({ type: 'SKIP', stepIndex: stepIndexToSkip }),
      'setup/skipAll': () => setup.send({ type: 'SKIP_ALL' }),
      'setup/setStep': ({ stepIndex }) => setup.send({ type: 'SET_STEP', stepIndex }),
      'setup/disable': () => setup.send({ type: 'DISABLE' }),
      'setup/enable': () => setup.send({ type: 'START' }),
      'setup/init': () => setup.init(),
    },
    dispose: () => setup.dispose(),
  }
}
