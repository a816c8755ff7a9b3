import type { CommandShell, Task } from '@boxyard/protocol'
import { describe, expect, it } from 'vitest'
import { defaultPreviewPort, previewState, taskOfPort } from './previewState.ts'

function shell(status: CommandShell['status'], exitCode?: number): CommandShell {
  return {
    shellId: 's',
    name: 'dev',
    status,
    shellType: 'COMMAND',
    startCommand: 'npm run dev',
    ...(exitCode !== undefined && { exitCode }),
  }
}
function task(fields: Partial<Task>): Task {
  return { id: 'dev', name: 'Dev server', command: 'npm run dev', shell: null, ports: [], ...fields }
}
const port = { port: 5173, url: 'x-5173.preview' }
const facts = { port: 5173, ports: [], tasks: [], setup: undefined }

describe('the preview pane', () => {
  it('WB42: shows the page as soon as its port is open', () => {
    expect(previewState({ ...facts, ports: [port] })).toEqual({ kind: 'ready' })
    expect(previewState({ ...facts, ports: [{ ...port, port: 5174 }] }).kind).toBe('waiting')
  })

  it.each([
    [shell('RUNNING'), 'Dev server is starting', false],
    [shell('RESTARTING'), 'Dev server is starting', false],
    [shell('ERROR', 127), 'Dev server ended with an error', true],
    [shell('KILLED'), 'Dev server was stopped', true],
    [shell('FINISHED', 0), 'Dev server has finished', true],
    [null, 'Dev server is not running', true],
  ])('WB43: names the task and what it does while the port is closed (%#)', (state, headline, canRun) => {
    const tasks = [task({ preview: { port: 5173 }, shell: state })]
    expect(previewState({ ...facts, tasks })).toMatchObject({ kind: 'waiting', headline, canRun, taskId: 'dev' })
  })

  it('WB43: says the exit code of a task that failed', () => {
    const tasks = [task({ preview: { port: 5173 }, shell: shell('ERROR', 127) })]
    expect(previewState({ ...facts, tasks })).toMatchObject({ detail: expect.stringContaining('127') })
  })

  it('WB43: names the step of a set-up that is running', () => {
    const setup = {
      state: 'IN_PROGRESS' as const,
      currentStepIndex: 1,
      steps: ['a', 'Install packages'].map((name) => ({ name, command: name, shellId: null, finishStatus: null })),
    }
    expect(previewState({ ...facts, setup })).toMatchObject({ detail: 'Step 2 of 2: Install packages.' })
  })

  it('WB43: says what to do where no task is known', () => {
    expect(previewState(facts)).toMatchObject({
      headline: 'Nothing answers on port 5173',
      taskId: undefined,
      canRun: false,
    })
  })
})

it('WB41: a port belongs to the task that names it, then to the one that opened it, then to the one that runs at start', () => {
  const named = task({ id: 'named', preview: { port: 5173 } })
  const opened = task({ id: 'opened', ports: [port] })
  const atStart = task({ id: 'start', runAtStart: true })
  expect(taskOfPort(5173, [atStart, opened, named])?.id).toBe('named')
  expect(taskOfPort(5173, [atStart, opened])?.id).toBe('opened')
  expect(taskOfPort(5173, [atStart])?.id).toBe('start')
  expect(taskOfPort(5173, [task({})])).toBeUndefined()
})

it('WB40: the preview that opens by itself is the one a task names, else the first port a task has opened', () => {
  expect(defaultPreviewPort([task({ ports: [{ ...port, port: 9000 }] }), task({ preview: { port: 5173 } })])).toBe(5173)
  expect(defaultPreviewPort([task({}), task({ ports: [port] })])).toBe(5173)
  expect(defaultPreviewPort([task({})])).toBeUndefined()
})
