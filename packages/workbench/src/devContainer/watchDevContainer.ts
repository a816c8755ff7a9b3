import type { SetupArea, ShellsArea } from '@boxyard/dev-server-client'
import { DevContainerLog } from './DevContainerLog.ts'
import { devContainerState, devContainerSteps, type DevContainerState } from './devContainerState.ts'

export const INSTALLATION_FAILED = 'Dev container installation failed.'

export interface WatchDevContainerOptions {
  setup: Pick<SetupArea, 'progress' | 'onDidChange' | 'init'>
  shells: Pick<ShellsArea, 'open'>
  canWrite: boolean
  /** It is being made or could not be: the log is shown, without taking anybody from what they do. */
  showLog(log: DevContainerLog): void
  /** Tells that this step failed, until it is told to be over. */
  tellFailure(stepIndex: number, stepName: string): { close(): void }
  onError(error: unknown): void
}

/** Follows the making of the dev container, which it begins where nobody has. @returns its log, undefined where there is no dev container */
export function watchDevContainer(options: WatchDevContainerOptions): DevContainerLog | undefined {
  const { setup, shells, canWrite, showLog, tellFailure, onError } = options
  let state: DevContainerState = devContainerState(setup.progress)
  if (state === 'none') return undefined
  const log = new DevContainerLog(shells)
  let told: { close(): void } | undefined
  const enter = (next: DevContainerState) => {
    told?.close()
    told = undefined
    if (next === 'done' && state !== 'done') log.say('\x1b[32mThe dev container is set up.\x1b[0m')
    state = next
    if (next === 'none' || next === 'done') return
    showLog(log)
    const { progress } = setup
    if (next !== 'failed' || !progress) return
    log.say(`\x1b[31m${INSTALLATION_FAILED}\x1b[0m`)
    told = tellFailure(progress.currentStepIndex, progress.steps[progress.currentStepIndex]?.name ?? '')
  }
  const update = () => {
    if (setup.progress) log.follow(devContainerSteps(setup.progress))
    const next = devContainerState(setup.progress)
    if (next !== state) enter(next)
  }
  if (setup.progress) log.follow(devContainerSteps(setup.progress))
  enter(state)
  setup.onDidChange(update)
  if (state === 'waiting' && canWrite) setup.init().catch(onError)
  return log
}
