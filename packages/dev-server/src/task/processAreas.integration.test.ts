import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Configuration } from '../configuration.ts'
import type { SetupProgress, Task } from '@boxyard/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startDevServer } from '../devServer.ts'
import type { DevServer } from '../devServer.ts'
import { createLog } from '../log.ts'
import { createTestBox } from '../testing/testBox.ts'
import type { TestBox } from '../testing/testBox.ts'
import { TestClient } from '../testing/testClient.ts'

/** A server on a port the kernel chooses; it says which. */
const SERVER = `node -e 'const s=require("http").createServer((_,r)=>r.end("hi")).listen(PORT,"127.0.0.1",()=>console.log("port "+s.address().port))'`
const serverOn = (port: number): string => SERVER.replace('PORT', String(port))

let box: TestBox
let server: DevServer
let client: TestClient
const logged: string[] = []

async function start(boot: Configuration['boot'] = 'CLEAN'): Promise<void> {
  server = await startDevServer(
    { ...box.configuration, boot },
    createLog((line) => logged.push(line)),
  )
  await server.whenReady
  client = await TestClient.join(box.configuration.socket, await box.token())
}

async function stop(): Promise<void> {
  await client.close()
  await server.stop()
}

async function configure(configuration: unknown): Promise<void> {
  await mkdir(join(box.configuration.workspace, '.codesandbox'), { recursive: true })
  const text = typeof configuration === 'string' ? configuration : JSON.stringify(configuration)
  await writeFile(join(box.configuration.workspace, '.codesandbox/tasks.json'), text)
}

const taskUpdate = (id: string, matches: (task: Task) => boolean): Promise<Task> =>
  client.next('task/update', (task) => task.id === id && matches(task))

/** Opens a shell and waits until it has written `part`. */
async function outputOf(shellId: string, part: string): Promise<void> {
  const { buffer } = await client.call('shell/open', { shellId })
  if (buffer.join('').includes(part)) return
  await client.next('shell/out', (frame) => frame.shellId === shellId && frame.out.includes(part))
}

async function setupFinished(): Promise<void> {
  const { state } = await client.call('setup/get', {})
  if (state !== 'FINISHED') await client.next('setup/progress', (progress) => progress.state === 'FINISHED')
}

beforeEach(async ({ onTestFailed }) => {
  // What was said last tells where a test waits in vain.
  onTestFailed(() => console.error(logged.slice(-40).join(''), JSON.stringify(client.received)))
  box = await createTestBox()
  logged.length = 0
})
afterEach(async () => {
  await stop()
  await box.remove()
  expect(logged.filter((line) => line.includes('"level":"error"'))).toEqual([])
})

