import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ProtocolError, type Params, type Task } from '@boxyard/protocol'
import type { Area, Connection } from '../area.ts'
import type { Configuration } from '../configuration.ts'
import type { Workspace } from '../fs/workspace.ts'
import type { NotificationArea } from '../notification/notificationArea.ts'
import type { Tasks } from '../task/Tasks.ts'
import { DEV_CONTAINER_FILES, LEFT_OUT, planDevContainer, setupCommand, type DevContainerPlan } from './devContainer.ts'
import { isInBox } from './isInBox.ts'
import { readDevContainer } from './readDevContainer.ts'

const TASK_NAME = 'Set up the dev container'

export interface ContainerAreaDependencies {
  configuration: Pick<Configuration, 'workspace' | 'home'>
  workspace: Pick<Workspace, 'touched'>
  tasks: Pick<Tasks, 'runCommand'>
  notifications: Pick<NotificationArea, 'notify'>
  environment: Readonly<Record<string, string>>
  report: (error: unknown) => void
}

/** Dev containers, as far as a box goes. See SPEC-areas.md. */
export function createContainerArea(dependencies: ContainerAreaDependencies): Area {
  const { configuration, workspace, tasks, notifications, environment, report } = dependencies

  const plan = async (): Promise<DevContainerPlan> => {
    const container = await readDevContainer(configuration.workspace).catch((error: Error) => {
      throw new ProtocolError('INVALID_PARAMS', error.message)
    })
    return planDevContainer(container ?? {}, { ...configuration, environment })
  }

  /** A repository that describes its dev container already keeps its description. */
  const describe = async ({ templateId, templateArgs, features }: Params<'container/setup'>): Promise<void> => {
    const known = await readDevContainer(configuration.workspace).catch((error: Error) => {
      throw new ProtocolError('INVALID_PARAMS', error.message)
    })
    if (known) return
    const file = {
      name: templateId,
      ...(Object.keys(templateArgs).length > 0 && { containerEnv: templateArgs }),
      ...(features && { features: Object.fromEntries(features.map(({ id, options }) => [id, options])) }),
    }
    const path = join(configuration.workspace, DEV_CONTAINER_FILES[0])
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, `${JSON.stringify(file, null, 2)}\n`)
    await workspace.touched(path)
  }

  const setUp = async (params: Params<'container/setup'>, connection: Connection): Promise<Task> => {
    await describe(params)
    const planned = await plan()
    const { programs, notes } = planned
    const missing = programs.filter((program) => !isInBox(program, environment))
    const task = await tasks.runCommand(setupCommand(planned), TASK_NAME)
    if (missing.length > 0) connection.notify('container/openSetupDevtool', { dependencies: missing })
    if (notes.length > 0) {
      const message = `${LEFT_OUT} ${notes.join(' ')}`
      notifications.notify(connection, { type: 'warning', message }).catch(report)
    }
    return task
  }

  return { handlers: { 'container/setup': setUp }, dispose: () => Promise.resolve() }
}
