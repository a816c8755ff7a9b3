import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestBox } from '../testing/testBox.ts'
import type { TestBox } from '../testing/testBox.ts'
import { TestClient } from '../testing/testClient.ts'

const main = new URL('../main.ts', import.meta.url).pathname
const loader = createRequire(import.meta.url).resolve('tsx')

let box: TestBox
let child: ChildProcess
let logged = ''

/** Starts the program of the dev server and resolves when it listens. */
async function start(): Promise<TestClient> {
  logged = ''
  child = spawn(process.execPath, ['--import', loader, main], {
    env: { ...box.environment, BOXYARD_BOOT: 'RESUME' },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  await new Promise<void>((resolve) => {
    child.stderr!.on('data', (chunk: Buffer) => {
      logged += String(chunk)
      if (logged.includes('The dev server listens')) resolve()
    })
  })
  return TestClient.join(box.configuration.socket, await box.token())
}

async function kill(signal: NodeJS.Signals): Promise<void> {
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

beforeEach(async () => {
  box = await createTestBox()
})
afterEach(async () => {
  if (child.exitCode === null && child.signalCode === null) await kill('SIGKILL')
  await box.remove()
})

it('SH19: shells and their output are there after the dev server was killed', async () => {
  const client = await start()
  const terminal = await client.call('shell/create', {})
  await client.call('shell/in', { shellId: terminal.shellId, input: 'echo before the "kill"\r' })
  await client.next('shell/out', ({ out }) => out.includes('before the kill'))
  const command = await client.call('shell/create', { command: 'seq 1 5; sleep 1000' })
  await client.next('shell/out', ({ out, shellId }) => shellId === command.shellId && out.includes('5\r\n'))
  await fetchFlush()
  const created = await client.call('shell/create', { command: 'sleep 1001' })
  await kill('SIGKILL')

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
  await kill('SIGTERM')
  expect({ exitCode: child.exitCode, logged }).toMatchObject({
    exitCode: 0,
    logged: expect.not.stringContaining('error'),
  })
})

/** Asks for everything to be written, as the platform does before a stop. */
async function fetchFlush(): Promise<void> {
  const { request } = await import('node:http')
  await new Promise<void>((resolve, reject) => {
    const sent = request({ socketPath: box.configuration.socket, path: '/flush', method: 'POST' }, (response) => {
      response.resume().on('end', resolve)
    })
    sent.on('error', reject).end()
  })
}
