import { isDevContainerStep, type SetupProgress, type SetupStep } from '@boxyard/protocol'

/** How far the dev container is. `waiting`: nothing has begun its first step. */
export type DevContainerState = 'none' | 'waiting' | 'running' | 'failed' | 'done'

/** The steps of the set-up that make the dev container: the first ones. */
export function devContainerSteps({ steps }: Pick<SetupProgress, 'steps'>): readonly SetupStep[] {
  const end = steps.findIndex(({ name }) => !isDevContainerStep(name))
  return end < 0 ? steps : steps.slice(0, end)
}

/** A set-up that is in the midst of them and does not go on has failed, whatever ended it. */
export function devContainerState(setup: SetupProgress | undefined): DevContainerState {
  const steps = setup ? devContainerSteps(setup) : []
  if (!setup || steps.length === 0) return 'none'
  if (setup.state === 'FINISHED') return 'done'
  if (steps.every(({ finishStatus }) => finishStatus === 'SUCCEEDED' || finishStatus === 'SKIPPED')) return 'done'
  if (setup.state === 'IN_PROGRESS') return 'running'
  const hasBegun = setup.currentStepIndex > 0 || steps.some(({ finishStatus }) => finishStatus !== null)
  return setup.state === 'IDLE' && !hasBegun ? 'waiting' : 'failed'
}
