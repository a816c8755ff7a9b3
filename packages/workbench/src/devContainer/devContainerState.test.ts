import type { SetupProgress, SetupStep } from '@boxyard/protocol'
import { expect, it } from 'vitest'
import { devContainerState, devContainerSteps } from './devContainerState.ts'

const step = (name: string, finishStatus: SetupStep['finishStatus'] = null): SetupStep => ({
  name,
  command: 'true',
  shellId: null,
  finishStatus,
})
const at = (state: SetupProgress['state'], currentStepIndex: number, ...steps: SetupStep[]): SetupProgress => ({
  state,
  currentStepIndex,
  steps,
})

it('WB983: the first steps that are named like those of a dev container make it', () => {
  const steps = ['Dev container', 'Feature ./go', 'postCreateCommand', 'npm install', 'onCreateCommand']
  expect(devContainerSteps({ steps: steps.map((name) => step(name)) }).map(({ name }) => name)).toEqual(
    steps.slice(0, 3),
  )
  expect(devContainerState(at('IN_PROGRESS', 0, step('npm install')))).toBe('none')
  expect(devContainerState(undefined)).toBe('none')
})

it.each([
  ['waiting', at('IDLE', 0, step('onCreateCommand'))],
  ['running', at('IN_PROGRESS', 0, step('onCreateCommand'))],
  ['running', at('IN_PROGRESS', 1, step('onCreateCommand', 'SUCCEEDED'), step('postCreateCommand'))],
  ['failed', at('STOPPED', 0, step('onCreateCommand', 'FAILED'))],
  ['failed', at('STOPPED', 0, step('onCreateCommand'))],
  ['failed', at('IDLE', 1, step('onCreateCommand', 'SUCCEEDED'), step('postCreateCommand'))],
  ['done', at('IN_PROGRESS', 1, step('onCreateCommand', 'SUCCEEDED'), step('npm install'))],
  ['done', at('STOPPED', 1, step('onCreateCommand', 'SKIPPED'), step('npm install', 'FAILED'))],
  ['done', at('FINISHED', 0, step('onCreateCommand', 'FAILED'))],
] as const)('WB983: it is %s', (state, setup) => {
  expect(devContainerState(setup)).toBe(state)
})