describe('tasks', () => {
  it('TA1: a task runs in a command shell and is updated at its start and its end', async () => {
    await configure({ tasks: { hello: { name: 'Hello', command: 'echo hello; exit 4' } } })
    await start()
    expect(await client.call('task/list', {})).toEqual({
      tasks: { hello: { id: 'hello', name: 'Hello', command: 'echo hello; exit 4', shell: null, ports: [] } },
      setupTasks: [],
      validationErrors: [],
    })
    const { shell } = await client.call('task/run', { taskId: 'hello' })
    expect(shell).toMatchObject({ shellType: 'COMMAND', startCommand: 'echo hello; exit 4' })
    await taskUpdate('hello', (task) => task.shell?.status === 'RUNNING')
    await taskUpdate('hello', (task) => task.shell?.status === 'ERROR' && task.shell.exitCode === 4)
    const opened = await client.call('shell/open', { shellId: shell!.shellId })
    expect(opened.buffer).toEqual(['hello\r\n'])
    await expect(client.call('task/run', { taskId: 'nothing' })).rejects.toMatchObject({ code: 601 })
    await expect(client.call('task/run', { taskId: 'toString' })).rejects.toMatchObject({ code: 601 })
  })

  it('TA2: stop kills the task, and its screen is cleared before it runs again', async () => {
    await configure({ tasks: { wait: { name: 'Wait', command: 'echo waiting; sleep 1000' } } })
    await start()
    const first = await client.call('task/run', { taskId: 'wait' })
    const shellId = first.shell!.shellId
    const again = await client.call('task/run', { taskId: 'wait' })
    expect(again.shell!.shellId).toBe(shellId)
    await outputOf(shellId, 'waiting')
    const stopped = await client.call('task/stop', { taskId: 'wait' })
    expect(stopped?.shell).toMatchObject({ shellId, status: 'KILLED' })
    await taskUpdate('wait', (task) => task.shell?.status === 'KILLED')
    const rerun = await client.call('task/run', { taskId: 'wait' })
    expect(rerun.shell).toMatchObject({ shellId, status: 'RUNNING' })
    await client.next('shell/restart', (restart) => restart.shellId === shellId)
    await outputOf(shellId, 'waiting')
    expect((await client.call('shell/open', { shellId })).buffer).toEqual(['waiting\r\n'])
  })

  it('TA3: the port a task opens is its own, wherever its process tree opens it', async () => {
    await configure({ tasks: { serve: { name: 'Serve', command: `(${serverOn(0)})` } } })
    await start()
    const { shell } = await client.call('task/run', { taskId: 'serve' })
    const { ports } = await taskUpdate('serve', (task) => task.ports.length > 0)
    const port = ports[0]!.port
    expect(ports).toEqual([{ port, url: `box1-${port}.preview.boxyard.localhost:4100` }])
    await client.next('port/changed', ({ list }) => list.some((entry) => entry.port === port))
    expect((await client.call('port/list', {})).list).toContainEqual(ports[0])
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200)
    expect(await client.call('task/stop', { taskId: 'serve' })).toMatchObject({ ports: [] })
    await taskUpdate('serve', (task) => task.ports.length === 0)
    await client.next('port/changed', ({ list }) => !list.some((entry) => entry.port === port))
    expect(shell!.status).toBe('RUNNING')
  })

  it('TA4: a port nobody claims is announced as unassigned', async () => {
    await start()
    await client.call('shell/create', { type: 'TERMINAL', command: serverOn(0) })
    const { out } = await client.next('shell/out', (frame) => frame.out.startsWith('port '))
    const port = Number(out.split(' ')[1])
    const opened = await client.next('task/unassignedPortOpened', (entry) => entry.port === port)
    expect(opened.url).toBe(`box1-${port}.preview.boxyard.localhost:4100`)
    const { shells } = await client.call('shell/list', {})
    await client.call('shell/terminate', { shellId: shells[0]!.shellId })
    await client.next('task/unassignedPortClosed', (entry) => entry.port === port)
  })

  it('TA5: a changed configuration is read again; half-typed text takes no task away', async () => {
    await configure({ tasks: { one: { name: 'One', command: 'true' } } })
    await start()
    await configure(
      '{ // comment\n "tasks": { "two": { "name": "Two", "command": "true", "preview": { "port": 3000, "prLink": "direct" } }, }',
    )
    const broken = await client.next('task/listUpdate')
    expect(Object.keys(broken.tasks)).toEqual(['one'])
    expect(broken.validationErrors).toHaveLength(1)
    await client.next('task/configParseError')
    await configure(
      '{ // comment\n "tasks": { "two": { "name": "Two", "command": "true", "preview": { "port": 3000, "prLink": "direct" } }, } }',
    )
    const { tasks, validationErrors } = await client.next('task/listUpdate')
    expect(validationErrors).toEqual([])
    expect(tasks).toMatchObject({ two: { preview: { port: 3000, 'pr-link': 'direct' } } })
  })

  it('TA6: without a configuration the scripts are tasks, and it can be generated once', async () => {
    const scripts = { dev: 'echo dev', test: 'echo test' }
    await writeFile(join(box.configuration.workspace, 'package.json'), JSON.stringify({ scripts }))
    await writeFile(join(box.configuration.workspace, 'pnpm-lock.yaml'), '')
    await writeFile(join(box.configuration.home, 'pnpm'), '#!/bin/sh\necho fake pnpm "$@"\n', { mode: 0o755 })
    await start()
    const list = await client.call('task/list', {})
    expect(list.tasks).toMatchObject({ dev: { command: 'pnpm run dev', runAtStart: true }, test: {} })
    expect(list.setupTasks).toEqual([{ name: 'Install dependencies', command: 'pnpm install' }])
    await client.call('task/generateConfig', {})
    await client.next('fs/operations', ({ operations }) =>
      operations.some(({ operation }) => operation.type === 'create' && operation.newEntry.name === 'tasks.json'),
    )
    await expect(client.call('task/generateConfig', {})).rejects.toMatchObject({ code: 600 })
    expect(await client.call('task/list', {})).toMatchObject({
      setupTasks: list.setupTasks,
      tasks: { dev: {}, test: {} },
    })
  })

  it('TA7: a command can be run, saved, created and changed, and comments of the file survive', async () => {
    await configure('{\n  // keep me\n  "tasks": {}\n}\n')
    await start()
    const run = await client.call('task/runCommand', { command: 'sleep 1000', name: 'Sleep' })
    expect(run).toMatchObject({ id: 'sleep', name: 'Sleep', unconfigured: true, shell: { status: 'RUNNING' } })
    const saved = await client.call('task/saveToConfig', { taskId: 'sleep' })
    expect(saved.unconfigured).toBeUndefined()
    await expect(client.call('task/saveToConfig', { taskId: 'sleep' })).rejects.toMatchObject({ code: 602 })
    await client.call('task/create', { taskFields: { name: 'Say hi', command: 'echo hi' }, startTask: true })
    await taskUpdate('say-hi', (task) => task.shell?.status === 'FINISHED')
    await expect(
      client.call('task/create', { taskFields: { name: 'Again', command: 'echo hi' } }),
    ).rejects.toMatchObject({ code: 602 })
    const changed = await client.call('task/update', {
      taskId: 'say-hi',
      taskFields: { preview: { port: 4321, 'pr-link': 'direct' } },
    })
    expect(changed).toMatchObject({ name: 'Say hi', preview: { port: 4321 } })
    await client.call('task/createSetupTasks', { tasks: [{ name: 'Prepare', command: 'true' }] })
    const text = await readFile(join(box.configuration.workspace, '.codesandbox/tasks.json'), 'utf8')
    expect(text).toContain('// keep me')
    expect(text).toContain('"prLink": "direct"')
    expect(await client.call('task/list', {})).toMatchObject({
      tasks: { sleep: { shell: { status: 'RUNNING' } }, 'say-hi': {} },
      setupTasks: [{ name: 'Prepare' }],
    })
  })

  it('TA8: after a restart of the machine a task shows how it ended and its output', async () => {
    await configure({ tasks: { wait: { name: 'Wait', command: 'echo waiting; sleep 1000' } } })
    await start()
    const { shell } = await client.call('task/run', { taskId: 'wait' })
    await outputOf(shell!.shellId, 'waiting')
    await stop()
    await start('RESUME')
    const { tasks } = await client.call('task/list', {})
    expect(tasks['wait']?.shell).toMatchObject({ shellId: shell!.shellId, status: 'KILLED' })
    expect((await client.call('shell/open', { shellId: shell!.shellId })).buffer).toEqual(['waiting\r\n'])
  })

  it('TA16: a box that starts no tasks is set up, and leaves each task until it is asked for', async () => {
    await box.remove()
    box = await createTestBox({ startTasks: false })
    await configure({
      setupTasks: ['touch set-up'],
      tasks: { go: { name: 'Go', command: 'test -f set-up && touch ran', runAtStart: true } },
    })
    await start()
    await setupFinished()
    expect((await client.call('task/list', {})).tasks['go']?.shell).toBeNull()
    await stop()
    await start('FORK')
    expect((await client.call('setup/get', {})).state).toBe('FINISHED')
    expect((await client.call('task/list', {})).tasks['go']?.shell).toBeNull()
    expect(await readdir(box.configuration.workspace)).not.toContain('ran')
    await client.call('task/run', { taskId: 'go' })
    await taskUpdate('go', (task) => task.shell?.status === 'FINISHED')
    expect(await readdir(box.configuration.workspace)).toContain('ran')
  })
})

