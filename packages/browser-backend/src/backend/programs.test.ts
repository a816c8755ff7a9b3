import { afterEach, describe, expect, it } from 'vitest'
import type { FromProcess } from '../common/fromProcess.ts'
import type { ProcessStart, ToProcess, ToProcessesPage } from '../common/processMessages.ts'
import { MemoryStorage } from '../testing/memoryStorage.ts'
import { startSandbox } from '../testing/startSandbox.ts'

const size = { cols: 80, rows: 24 }
const ending: (() => void)[] = []
afterEach(() => {
  for (const end of ending.splice(0)) end()
})

async function begin(files: Readonly<Record<string, string>>) {
  const storage = new MemoryStorage(files)
  const started: { start: ProcessStart; heard: ToProcess[]; say(message: FromProcess): void }[] = []
  const ended: number[] = []
  const page = new MessageChannel()
  let pages = 0
  page.port2.onmessage = ({ data }: MessageEvent<ToProcessesPage>) => {
    if (data.type === 'end') return void ended.push(data.pid)
    const { port } = data
    const heard: ToProcess[] = []
    port.onmessage = ({ data: message }: MessageEvent<ToProcess>) => {
      heard.push(message)
      if (message.type === 'start') started.push({ start: message, heard, say: (said) => port.postMessage(said) })
    }
  }
  const gates: MessageChannel[] = []
  const sandbox = await startSandbox({
    storage,
    places: {
      openProcesses: async () => {
        pages += 1
        return page.port1
      },
      openGate: async () => {
        const gate = new MessageChannel()
        gates.push(gate)
        return gate.port1
      },
      leave: () => undefined,
    },
  })
  const client = await sandbox.connect()
  ending.push(() => {
    client.dispose()
    sandbox.link.close()
    for (const { port1, port2 } of [page, ...gates]) {
      port1.close()
      port2.close()
    }
  })
  return { storage, client, started, ended, pages: () => pages }
}

describe('programs of a sandbox', () => {
  it('BB830: a terminal has its prompt at once, and its program is only fetched when somebody types', async () => {
    const { client, started, pages } = await begin({ 'index.html': '' })
    const session = await client.shells.create({ type: 'TERMINAL', size })
    let shown = ''
    session.onData((data) => (shown += data))
    expect([shown, pages()]).toEqual(['\u001b[1;34m~\u001b[0m $ ', 0])
    await session.write('ls\r')
    await expect.poll(() => started.length).toBe(1)
    expect(started[0]!.start).toMatchObject({ argv: ['-i', '--prompted'], terminal: size, sources: null })
    await expect.poll(() => started[0]!.heard.at(-1)).toEqual({ type: 'stdin', data: 'ls\r' })
    started[0]!.say({ type: 'out', fd: 1, data: 'ls\na.txt\n' })
    await expect.poll(() => shown).toContain('ls\r\na.txt\r\n')
    await client.shells.terminate(session.shell.shellId)
    expect(client.shells.all.map(({ name }) => name)).toEqual(['Preview'])
  })

  it('BB838: a project without a page whose script starts Node runs it by itself, and shows its port', async () => {
    const { client, started } = await begin({
      'package.json': '{"scripts":{"dev":"node --watch server.js","test":"node test.js"}}',
    })
    await expect.poll(() => started.length).toBe(1)
    expect(started[0]!.start.argv).toEqual(['-c', 'npm run dev'])
    expect(client.tasks.all.map(({ id, runAtStart, shell }) => [id, runAtStart === true, shell?.status])).toEqual([
      ['dev', true, 'RUNNING'],
      ['test', false, undefined],
    ])
    expect(client.ports.all).toEqual([])
    started[0]!.say({ type: 'listen', id: 1, port: 3000 })
    await expect.poll(() => client.ports.all).toEqual([{ port: 3000, url: 'abc-3000.preview.test' }])
    await expect.poll(() => client.tasks.all[0]?.ports).toEqual([{ port: 3000, url: 'abc-3000.preview.test' }])
    await client.tasks.stop('dev')
    await expect.poll(() => [client.ports.all, client.tasks.all[0]?.shell?.status]).toEqual([[], 'KILLED'])
  })

  it('BB838: with a page the preview is that page, and other scripts are tasks that somebody runs', async () => {
    const { client, started } = await begin({
      'index.html': '',
      'package.json': '{"scripts":{"dev":"vite","build":"node build.js"}}',
    })
    expect(client.tasks.all.map(({ id }) => id)).toEqual(['browser:preview', 'build'])
    await client.tasks.run('build')
    await expect.poll(() => started.length).toBe(1)
    started[0]!.say({ type: 'exit', code: 1, signal: null })
    await expect
      .poll(() => client.tasks.all.find(({ id }) => id === 'build')?.shell)
      .toMatchObject({ status: 'ERROR', exitCode: 1 })
  })

  it('BB1039: a program that hears nothing ends with its task, its terminal, and where that begins anew', async () => {
    const { client, started, ended } = await begin({
      'index.html': '',
      'package.json': '{"scripts":{"spin":"node a.js"}}',
    })
    const pid = (index: number) => started[index]?.start.pid
    await client.tasks.run('spin')
    await expect.poll(() => started.length).toBe(1)
    await client.tasks.stop('spin')
    await expect.poll(() => ended).toEqual([pid(0)])
    const session = await client.shells.create({ type: 'TERMINAL', size })
    for (const turn of [1, 2]) {
      await session.write('node a.js\r')
      await expect.poll(() => started.length).toBe(turn + 1)
      if (turn === 1) await client.shells.restart(session.shell.shellId)
      else await client.shells.terminate(session.shell.shellId)
      await expect.poll(() => ended).toHaveLength(turn + 1)
    }
    expect(ended).toEqual([pid(0), pid(1), pid(2)])
  })

  it('BB833: what a program writes is stored in the project, and nowhere else', async () => {
    const { client, started, storage } = await begin({ 'index.html': '', 'a.txt': 'one' })
    await client.shells.create({ command: 'x', type: 'COMMAND', size })
    await expect.poll(() => started.length).toBe(1)
    const { say, heard } = started[0]!
    say({ type: 'write', change: { kind: 'write', path: '/nodebox/a.txt', content: 'two' } })
    say({ type: 'write', change: { kind: 'write', path: '/nodebox/b/../../etc/x', content: '' } })
    say({ type: 'write', change: { kind: 'write', path: '/etc/x', content: '' } })
    const answers = () => heard.flatMap((one) => (one.type === 'stored' ? [one.error] : []))
    await expect.poll(answers).toEqual([null, 'this is outside of the project', 'this is outside of the project'])
    expect([storage.codeOf('a.txt'), storage.codeOf('x')]).toEqual(['two', undefined])
  })
})
