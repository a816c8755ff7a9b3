import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MethodName, Params, Result } from '@boxyard/protocol'
import { ProtocolError } from '@boxyard/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Connection } from '../area.ts'
import { readProcesses } from '../system/processTable.ts'
import { createShellArea } from './shellArea.ts'
import type { ShellArea } from './shellArea.ts'
import { OutputPace } from './OutputPace.ts'
import { Shells } from './Shells.ts'
import { FileShellStore } from './ShellStore.ts'
import { connectionsOf, RecordingConnection } from './testing.ts'
import { systemTimers } from './Timers.ts'

let folder: string
let area: ShellArea
let client: RecordingConnection
let connections: ReturnType<typeof connectionsOf>
const reported: unknown[] = []

function openArea(isCopy = false): Promise<ShellArea> {
  return createShellArea({
    configuration: {
      boxId: 'b1',
      previewHost: '{id}-{port}.preview.boxyard.localhost:4100',
      home: folder,
      programs: join(folder, 'no-programs'),
      egressSocket: undefined,
      workspace: folder,
      state: join(folder, 'state'),
      isAgain: false,
    },
    handed: null,
    isCopy,
    connections,
    timers: systemTimers,
    environment: { ...process.env, BOXYARD_PUBLIC_KEY: 'secret', HTTP_PROXY: 'http://127.0.0.1:16380' },
    username: 'boxyard',
    report: (error) => reported.push(error),
  })
}

async function call<M extends MethodName>(method: M, params: Params<M>, from: Connection = client): Promise<Result<M>> {
  const handler = area.handlers[method]
  if (!handler) throw new Error(`No handler for ${method}`)
  return handler(params, from, () => undefined)
}

async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (error instanceof ProtocolError) return error.codeName
    throw error
  }
}

/** Whether this process has a terminal open that a shell runs on. */
async function hasTerminal(): Promise<boolean> {
  const descriptors = await readdir('/proc/self/fd')
  const targets = descriptors.map((descriptor) => readlink(`/proc/self/fd/${descriptor}`).catch(() => ''))
  return (await Promise.all(targets)).includes('/dev/ptmx')
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shells-'))
  client = new RecordingConnection()
  connections = connectionsOf(client)
  reported.length = 0
  area = await openArea()
})
afterEach(async () => {
  await area.dispose()
  await rm(folder, { recursive: true, force: true })
  expect(reported).toEqual([])
})

