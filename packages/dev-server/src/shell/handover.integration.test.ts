import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { hasCode } from '../fs/errno.ts'
import { buildForTest, ChildServer } from '../testing/childServer.ts'
import { createTestBox } from '../testing/testBox.ts'
import type { TestBox } from '../testing/testBox.ts'
import { TestClient } from '../testing/testClient.ts'

let program: Awaited<ReturnType<typeof buildForTest>>
let box: TestBox
let server: ChildServer
/** The dev server that answers now. */
let pid: number

beforeAll(async () => {
  program = await buildForTest()
})
afterAll(() => program.remove())
beforeEach(async () => {
  box = await createTestBox()
})
afterEach(async () => {
  if (server.process.exitCode === null && server.process.signalCode === null) await server.end('SIGKILL')
  else process.kill(pid, 'SIGKILL')
  await box.remove()
})

async function start(): Promise<TestClient> {
  server = await ChildServer.start(program.main, box.environment)
  pid = server.process.pid ?? 0
  return TestClient.join(box.configuration.socket, await box.token())
}

/** The status of the answer to the platform's call. */
function askToMakeWay(path = program.main): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const options = { socketPath: box.configuration.socket, path: '/update', method: 'POST' }
    const sent = request(options, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
    sent.on('error', reject).end(JSON.stringify({ program: path }))
  })
}

/** Joins the next dev server as soon as it listens. */
async function joinNext(query = ''): Promise<TestClient> {
  for (;;) {
    try {
      const client = await TestClient.join(box.configuration.socket, await box.token(), { query })
      const { shellId } = await client.call('shell/create', { command: 'echo "is $PPID"' })
      const { out } = await client.next('shell/out', (one) => one.shellId === shellId && /is \d+/.test(one.out))
      pid = Number(/is (\d+)/.exec(out)?.[1])
      await client.call('shell/terminate', { shellId })
      return client
    } catch (error) {
      if (!hasCode(error, 'ECONNREFUSED') && !hasCode(error, 'ENOENT') && !hasCode(error, 'ECONNRESET')) throw error
    }
  }
}

async function update(): Promise<TestClient> {
  const ended = once(server.process, 'exit')
  expect(await askToMakeWay()).toBe(200)
  // The second one is no child of this process.
  if (server.process.exitCode === null) expect(await ended).toEqual([75, null])
  return joinNext()
}

async function outputOf(client: TestClient, shellId: string): Promise<string> {
  return (await client.call('shell/open', { shellId })).buffer.join('')
}

/** Everything a shell shows, from its beginning on, once it shows `part`. */
async function outputWith(client: TestClient, shellId: string, part: string): Promise<string> {
  let text = await outputOf(client, shellId)
  while (!text.includes(part)) text += (await client.next('shell/out', (one) => one.shellId === shellId)).out
  return text
}

it('SH860: shells go on under another dev server, and nothing of their output is lost or doubled', async () => {
  const client = await start()
  const lines = 9000
  const counting = `i=0; while [ $i -lt ${lines} ]; do echo "line $i é"; i=$((i+1)); done; echo "the end"`
  const { shellId: counter } = await client.call('shell/create', { command: `read go; ${counting}` })
  const { shellId: terminal } = await client.call('shell/create', { size: { cols: 91, rows: 31 } })
  await client.call('shell/in', { shellId: terminal, input: 'kept=by-the-"shell"; echo pid-$$-\r' })
  const before = (await client.next('shell/out', ({ out }) => /pid-\d+-/.test(out))).out.match(/pid-\d+-/)?.[0]
  await client.call('shell/in', { shellId: counter, input: '\r' })
  await client.next('shell/out', ({ shellId, out }) => shellId === counter && out.includes('line 1 '))

  let next = await update()
  const numbers = async (): Promise<number[]> =>
    [...(await outputWith(next, counter, 'the end')).matchAll(/^line (\d+) é\r$/gm)].map(([, number]) => Number(number))
  expect((await next.call('shell/list', {})).shells).toMatchObject([
    { shellId: counter },
    { shellId: terminal, status: 'RUNNING' },
  ])
  expect(await numbers()).toEqual(Array.from({ length: lines }, (_, index) => index))

  await next.call('shell/open', { shellId: terminal })
  await next.call('shell/in', { shellId: terminal, input: 'echo "$kept pid-$$- $(stty size)."\r' })
  await next.next('shell/out', ({ out }) => out.includes(`by-the-shell ${before} 31 91.`))
  await next.call('shell/resize', { shellId: terminal, size: { cols: 92, rows: 32 } })
  await next.call('shell/in', { shellId: terminal, input: 'echo "now $(stty size)."\r' })
  await next.next('shell/out', ({ out }) => out.includes('now 32 92.'))
  expect(await outputOf(next, terminal)).not.toContain('This is a new shell')

  // Nothing that is started now gets hold of the terminals of others, or of what the keeper listens to.
  const { shellId: later } = await next.call('shell/create', { command: 'ls -l /proc/self/fd; echo "that is all"' })
  expect(await outputWith(next, later, 'that is all')).not.toMatch(/ptmx|successor|handover/)

  // A second one takes it from the first.
  expect(await askToMakeWay()).toBe(200)
  await next.closed
  next = await joinNext()
  await next.call('shell/open', { shellId: terminal })
  await next.call('shell/in', { shellId: terminal, input: 'echo "again $kept."\r' })
  await next.next('shell/out', ({ out }) => out.includes('again by-the-shell.'))
})

