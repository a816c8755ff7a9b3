import { Emitter, type ShellSession } from '@boxyard/dev-server-client'
import type { SetupProgress, SetupStep } from '@boxyard/protocol'
import { expect, it } from 'vitest'
import { watchDevContainer } from './watchDevContainer.ts'

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
const step = (name: string, shellId: string | null, finishStatus: SetupStep['finishStatus'] = null): SetupStep => ({
  name,
  command: '',
  shellId,
  finishStatus,
})

function watch(progress: SetupProgress, canWrite = true) {
  const changes = new Emitter<SetupProgress>()
  const happened: string[] = []
  const setup = {
    progress: progress as SetupProgress | undefined,
    onDidChange: changes.event,
    init: async () => void happened.push('begin'),
  }
  const log = watchDevContainer({
    setup,
    shells: {
      open: async () => ({ onData: () => ({}), onReset: () => ({}), dispose() {} }) as unknown as ShellSession,
    },
    canWrite,
    showLog: () => happened.push('log'),
    tellFailure: (index, name) => {
      happened.push(`failure of ${index}, ${name}`)
      return { close: () => happened.push('no failure') }
    },
    onError: (error) => {
      throw error
    },
  })
  return {
    log,
    /** What it did since it was asked last. */
    happened: () => happened.splice(0),
    become(next: SetupProgress) {
      setup.progress = next
      changes.fire(next)
    },
  }
}

const running: SetupProgress = { state: 'IN_PROGRESS', currentStepIndex: 0, steps: [step('onCreateCommand', 'a')] }
const failed: SetupProgress = {
  state: 'STOPPED',
  currentStepIndex: 0,
  steps: [step('onCreateCommand', 'a', 'FAILED')],
}
const done: SetupProgress = {
  state: 'FINISHED',
  currentStepIndex: 0,
  steps: [step('onCreateCommand', 'b', 'SUCCEEDED')],
}

it('WB983: a dev container that nobody has begun is begun by who may', () => {
  const waiting: SetupProgress = { state: 'IDLE', currentStepIndex: 0, steps: [step('onCreateCommand', null)] }
  expect(watch(waiting).happened()).toEqual(['log', 'begin'])
  expect(watch(waiting, false).happened()).toEqual(['log'])
  expect(watch(running).happened()).toEqual(['log'])
})

it('WB984: a failure is told once, until the set-up goes on, and stands in the log', async () => {
  const { become, happened, log } = watch(running)
  expect(happened()).toEqual(['log'])
  become(failed)
  become({ ...failed })
  expect(happened()).toEqual(['log', 'failure of 0, onCreateCommand'])
  await settled()
  expect(log!.text).toContain('Dev container installation failed.')
  become({ ...running, steps: [step('onCreateCommand', 'b')] })
  expect(happened()).toEqual(['no failure', 'log'])
  become(done)
  expect(happened()).toEqual([])
  await settled()
  expect(log!.text).toMatch(/The dev container is set up\.\S*\r\n$/)
})

it('WB984: a visit that finds it failed tells so', () => {
  expect(watch(failed).happened()).toEqual(['log', 'failure of 0, onCreateCommand'])
})

it('WB983: one that is there opens nothing by itself; without one there is no log', async () => {
  const ready = watch(done)
  expect(ready.happened()).toEqual([])
  await settled()
  expect(ready.log!.text).not.toContain('is set up')
  const none = watch({ ...done, steps: [step('npm install', 'a', 'SUCCEEDED')] })
  expect(none.log).toBeUndefined()
})