describe('shells', () => {
  it('SH1: a command is run by bash, reports its output and its exit code', async () => {
    const shell = await call('shell/create', { command: 'git --version && [[ a == a ]] && exit 3' })
    expect(shell).toMatchObject({ shellType: 'COMMAND', status: 'RUNNING', buffer: [] })
    const exit = await client.next('shell/exit')
    expect(exit).toEqual({ shellId: shell.shellId, shellType: 'COMMAND', exitCode: 3 })
    expect(client.output(shell.shellId)).toMatch(/^git version .*\r\n$/)
    const { shells } = await call('shell/list', {})
    expect(shells).toMatchObject([{ shellId: shell.shellId, status: 'ERROR', exitCode: 3 }])
  })

  it('SH2: the type follows from the command when none is given, and a terminal may have a command', async () => {
    const command = await call('shell/create', { command: 'true' })
    const terminal = await call('shell/create', {})
    const both = await call('shell/create', { command: 'sleep 1000', type: 'TERMINAL' })
    expect([command.shellType, terminal.shellType, both.shellType]).toEqual(['COMMAND', 'TERMINAL', 'TERMINAL'])
    expect(terminal).toMatchObject({ ownerUsername: 'ada', isSystemShell: false })
    expect(await codeOf(call('shell/create', { type: 'COMMAND' }))).toBe('SHELL_NOT_ACCESSIBLE')
  })

  it('SH3: output and exit of a new shell follow after the answer, even when the command has ended', async () => {
    let answered = false
    const exit = client.next('shell/exit').then(() => answered)
    const out = client.next('shell/out').then(() => answered)
    const shell = await call('shell/create', { command: 'echo quick' })
    answered = true
    expect(shell.buffer).toEqual([])
    await call('shell/rename', { shellId: shell.shellId, name: '{"type":"command"}' })
    expect([await exit, await out]).toEqual([true, true])
  })

  it('SH4: a terminal leaves the list when it ends, a command stays', async () => {
    const terminal = await call('shell/create', { type: 'TERMINAL', command: 'exit 0' })
    const command = await call('shell/create', { command: 'exit 0' })
    await client.next('shell/exit', ({ shellId }) => shellId === terminal.shellId)
    await client.next('shell/exit', ({ shellId }) => shellId === command.shellId)
    const { shells } = await call('shell/list', {})
    expect(shells.map((shell) => shell.shellId)).toEqual([command.shellId])
    expect(await codeOf(call('shell/open', { shellId: terminal.shellId }))).toBe('SHELL_NOT_FOUND')
    expect(await codeOf(call('shell/in', { shellId: command.shellId, input: 'x' }))).toBe('SHELL_CLOSED')
  })

  it('SH5: nothing addressed to the dev server reaches a shell, and a terminal is described', async () => {
    const shell = await call('shell/create', { command: 'env' })
    await client.next('shell/exit')
    const lines = client.output(shell.shellId).split('\r\n')
    expect(lines.filter((line) => line.startsWith('BOXYARD_'))).toEqual([])
    expect(lines).toEqual(
      expect.arrayContaining([
        'TERM=xterm-256color',
        'COLORTERM=truecolor',
        `HOME=${folder}`,
        'USER=boxyard',
        'HTTP_PROXY=http://127.0.0.1:16380',
        'CSB_BASE_PREVIEW_HOST=preview.boxyard.localhost:4100',
        'CODESANDBOX_HOST=b1-$PORT.preview.boxyard.localhost:4100',
      ]),
    )
  })

  it('SH6: a terminal answers input, follows the last size and can be closed', async () => {
    const { shellId } = await call('shell/create', { size: { cols: 80, rows: 24 } })
    await call('shell/in', { shellId, input: 'stty size; echo "do"ne\r', size: { cols: 101, rows: 33 } })
    expect(await client.untilOutput(shellId, 'done')).toContain('33 101')
    await call('shell/resize', { shellId, size: { cols: 77, rows: 22 } })
    await call('shell/in', { shellId, input: 'stty size; echo "resi"zed\r' })
    expect(await client.untilOutput(shellId, 'resized')).toContain('22 77')
    await call('shell/close', { shellId })
    const frames = client.of('shell/out').length
    const other = new RecordingConnection({ clientId: 'c2' })
    connections.add(other)
    const opened = await call('shell/open', { shellId }, other)
    expect(opened.buffer.join('')).toContain('done')
    await call('shell/in', { shellId, input: 'echo after"wards"\r' }, other)
    await other.untilOutput(shellId, 'afterwards')
    expect(client.of('shell/out').length).toBe(frames)
  })

  it('SH7: the bytes of a full-screen program arrive as it wrote them', async () => {
    const { shellId } = await call('shell/create', { type: 'TERMINAL', command: 'vi -u NONE -i NONE -n' })
    await client.untilOutput(shellId, '\u001B[?1049h')
    await call('shell/in', { shellId, input: 'ihällo 🙂\u001B:q!\r' })
    const text = await client.untilOutput(shellId, '\u001B[?1049l')
    expect(text).not.toContain('\uFFFD')
    expect(await client.next('shell/exit')).toMatchObject({ exitCode: 0 })
  })

  it('SH8: a flood waits for a slow reader, and Ctrl-C ends it', async () => {
    const { shellId } = await call('shell/create', {})
    await call('shell/in', { shellId, input: 'yes\r' })
    await client.untilOutput(shellId, 'y\r\ny\r\n')
    client.bufferedBytes = 10_000_000
    const before = client.output(shellId).length
    await call('shell/in', { shellId, input: '\u0003' })
    client.drain()
    await client.untilOutput(shellId, '^C')
    expect(client.output(shellId).length - before).toBeLessThan(1_000_000)
    await call('shell/in', { shellId, input: 'echo inter"rupted"\r' })
    await client.untilOutput(shellId, 'interrupted')
  })

  it('SH9: the last output of a process is never lost, however much it wrote before it ended', async () => {
    for (let round = 0; round < 10; round++) {
      const { shellId } = await call('shell/create', { command: 'seq 1 6000' })
      await client.next('shell/exit', (exit) => exit.shellId === shellId)
      expect(client.output(shellId).split('\r\n').slice(-3)).toEqual(['5999', '6000', ''])
    }
  })

  it('SH9: nor when its reader is slow', async () => {
    const { shellId } = await call('shell/create', { command: 'seq 1 20000' })
    client.bufferedBytes = 10_000_000
    await client.next('shell/exit')
    expect(client.output(shellId).split('\r\n').length).toBe(20_001)
  })

  it('SH540: a program that closes its output before it ends is not hung up on', async () => {
    const closing = `sh -c 'exec <&- >&- 2>&-; for i in 1 2 3 4 5 6 7 8 9; do /bin/true; done; exit 7'`
    const { shellId } = await call('shell/create', { command: `test $# = 0 && ${closing}` })
    expect(await client.next('shell/exit', (exit) => exit.shellId === shellId)).toMatchObject({ exitCode: 7 })
  })

  it('SH750: a size is taken while the program runs on without its terminal, which it closed', async () => {
    const { shellId } = await call('shell/create', { command: `trap '' HUP; exec <&- >&- 2>&-; sleep 1000` })
    const size = (cols: number): Promise<null> => call('shell/resize', { shellId, size: { cols, rows: 40 } })
    await size(90)
    while (await hasTerminal()) await size(91)
    await size(92)
    const { shells } = await call('shell/list', {})
    expect(shells).toMatchObject([{ shellId, status: 'RUNNING' }])
  })

  it('SH21: a reader that stalls holds neither the process nor the others up, and catches up later', async () => {
    const stalled = new RecordingConnection({ clientId: 'c2' })
    connections.add(stalled)
    const { shellId } = await call('shell/create', { command: 'read go; seq 1 200000; echo the end' })
    await call('shell/open', { shellId }, stalled)
    stalled.bufferedBytes = 10_000_000
    await call('shell/in', { shellId, input: '\r' })
    await client.next('shell/exit')
    expect(client.output(shellId)).toMatch(/\r\n200000\r\nthe end\r\n$/)
    expect(stalled.output(shellId)).not.toContain('the end')
    stalled.drain()
    const shown = await stalled.untilOutput(shellId, 'the end')
    expect(shown.slice(shown.lastIndexOf('\u001Bc')).split('\r\n')).toHaveLength(10_001)
  })

  it('SH10: characters are never split between frames', async () => {
    const { shellId } = await call('shell/create', {
      command: `node -e 'process.stdout.write("🙂é漢".repeat(60000))'`,
    })
    await client.next('shell/exit')
    const frames = client.of('shell/out').map((frame) => frame.out)
    expect(frames.join('')).toBe('🙂é漢'.repeat(60_000))
    for (const frame of frames) expect(() => encodeURIComponent(frame)).not.toThrow()
    expect(await call('shell/open', { shellId })).toMatchObject({ status: 'FINISHED', exitCode: 0 })
  })

  it('SH11: terminate ends everything the shell started and names the author', async () => {
    const { shellId } = await call('shell/create', {
      command: 'trap "" TERM HUP; sleep 1000 & echo "pid $!."; wait; sleep 1000',
    })
    const pid = await client.until(() => /pid (\d+)\./.exec(client.output(shellId))?.[1])
    const ended = await call('shell/terminate', { shellId })
    expect(ended.status).toBe('KILLED')
    expect(await client.next('shell/terminate')).toEqual({ shellId, author: 'ada' })
    const left = (await readProcesses()).filter((entry) => entry.pid === Number(pid) && !entry.isZombie)
    expect(left).toEqual([])
    expect(await call('shell/list', {})).toEqual({ shells: [] })
    expect(client.of('shell/exit')).toEqual([])
  })

  it('SH501: a shell without a size has 128 columns and 40 rows', async () => {
    const { shellId } = await call('shell/create', { command: 'stty size' })
    await client.untilOutput(shellId, '40 128\r\n')
  })

  it('SH12: restart runs the same command under the same id without an exit', async () => {
    const { shellId } = await call('shell/create', { command: 'echo run; sleep 1000' })
    await client.untilOutput(shellId, 'run')
    await call('shell/restart', { shellId })
    await client.until(() => client.output(shellId) === 'run\r\nrun\r\n')
    expect(client.of('shell/restart')).toEqual([{ shellId }])
    expect(client.of('shell/exit')).toEqual([])
    expect((await call('shell/open', { shellId })).buffer).toEqual(['run\r\n'])
  })

  it('SH13: shells of an earlier run are listed with their output; terminals run again, commands do not', async () => {
    const terminal = await call('shell/create', {})
    await call('shell/in', { shellId: terminal.shellId, input: 'echo remem"ber me"\r' })
    await client.untilOutput(terminal.shellId, 'remember me')
    await call('shell/rename', { shellId: terminal.shellId, name: 'My terminal' })
    const command = await call('shell/create', { command: 'echo building; sleep 1000' })
    await client.untilOutput(command.shellId, 'building')
    const once = await call('shell/create', { type: 'TERMINAL', command: 'sleep 1000' })
    await call('shell/rename', { shellId: once.shellId, name: '{"type":"command","command":"sleep 1000"}' })
    await area.shells.flush()
    await area.dispose()

    area = await openArea()
    const { shells } = await call('shell/list', {})
    expect(shells).toMatchObject([
      { shellId: terminal.shellId, name: 'My terminal', status: 'RUNNING' },
      { shellId: command.shellId, status: 'KILLED' },
    ])
    const opened = await call('shell/open', { shellId: terminal.shellId })
    expect(opened.buffer.join('')).toMatch(/remember me[^]*The machine was restarted/)
    await call('shell/in', { shellId: terminal.shellId, input: 'echo fre"sh"\r' })
    await client.untilOutput(terminal.shellId, 'fresh')
    expect((await call('shell/open', { shellId: command.shellId })).buffer).toEqual(['building\r\n'])
  })

  it('SH20: a fork does not show what people did in the shells of the original', async () => {
    await call('shell/create', {})
    await call('shell/create', { command: 'echo secret' })
    const ofTask = await area.shells.create({ type: 'COMMAND', command: 'echo task' })
    await client.next('shell/exit', (exit) => exit.shellId === ofTask.id)
    await area.dispose()
    area = await openArea(true)
    expect((await call('shell/list', {})).shells).toMatchObject([{ shellId: ofTask.id, status: 'FINISHED' }])
    expect(await readdir(join(folder, 'state', 'shells'))).toEqual([`${ofTask.id}.json`, `${ofTask.id}.log`])
  })

  it('SH14: a client of the SDK hears its user’s shells again after a reconnect, and what it missed', async () => {
    const sdk = new RecordingConnection({ clientId: 's1', appId: 'sdk' })
    connections.add(sdk)
    const goesOn = await call('shell/create', { command: 'read line; echo "got $line"; exit 7' }, sdk)
    const ends = await call('shell/create', { type: 'TERMINAL', command: 'read line; echo "had $line"; exit 8' }, sdk)
    connections.remove(sdk)
    area.left?.(sdk)
    await call('shell/in', { shellId: ends.shellId, input: 'it\r' })
    await client.next('shell/exit')

    const again = new RecordingConnection({ clientId: 's2', appId: 'sdk' })
    const stranger = new RecordingConnection({ clientId: 's3', appId: 'sdk', username: 'bob', isSubscribed: false })
    connections.add(again)
    connections.add(stranger)
    area.joined?.(stranger)
    area.joined?.(again)
    expect(again.output(ends.shellId)).toMatch(/had it\r\n$/)
    expect(again.of('shell/exit')).toEqual([{ shellId: ends.shellId, shellType: 'TERMINAL', exitCode: 8 }])
    await call('shell/in', { shellId: goesOn.shellId, input: 'it\r' }, again)
    await again.untilOutput(goesOn.shellId, 'got it')
    expect(await again.next('shell/exit', (exit) => exit.shellId === goesOn.shellId)).toMatchObject({ exitCode: 7 })
    expect(stranger.recorded).toEqual([])
  })

  it('SH15: hostile parameters are refused', async () => {
    expect(await codeOf(call('shell/create', { cwd: '/nowhere/at/all' }))).toBe('SHELL_NOT_ACCESSIBLE')
    expect(await codeOf(call('shell/create', { command: 'a\0b' }))).toBe('SHELL_NOT_ACCESSIBLE')
    expect(await codeOf(call('shell/terminate', { shellId: '../../etc/passwd' }))).toBe('SHELL_NOT_FOUND')
    expect(await call('shell/list', {})).toEqual({ shells: [] })
    const { shellId } = await call('shell/create', { command: 'wc -c' })
    await call('shell/in', { shellId, input: `${'x'.repeat(99)}\r`.repeat(20_000) })
    await call('shell/in', { shellId, input: '\u0004' })
    await client.untilOutput(shellId, '2000000\r\n')
  })

  it('SH16: a shell is on disk before it is answered, and gone from disk when it is gone', async () => {
    const { shellId } = await call('shell/create', { command: 'sleep 1000' })
    const file = join(folder, 'state', 'shells', `${shellId}.json`)
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ shellId, status: 'RUNNING' })
    await call('shell/terminate', { shellId })
    await expect(readFile(file)).rejects.toThrow('ENOENT')
  })

  it('SH16: on a full disk a shell starts all the same', async () => {
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    class FullStore extends FileShellStore {
      override save(): Promise<void> {
        return Promise.reject(full)
      }
    }
    const complaints: unknown[] = []
    const report = (error: unknown): void => void complaints.push(error)
    const shells = await Shells.load({
      store: new FullStore(join(folder, 'full'), systemTimers, report),
      connections,
      timers: systemTimers,
      pace: new OutputPace(systemTimers),
      programs: { interactive: '/bin/bash', bash: '/bin/bash' },
      environment: {},
      workspace: folder,
      isFork: false,
      isAgain: false,
      handed: null,
      report,
    })
    const session = await shells.create({ command: 'sleep 1000' })
    expect(session.isRunning).toBe(true)
    await shells.dispose()
    expect(complaints).toEqual([full])
  })
})