it('SH861: a command tells its exit code to the dev server that took it over, and -1 where nobody knows it', async () => {
  const client = await start()
  const create = async (command?: string): Promise<string> =>
    (await client.call('shell/create', command === undefined ? {} : { command })).shellId
  const commands = [
    ['read go; sh -c "exit 7"', 7],
    ['read go; true', 0],
    [`read go; exec 1>&- 2>&- <&-; exit 9`, 9],
    ['read go; exec sh -c "exit 3"', -1],
  ] as const
  const shells = await Promise.all(commands.map(([command]) => create(command)))
  const terminal = await create()
  const next = await update()
  for (const shellId of [...shells, terminal]) await next.call('shell/open', { shellId })
  for (const [index, shellId] of shells.entries()) {
    await next.call('shell/in', { shellId, input: '\r' })
    const exit = await next.next('shell/exit', (one) => one.shellId === shellId)
    expect(exit).toMatchObject({ exitCode: commands[index]?.[1] })
  }
  await next.call('shell/in', { shellId: terminal, input: 'exit\r' })
  expect(await next.next('shell/exit', (one) => one.shellId === terminal)).toMatchObject({ exitCode: -1 })
  // What is restarted is its child again.
  await next.call('shell/restart', { shellId: shells[3]! })
  await next.call('shell/in', { shellId: shells[3]!, input: '\r' })
  expect(await next.next('shell/exit', (one) => one.shellId === shells[3]! && one.exitCode !== -1)).toMatchObject({
    exitCode: 3,
  })
})

it('TA860, SU860: tasks and the step of a set-up that ran go on, and nothing is started twice', async () => {
  const runs = join(box.configuration.home, 'runs')
  const note = (what: string): string => `echo ${what} >> ${runs}`
  const configuration = {
    setupTasks: [
      { name: 'First', command: `${note('first')}; until test -e ${runs}.go; do sleep 0.05; done; ${note('done')}` },
      { name: 'Second', command: note('second') },
    ],
    tasks: {
      served: { name: 'Served', command: `${note('served')}; sleep 1000` },
      starts: { name: 'Starts', command: `${note('starts')}; sleep 1000`, runAtStart: true },
    },
  }
  await mkdir(join(box.configuration.workspace, '.codesandbox'))
  await writeFile(join(box.configuration.workspace, '.codesandbox/tasks.json'), JSON.stringify(configuration))
  const client = await start()
  const task = await client.call('task/run', { taskId: 'served' })
  while (!(await written(runs)).includes('first')) await client.call('setup/get', null)

  const next = await update()
  expect((await next.call('task/list', {})).tasks['served']).toMatchObject({
    shell: { shellId: task.shell?.shellId, status: 'RUNNING' },
  })
  expect(await next.call('setup/get', null)).toMatchObject({ state: 'IN_PROGRESS', currentStepIndex: 0 })
  await writeFile(`${runs}.go`, '')
  while (!(await written(runs)).includes('starts')) await next.call('setup/get', null)
  expect(await next.call('setup/get', null)).toMatchObject({ state: 'FINISHED' })

  // What followed the set-up does not follow it again.
  expect(await askToMakeWay()).toBe(200)
  await next.closed
  const last = await joinNext()
  expect((await last.call('task/list', {})).tasks['starts']?.shell).toMatchObject({ status: 'RUNNING' })
  expect((await written(runs)).toSorted()).toEqual(['done', 'first', 'second', 'served', 'starts'])
})

it('SH862: what a program lets wait keeps nobody from anything, and is not lost', async () => {
  const client = await start()
  const typed = 'x'.repeat(300_000)
  const command = `stty raw -echo; echo ready; until test -e go; do sleep 0.05; done; head -c ${typed.length} | wc -c`
  const { shellId } = await client.call('shell/create', { command })
  await client.next('shell/out', ({ out }) => out.includes('ready'))
  await client.call('shell/in', { shellId, input: typed })
  const next = await update()
  await writeFile(join(box.configuration.workspace, 'go'), '')
  await outputWith(next, shellId, String(typed.length))
})

it('DS860: makes way only for a program that is there, and its clients come back as after any restart', async () => {
  const client = await start()
  expect(await askToMakeWay('not a path')).toBe(400)
  expect(await askToMakeWay('/not/there.js')).toBe(409)
  expect((await client.call('shell/list', {})).shells).toEqual([])
  const query = `&reconnectToken=${client.joined.reconnectToken}`
  expect(await askToMakeWay()).toBe(200)
  expect(await client.closed).toEqual({ code: 1001 })
  const back = await joinNext(query)
  expect(back.joined.client.clientId).toBe(client.joined.client.clientId)
  expect(back.received.filter(({ method }) => method === 'notification/notify')).toEqual([])
})

async function written(path: string): Promise<string[]> {
  try {
    return (await readFile(path, 'utf8')).trim().split('\n')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}
