import { join } from 'node:path'
import type { Area, Connections } from '../area.ts'
import type { Configuration } from '../configuration.ts'
import { setupStepsOf, type ContainerStep, type DevContainerPlan } from '../container/devContainer.ts'
import type { Shells } from '../shell/Shells.ts'
import { StateFile } from '../system/StateFile.ts'
import type { Tasks } from '../task/Tasks.ts'
import { Setup } from './Setup.ts'
import { setupStateSchema } from './setupMachine.ts'

export interface SetupAreaDependencies {
  configuration: Pick<Configuration, 'boot' | 'startTasks' | 'state' | 'isAgain' | 'isSuccessor'>
  connections: Connections
  shells: Shells
  tasks: Tasks
  container: DevContainerPlan
  report: (error: unknown) => void
}

export interface SetupArea extends Area {
  readonly setup: Setup
  /** Called with every change of the progress. */
  onProgress(listener: () => void): void
}

/**
 * The set-up of the box. It begins at once, and the tasks that run at the start follow when it is finished. See SPEC-shells.md,
 * rules SU1 and on.
 */
export async function createSetupArea(dependencies: SetupAreaDependencies): Promise<SetupArea> {
  const { configuration, connections, shells, tasks, container, report } = dependencies
  /** What follows the set-up has followed it already, and runs on. */
  let isOver = false
  const listeners = new Set<() => void>()
  const setup = await Setup.load({
    beginsAnew: configuration.boot === 'CLEAN' && !configuration.isSuccessor,
    shells,
    state: new StateFile(join(configuration.state, 'setup.json'), setupStateSchema, report),
    readSteps: () => [...setupStepsOf(container), ...tasks.setupTasks],
    onProgress: (progress) => {
      connections.broadcast('setup/progress', progress, {
        only: (connection) => connection.subscriptions.setup?.progress === true,
      })
      for (const tell of listeners) tell()
    },
    onFinished: () => {
      const wasOver = isOver
      isOver = false
      if (wasOver || !configuration.startTasks) return
      startContainer(shells, container.startSteps).catch(report)
      tasks.runAtStart(configuration.boot, configuration.isAgain).catch(report)
    },
    report,
  })
  isOver = configuration.isSuccessor && setup.progress.state === 'FINISHED'
  setup.start()
  return {
    setup,
    onProgress: (listener) => void listeners.add(listener),
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

/** Runs what the dev container does at every start. Servers are started this way too: nothing waits for their end. */
async function startContainer(shells: Shells, steps: readonly ContainerStep[]): Promise<void> {
  for (const { name, command } of steps) {
    const earlier = shells.list().filter(({ record }) => record.name === name && record.command === command)
    for (const session of earlier) await shells.terminate(session, '')
    await shells.create({ type: 'COMMAND', command, name })
  }
}
