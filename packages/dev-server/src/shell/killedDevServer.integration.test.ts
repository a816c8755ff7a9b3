import { mkdir, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { buildForTest, ChildServer } from '../testing/childServer.ts'
import { createTestBox } from '../testing/testBox.ts'
import type { TestBox } from '../testing/testBox.ts'
import { TestClient } from '../testing/testClient.ts'

let program: Awaited<ReturnType<typeof buildForTest>>
let box: TestBox
let server: ChildServer

async function start(): Promise<TestClient> {
  server = await ChildServer.start(program.main, { ...box.environment, BOXYARD_BOOT: 'RESUME' })
  return TestClient.join(box.configuration.socket, await box.token())
}

/** Asks for everything to be written, as the platform does before a stop. */
function askToFlush(): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath: box.configuration.socket, path: '/flush', method: 'POST' }, (response) => {
      response.resume().on('end', resolve)
    })
    sent.on('error', reject).end()
  })
}

beforeAll(async () => {
  program = await buildForTest()
})
afterAll(() => program.remove())
beforeEach(async () => {
  box = await createTestBox()
})
afterEach(async () => {
  if (server.process.exitCode === null && server.process.signalCode === null) await server.end('SIGKILL')
  await box.remove()
})

it('SH19: shells and their output are there after the dev server was killed', async () => {
  const client = await start()
  const terminal = await client.call('shell/create', {})
  await client.call('shell/in', { shellId: terminal.shellId, input: 'echo before the "kill"\r' })
  await client.next('shell/out', ({ out }) => out.includes('before the kill'))
  const command = await client.call('shell/create', { command: 'seq 1 5; sleep 1000' })
  await client.next('shell/out', ({ out, shellId }) => shellId === command.shellId && out.includes('5\r\n'))
  await askToFlush()
  const created = await client.call('shell/create', { command: 'sleep 1001' })
  await server.end('SIGKILL')

  const again = await start()
  const { shells } = await again.call('shell/list', {})
  expect(shells).toMatchObject([
    { shellId: terminal.shellId, shellType: 'TERMINAL', status: 'RUNNING' },
    { shellId: command.shellId, shellType: 'COMMAND', status: 'KILLED' },
    { shellId: created.shellId, shellType: 'COMMAND', status: 'KILLED' },
  ])
  const opened = await again.call('shell/open', { shellId: terminal.shellId })
  expect(opened.buffer.join('')).toMatch(/before the kill[^]*The machine was restarted/)
  expect((await again.call('shell/open', { shellId: command.shellId })).buffer).toEqual(['1\r\n2\r\n3\r\n4\r\n5\r\n'])
  await again.close()
  expect(await server.end('SIGTERM')).toBe(0)
  expect(server.log.filter((line) => line.includes('"error"'))).toEqual([])
})

it('SH701: only a terminal that shows a full-screen program leaves its screen when it begins anew', async () => {
  const client = await start()
  const [plain, full] = [await client.call('shell/create', {}), await client.call('shell/create', {})]
  for (const [{ shellId }, code, word] of [
    [plain, 'l', 'ordinary'],
    [full, 'h', 'screen'],
  ] as const) {
    await client.call('shell/in', { shellId, input: `printf '\\033[?1049h\\033[?1049${code}%s' full-"${word}"\r` })
    await client.next('shell/out', ({ shellId: of, out }) => of === shellId && out.includes(`full-${word}`))
  }
  await askToFlush()
  await server.end('SIGKILL')
  const again = await start()
  const shows = async (shellId: string): Promise<string> =>
    (await again.call('shell/open', { shellId })).buffer.join('').split('full-').at(-1) ?? ''
  const leave = '\u001B[?1049l'
  expect(await shows(plain.shellId)).toMatch(/^ordinary[^]*This is a new shell/)
  expect(await shows(plain.shellId)).not.toContain(leave)
  expect(await shows(full.shellId)).toMatch(/^screen[^]*This is a new shell/)
  expect(await shows(full.shellId)).toContain(leave)
})

it('SH700, TA700, DS700: a dev server that is started again in its run says so, and tasks that ran go on', async () => {
  const tasks = {
    served: { name: 'Served', command: 'echo served; sleep 1002' },
    idle: { name: 'Idle', command: 'true' },
  }
  await mkdir(join(box.configuration.workspace, '.codesandbox'))
  await writeFile(join(box.configuration.workspace, '.codesandbox/tasks.json'), JSON.stringify({ tasks }))
  const client = await start()
  const terminal = await client.call('shell/create', {})
  const task = await client.call('task/run', { taskId: 'served' })
  await client.next('shell/out', ({ shellId }) => shellId === terminal.shellId)
  await askToFlush()
  await server.end('SIGKILL')

  const environment = { ...box.environment, BOXYARD_BOOT: 'RESUME', BOXYARD_ENDS: '1' }
  server = await ChildServer.start(program.main, environment)
  const { socket } = box.configuration
  const query = `&reconnectToken=${client.joined.reconnectToken}`
  const back = await TestClient.join(socket, await box.token(), { query })
  const { message, type } = await back.next('notification/notify')
  expect([type, message]).toEqual(['warning', expect.stringContaining('The dev server was started again')])
  const opened = await back.call('shell/open', { shellId: terminal.shellId })
  expect(opened.buffer.join('')).toContain('The dev server had ended and was started again. This is a new shell.')
  const isServed = (shell: { shellId: string; status: string } | null | undefined): boolean =>
    shell?.shellId === task.shell?.shellId && shell?.status === 'RUNNING'
  if (!isServed((await back.call('task/list', {})).tasks['served']?.shell)) {
    await back.next('task/update', ({ id, shell }) => id === 'served' && isServed(shell))
  }
  expect((await back.call('task/list', {})).tasks['idle']?.shell).toBeNull()

  // Neither who is new nor who has heard it hears of it.
  const newcomer = await TestClient.join(socket, await box.token({ username: 'grace' }))
  const again = await TestClient.join(socket, await box.token(), {
    query: `&reconnectToken=${back.joined.reconnectToken}`,
  })
  for (const one of [newcomer, again]) {
    await one.call('shell/list', {})
    expect(one.received.filter(({ method }) => method === 'notification/notify')).toEqual([])
  }
})
