import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createBwrapDriver, type BoxDriver, type BoxExit } from '@boxyard/boxes'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { hasCode } from './fs/errno.ts'
import { buildForTest } from './testing/childServer.ts'
import { createTestBox, type TestBox } from './testing/testBox.ts'
import { TestClient } from './testing/testClient.ts'

const ID = 'updated'

let root: string
let driver: BoxDriver
let keys: TestBox
let program: Awaited<ReturnType<typeof buildForTest>>
let epoch = 0

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'boxyard-update-'))
  program = await buildForTest()
  keys = await createTestBox({ boxId: ID })
  driver = await createBwrapDriver({
    home: join(root, 'home'),
    devServer: dirname(program.main),
    node: process.execPath,
    log: () => undefined,
  })
  const folder = join(root, 'folder')
  await mkdir(folder)
  await driver.create({ id: ID, disk: { kind: 'folder', path: folder }, tier: { cpu: 2, memory: 1024, disk: 4096 } })
})

afterAll(async () => {
  await driver.dispose()
  await Promise.all([keys.remove(), program.remove(), rm(root, { recursive: true, force: true })])
})

afterEach(() => driver.stop(ID))

async function start(): Promise<TestClient> {
  epoch += 1
  const { BOXYARD_PUBLIC_KEY = '', BOXYARD_PREVIEW_HOST = '' } = keys.environment
  await driver.start(ID, {
    epoch,
    boot: epoch === 1 ? 'CLEAN' : 'RESUME',
    env: { BOXYARD_PUBLIC_KEY, BOXYARD_PREVIEW_HOST },
    egressSocket: null,
    onPhase: () => undefined,
  })
  return joinBox()
}

async function joinBox(): Promise<TestClient> {
  for (;;) {
    try {
      return await TestClient.join(await driver.connect(ID), await keys.token({ epoch }))
    } catch (error) {
      // A dev server that is ending takes connections as long as its socket is not closed, and never answers them.
      if (!hasCode(error, 'ECONNRESET')) throw error
    }
  }
}

/** What a command in the box prints. */
async function ask(client: TestClient, command: string): Promise<string> {
  const { shellId } = await client.call('shell/create', { command })
  await client.next('shell/exit', (exit) => exit.shellId === shellId)
  const { buffer } = await client.call('shell/open', { shellId })
  await client.call('shell/terminate', { shellId })
  return buffer.join('').trim()
}

/** The command line of the dev server. */
const devServer = (client: TestClient): Promise<string> => ask(client, `tr '\\0' ' ' < /proc/$PPID/cmdline`)

/** A terminal with a variable that only its shell has. */
async function openTerminal(client: TestClient): Promise<string> {
  const { shellId } = await client.call('shell/create', {})
  await client.call('shell/in', { shellId, input: 'mine=kept; echo "$mine"-here\r' })
  await client.next('shell/out', ({ out }) => out.includes('kept-here'))
  return shellId
}

async function expectKept(client: TestClient, shellId: string): Promise<void> {
  await client.call('shell/open', { shellId })
  await client.call('shell/in', { shellId, input: 'echo "$mine"-still\r' })
  await client.next('shell/out', (one) => one.shellId === shellId && one.out.includes('kept-still'))
}

it('BX860: a running box gets the dev server that is there now, and its terminals go on', async () => {
  const client = await start()
  const terminal = await openTerminal(client)
  expect(await devServer(client)).toContain('/opt/boxyard/dev-server/main.js')
  await driver.update(ID)
  expect(await client.closed).toEqual({ code: 1001 })
  const next = await joinBox()
  const first = await devServer(next)
  expect(first).toMatch(/\/opt\/boxyard\/updates\/[\da-f]{32}\/main\.js/)
  await expectKept(next, terminal)

  // The same again is nothing to do.
  await driver.update(ID)
  await expectKept(next, terminal)

  await writeFile(join(dirname(program.main), 'version'), '2\n')
  await driver.update(ID)
  await next.closed
  const last = await joinBox()
  expect(await devServer(last)).not.toBe(first)
  expect(await ask(last, 'cat /opt/boxyard/updates/*/version')).toBe('2')
  expect(await ask(last, 'touch /opt/boxyard/updates/mine 2>&1')).toContain('Read-only')
  await expectKept(last, terminal)

  const exit = new Promise<BoxExit>((resolve) => driver.onExit(resolve))
  await driver.stop(ID)
  expect(await exit).toMatchObject({ epoch, reason: 'stopped', log: expect.stringContaining('The dev server stops') })
})

it('BX861: a dev server that came by an update is started again when it ends', async () => {
  const client = await start()
  await openTerminal(client)
  await driver.update(ID)
  await client.closed
  const next = await joinBox()
  const updated = await devServer(next)
  // It may end before it has answered.
  await next.call('shell/create', { command: 'kill -9 $PPID' }).catch(() => undefined)
  await next.closed
  const last = await joinBox()
  expect(await devServer(last)).toBe(updated)
})

it('BX862: where the new one does not answer the former one is started again', async () => {
  const client = await start()
  const before = await devServer(client)
  const folder = dirname(program.main)
  await rename(folder, `${folder}.former`)
  await mkdir(folder)
  await writeFile(program.main, 'process.exit(3)\n')
  try {
    await expect(driver.update(ID)).rejects.toMatchObject({
      code: 'DEV_SERVER_FAILED',
      detail: expect.stringContaining('The dev server ended'),
    })
    await client.closed
    expect(await devServer(await joinBox())).toBe(before)
  } finally {
    await rm(folder, { recursive: true })
    await rename(`${folder}.former`, folder)
  }
})