describe('set-up', () => {
  it('SU1: a clean boot runs the steps one after the other, then the tasks that run at the start', async () => {
    await configure({
      setupTasks: ['echo one >> order', { name: 'Two', command: 'echo two >> order' }],
      tasks: { go: { name: 'Go', command: 'cat order', runAtStart: true } },
    })
    await start()
    await setupFinished()
    const progress = await client.call('setup/get', {})
    expect(progress).toMatchObject({
      state: 'FINISHED',
      steps: [
        { name: 'echo one >> order', finishStatus: 'SUCCEEDED' },
        { name: 'Two', finishStatus: 'SUCCEEDED' },
      ],
    })
    const { tasks } = await client.call('task/list', {})
    if (tasks['go']?.shell?.status !== 'FINISHED') await taskUpdate('go', (task) => task.shell?.status === 'FINISHED')
    const done = await client.call('task/list', {})
    const opened = await client.call('shell/open', { shellId: done.tasks['go']!.shell!.shellId })
    expect(opened.buffer).toEqual(['one\r\ntwo\r\n'])
  })

  it('SU2: there is always a step', async () => {
    await start()
    await setupFinished()
    expect((await client.call('setup/get', {})).steps).toHaveLength(1)
  })

  it('SU3: a step that fails stops the set-up; it can be skipped or started again', async () => {
    await configure({
      setupTasks: ['test -e fixed', 'echo done'],
      tasks: { go: { name: 'Go', command: 'true', runAtStart: true } },
    })
    await start()
    const stopped = (await client.call('setup/get', {})).state === 'STOPPED'
    if (!stopped) await client.next('setup/progress', (progress) => progress.state === 'STOPPED')
    expect(await client.call('setup/get', {})).toMatchObject({
      currentStepIndex: 0,
      steps: [{ finishStatus: 'FAILED' }, { finishStatus: null }],
    })
    expect((await client.call('task/list', {})).tasks['go']?.shell).toBeNull()
    expect((await client.call('setup/skip', { stepIndexToSkip: 1 })).state).toBe('STOPPED')
    await writeFile(join(box.configuration.workspace, 'fixed'), '')
    expect(await client.call('setup/setStep', { stepIndex: 0 })).toMatchObject({ state: 'IN_PROGRESS' })
    await setupFinished()
    await taskUpdate('go', (task) => task.shell?.status === 'FINISHED')
  })

  it('SU4: a running step can be skipped, and so can everything', async () => {
    await configure({ setupTasks: ['sleep 1000', 'sleep 1001', 'sleep 1002'] })
    await start()
    const skipped = await client.call('setup/skip', { stepIndexToSkip: 0 })
    expect(skipped).toMatchObject({
      state: 'IN_PROGRESS',
      currentStepIndex: 1,
      steps: [{ finishStatus: 'SKIPPED' }, {}, {}],
    })
    await client.next('setup/progress', (progress) => typeof progress.steps[1]?.shellId === 'string')
    const all = await client.call('setup/skipAll', {})
    expect(all).toMatchObject({ state: 'FINISHED', currentStepIndex: 2 })
    expect(all.steps.map((step) => step.finishStatus)).toEqual(['SKIPPED', 'SKIPPED', 'SKIPPED'])
  })

  it('SU5: a resumed box inherits a finished set-up and goes on with an interrupted step', async () => {
    await configure({ setupTasks: ['echo ran >> count', 'while ! test -e go; do sleep 0.05; done'] })
    await start()
    const { steps } = await client.call('setup/get', {})
    if (steps[1]?.shellId == null) {
      await client.next('setup/progress', (progress) => typeof progress.steps[1]?.shellId === 'string')
    }
    await stop()
    await start('RESUME')
    expect(await client.call('setup/get', {})).toMatchObject({ state: 'IN_PROGRESS', currentStepIndex: 1 })
    await writeFile(join(box.configuration.workspace, 'go'), '')
    await setupFinished()
    await stop()
    await start('FORK')
    expect(await client.call('setup/get', {})).toMatchObject({ state: 'FINISHED' })
    expect(await readFile(join(box.configuration.workspace, 'count'), 'utf8')).toBe('ran\n')
  })

  it('SU6: progress is on disk when it is told', async () => {
    await configure({ setupTasks: ['while ! test -e go; do sleep 0.05; done'] })
    await start()
    await writeFile(join(box.configuration.workspace, 'go'), '')
    const told = await client.next('setup/progress', ({ state }) => state === 'FINISHED')
    expect(JSON.parse(await readFile(join(box.configuration.state, 'setup.json'), 'utf8'))).toEqual(told)
  })

  it('SU7: disabled, the set-up ends its step and is idle; enabled or initialized, it goes on with that step', async () => {
    await configure({ setupTasks: ['true', 'echo run >> count; while ! test -e go; do sleep 0.05; done'] })
    await start()
    const isAtSecond = (progress: SetupProgress): boolean => typeof progress.steps[1]?.shellId === 'string'
    if (!isAtSecond(await client.call('setup/get', {}))) await client.next('setup/progress', isAtSecond)
    expect(await client.call('setup/disable', {})).toMatchObject({ state: 'IDLE', currentStepIndex: 1 })
    await client.next('shell/exit', ({ exitCode }) => exitCode !== 0)
    expect(await client.call('setup/enable', {})).toMatchObject({ state: 'IN_PROGRESS', currentStepIndex: 1 })
    await client.call('setup/disable', {})
    expect(await client.call('setup/init', {})).toMatchObject({ state: 'IN_PROGRESS', currentStepIndex: 1 })
    await writeFile(join(box.configuration.workspace, 'go'), '')
    await setupFinished()
    expect((await client.call('setup/init', {})).state).toBe('FINISHED')
  })
})

describe('system', () => {
  it('SY1: metrics are plausible and told in percent, GiB and GB', async () => {
    await start()
    const { cpu, memory, storage } = await client.call('system/metrics', {})
    expect(cpu.cores).toBeGreaterThanOrEqual(1)
    expect(cpu.used).toBeLessThanOrEqual(cpu.cores * 100 + 5)
    expect(memory.used).toBeGreaterThan(0)
    expect(memory.used).toBeLessThanOrEqual(memory.total)
    expect(memory.configured).toBeLessThanOrEqual(memory.total)
    expect(storage.used).toBeLessThanOrEqual(storage.total)
    expect(await client.call('system/update', {})).toEqual({})
  })

  it('SY2: without a platform nobody can put the box to sleep, and it does not say so', async () => {
    await start()
    expect(client.joined.capabilities.system).toEqual({ metrics: true, update: true, containers: true })
    await expect(client.call('system/hibernate', {})).rejects.toMatchObject({ code: 1 })
  })
})
