import type { TasksArea } from '@boxyard/dev-server-client'
import { report } from '../status/report.ts'
import type { DependencyActions } from './DependencySection.tsx'

/** Changes dependencies with the command of sandboxes without a machine; what fails is told to the person. */
export function dependencyActions(tasks: Pick<TasksArea, 'runCommand'>): DependencyActions {
  const run = (command: string, what: string): Promise<boolean> =>
    tasks.runCommand(command).then(
      () => true,
      (error: unknown) => {
        report(what, error)
        return false
      },
    )
  return {
    add: (wanted) => run(`dependency add ${wanted}`, `${wanted} was not added`),
    remove: (name) => run(`dependency remove ${name}`, `${name} was not removed`),
  }
}
