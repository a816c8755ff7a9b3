import type { SetupProgress, Task } from '@boxyard/protocol'

export type StatusTone = 'running' | 'quiet' | 'error'
export interface StatusWords {
  text: string
  tone: StatusTone
}

/** What a task does, in words. */
export function taskStatus({ shell }: Pick<Task, 'shell'>): StatusWords {
  switch (shell?.status) {
    case 'RUNNING':
      return { text: 'Running', tone: 'running' }
    case 'RESTARTING':
      return { text: 'Restarting', tone: 'running' }
    case 'FINISHED':
      return { text: 'Finished', tone: 'quiet' }
    case 'ERROR':
      return { text: `Failed with exit code ${shell.exitCode ?? 'unknown'}`, tone: 'error' }
    case 'KILLED':
      return { text: 'Stopped', tone: 'quiet' }
    default:
      return { text: 'Not started', tone: 'quiet' }
  }
}

/** What a step of the set-up does, in words. */
export function stepStatus(setup: SetupProgress, index: number): StatusWords {
  const step = setup.steps[index]
  switch (step?.finishStatus) {
    case 'SUCCEEDED':
      return { text: 'Done', tone: 'quiet' }
    case 'FAILED':
      return { text: 'Failed', tone: 'error' }
    case 'SKIPPED':
      return { text: 'Skipped', tone: 'quiet' }
    default:
      return setup.state === 'IN_PROGRESS' && setup.currentStepIndex === index
        ? { text: 'Running', tone: 'running' }
        : { text: 'Waiting', tone: 'quiet' }
  }
}
