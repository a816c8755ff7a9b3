import type { TasksArea } from '@boxyard/dev-server-client'
import { report } from '../status/report.ts'

export interface TaskActions {
  run(taskId: string): void
  stop(taskId: string): void
  restart(taskId: string): void
}

/** Runs and stops tasks for the views; what fails is told to the person. */
export function taskActions(tasks: Pick<TasksArea, 'run' | 'stop'>): TaskActions {
  const reported = (what: string, work: Promise<unknown>) => {
    work.catch((error: unknown) => report(what, error))
  }
  return {
    run: (taskId) => reported('The task did not start', tasks.run(taskId)),
    stop: (taskId) => reported('The task did not stop', tasks.stop(taskId)),
    restart: (taskId) =>
      reported(
        'The task did not restart',
        tasks.stop(taskId).then(() => tasks.run(taskId)),
      ),
  }
}
