import type { CommandShell } from '@boxyard/protocol'
import { expect, it } from 'vitest'
import { stepStatus, taskStatus } from './taskStatus.ts'

const shell = (status: CommandShell['status']): CommandShell => ({
  shellId: 's',
  name: 's',
  status,
  shellType: 'COMMAND',
  startCommand: 'x',
  exitCode: 3,
})

it.each([
  [null, 'Not started'],
  [shell('RUNNING'), 'Running'],
  [shell('RESTARTING'), 'Restarting'],
  [shell('FINISHED'), 'Finished'],
  [shell('ERROR'), 'Failed with exit code 3'],
  [shell('KILLED'), 'Stopped'],
])('WB51: a task says in words what it does (%#)', (value, text) => {
  expect(taskStatus({ shell: value }).text).toBe(text)
})

it('WB52: a step of the set-up says in words where it is', () => {
  const step = (finishStatus: 'SUCCEEDED' | 'FAILED' | 'SKIPPED' | null) => ({
    name: '',
    command: '',
    shellId: null,
    finishStatus,
  })
  const setup = {
    state: 'IN_PROGRESS' as const,
    currentStepIndex: 1,
    steps: [step('SUCCEEDED'), step(null), step(null), step('SKIPPED'), step('FAILED')],
  }
  expect(setup.steps.map((_, index) => stepStatus(setup, index).text)).toEqual([
    'Done',
    'Running',
    'Waiting',
    'Skipped',
    'Failed',
  ])
})
