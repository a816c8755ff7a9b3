import type { Port, SetupProgress, Task } from '@boxyard/protocol'

/** What a preview pane shows. */
export type PreviewState =
  | { kind: 'ready' }
  /** `taskId` is the task whose output is worth showing; `canRun` says that starting it is what helps. */
  | { kind: 'waiting'; headline: string; detail: string; taskId: string | undefined; canRun: boolean }

export interface PreviewFacts {
  port: number
  ports: readonly Port[]
  tasks: readonly Task[]
  setup: SetupProgress | undefined
}

/** The task that a port belongs to: the one that says so, else the one that opened it before, else the one that runs at start. */
export function taskOfPort(port: number, tasks: readonly Task[]): Task | undefined {
  return (
    tasks.find((task) => task.preview?.port === port) ??
    tasks.find((task) => task.ports.some((open) => open.port === port)) ??
    tasks.find((task) => task.runAtStart)
  )
}

/** The port to show without being asked: of the task that has a preview, or else of the one that runs at start. */
export function defaultPreviewPort(tasks: readonly Task[]): number | undefined {
  const named = tasks.find((task) => task.preview?.port !== undefined)
  return named?.preview?.port ?? tasks.find((task) => task.ports.length > 0)?.ports[0]?.port
}

export function previewState({ port, ports, tasks, setup }: PreviewFacts): PreviewState {
  if (ports.some((open) => open.port === port)) return { kind: 'ready' }
  const task = taskOfPort(port, tasks)
  if (setup?.state === 'IN_PROGRESS') {
    const step = setup.steps[setup.currentStepIndex]
    return {
      kind: 'waiting',
      headline: 'The set-up is running',
      detail: step
        ? `Step ${setup.currentStepIndex + 1} of ${setup.steps.length}: ${step.name}.`
        : 'It starts in a moment.',
      taskId: undefined,
      canRun: false,
    }
  }
  if (!task) {
    return {
      kind: 'waiting',
      headline: `Nothing answers on port ${port}`,
      detail: 'Start a server in a terminal; its page appears here.',
      taskId: undefined,
      canRun: false,
    }
  }
  const { headline, detail, canRun } = words(task, port)
  return { kind: 'waiting', headline, detail, taskId: task.id, canRun }
}

function words(task: Task, port: number): { headline: string; detail: string; canRun: boolean } {
  const { name } = task
  switch (task.shell?.status) {
    case 'RUNNING':
    case 'RESTARTING':
      return {
        headline: `${name} is starting`,
        detail: `Its page appears here when port ${port} answers.`,
        canRun: false,
      }
    case 'ERROR':
      return {
        headline: `${name} ended with an error`,
        detail: `Exit code ${task.shell.exitCode ?? 'unknown'}. Your files are safe. Fix what it says, then run it again.`,
        canRun: true,
      }
    case 'KILLED':
      return { headline: `${name} was stopped`, detail: 'Run it again to see its page.', canRun: true }
    case 'FINISHED':
      return { headline: `${name} has finished`, detail: 'Run it again to see its page.', canRun: true }
    default:
      return { headline: `${name} is not running`, detail: 'Run it to see its page.', canRun: true }
  }
}
