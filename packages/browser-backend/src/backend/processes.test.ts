import { describe, expect, it } from 'vitest'
import type { FileChange } from '../common/fromProcess.ts'
import type { FromProcess } from '../common/fromProcess.ts'
import { REFUSED } from '../common/httpLine.ts'
import type { ProcessStart, ToProcess, ToProcessesPage } from '../common/processMessages.ts'
import { Processes } from './processes.ts'

/** One program: what it is told, and what it says. */
interface Program {
  pid: number
  start: ProcessStart
  heard: ToProcess[]
  say(message: FromProcess | Record<string, unknown>): void
  /** Resolves when it has been told something of that type. */
  told<T extends ToProcess['type']>(type: T): Promise<Extract<ToProcess, { type: T }>>
}

function begin() {
  const programs: Program[] = []
  const ended: number[] = []
  const stored: FileChange[] = []
  const timers: (() => void)[] = []
  const gates = new Map<number, MessagePort>()
  let wake: (() => void)[] = []
  const changed = () => {
    for (const one of wake.splice(0)) one()
    wake = []
  }
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise<void>((resolve) => wake.push(resolve))
  }
  const page = new MessageChannel()
  page.port2.onmessage = ({ data }: MessageEvent<ToProcessesPage>) => {
    if (data.type === 'end') {
      ended.push(data.pid)
      return changed()
    }
    const { pid, port } = data
    const heard: ToProcess[] = []
    port.onmessage = ({ data: message }: MessageEvent<ToProcess>) => {
      heard.push(message)
      if (message.type === 'start') {
        programs.push({
          pid,
          start: message,
          heard,
          say: (said) => port.postMessage(said),
          told: async (type) => {
            await until(() => heard.some((one) => one.type === type))
            return heard.find((one) => one.type === type) as never
          },
        })
      }
      changed()
    }
    return undefined
  }
  let ports = 0
  const processes = new Processes({
    openPage: async () => page.port1,
    openGate: async (port) => {
      const gate = new MessageChannel()
      gates.set(port, gate.port2)
      return gate.port1
    },
    files: async () => ({ files: new Map([['/a.js', 'text']]), folders: ['/src'] }),
    apply: async (change) => {
      stored.push(change)
      if (change.kind === 'remove') throw new Error('this sandbox can only be read')
      return change.kind === 'write' ? new Map([[change.path.slice('/nodebox'.length), change.content]]) : new Map()
    },
    sources: async () => ({ address: '/sources', versions: { left: '1.0.0' } }),
    changeDependency: async (command) => `did ${command}`,
    isTaken: (port) => port === 8080,
    onPorts: () => {
      ports += 1
      changed()
    },
    timers: {
      setTimeout: ((work: () => void) => {
        timers.push(work)
        return work
      }) as never,
      clearTimeout: ((work: never) => {
        const at = timers.indexOf(work)
        if (at >= 0) timers.splice(at, 1)
      }) as never,
    },
  })
  const start = (program: 'node' | 'shell' = 'node') => {
    const out: unknown[] = []
    const exit: number[] = []
    const running = processes.start({
      program,
      argv: ['a.js'],
      cwd: '/nodebox',
      terminal: { cols: 80, rows: 24 },
      onOut: (data) => {
        out.push(data)
        changed()
      },
      onExit: (code) => {
        exit.push(code)
        changed()
      },
    })
    return { running, out, exit }
  }
  const nth = async (index: number) => {
    await until(() => programs.length > index)
    return programs[index]!
  }
  const close = () => {
    processes.endAll()
    page.port1.close()
    page.port2.close()
    for (const gate of gates.values()) gate.close()
  }
  return { processes, start, nth, until, ended, stored, timers, gates, close, portsTold: () => ports }
}

describe('the processes of a sandbox', () => {
  it('BB831: begin with files and packages; output and status reach who started them, after what they wrote is stored', async () => {
    const { start, nth, until, stored, ended, close } = begin()
    const { running, out, exit } = start()
    const program = await nth(0)
    expect(program.start).toMatchObject({ argv: ['a.js'], cwd: '/nodebox', folders: ['/src'], sources: '/sources' })
    expect([program.start.files.get('/a.js'), program.start.env['TERM']]).toEqual(['text', 'xterm-256color'])
    program.say({ type: 'out', fd: 1, data: 'hello\n' })
    program.say({ type: 'write', change: { kind: 'write', path: '/nodebox/b', content: 'x' } })
    program.say({ type: 'exit', code: 3, signal: null })
    await until(() => exit.length > 0 && ended.length > 0)
    expect([out, exit, stored.length, ended]).toEqual([['hello\n'], [3], 1, [running.pid]])
    close()
  })

  it('BB831: tells what could not be stored', async () => {
    const { start, nth, close } = begin()
    start()
    const program = await nth(0)
    program.say({ type: 'write', change: { kind: 'remove', path: '/nodebox/a.js' } })
    expect(await program.told('stored')).toMatchObject({
      paths: ['/nodebox/a.js'],
      error: 'this sandbox can only be read',
    })
    close()
  })

  it('BB832: end when they do not hear a signal, and go on when they take it', async () => {
    const { start, nth, until, timers, close } = begin()
    const first = start()
    const hears = await nth(0)
    first.running.signal('SIGINT')
    await hears.told('signal')
    hears.say({ type: 'took' })
    hears.say({ type: 'out', fd: 1, data: 'still here' })
    await until(() => first.out.length > 0)
    expect([timers.length, first.exit]).toEqual([0, []])
    first.running.signal('SIGINT')
    expect(timers).toHaveLength(1)
    timers[0]!()
    expect(first.exit).toEqual([130])
    close()
  })

  it('BB832: take their children with them, and hand them what is typed', async () => {
    const { start, nth, until, ended, close } = begin()
    const shell = start('shell')
    const parent = await nth(0)
    parent.say({
      type: 'spawn',
      child: 7,
      program: 'node',
      argv: ['b.js'],
      env: {},
      cwd: '/nodebox',
      inherits: true,
      talks: true,
    })
    const child = await nth(1)
    expect(child.start).toMatchObject({ ppid: parent.pid, terminal: { cols: 80, rows: 24 }, talks: true })
    child.say({ type: 'out', fd: 1, data: 'from the child' })
    await until(() => shell.out.length > 0)
    parent.say({ type: 'child-stdin', child: 7, data: 'typed' })
    expect(await child.told('stdin')).toMatchObject({ data: 'typed' })
    child.say({ type: 'message', value: { a: 1 } })
    expect(await parent.told('child-message')).toMatchObject({ child: 7, value: { a: 1 } })
    shell.running.end()
    await until(() => ended.length === 2)
    expect(shell.exit).toEqual([137])
    close()
  })

  it('BB1158: have numbers for their children from the beginning, and take no other ones', async () => {
    const { start, nth, until, close } = begin()
    start()
    const parent = await nth(0)
    const { pids } = parent.start
    expect(new Set(pids).size).toBe(16)
    const request = { program: 'node', argv: ['b.js'], env: {}, cwd: '/nodebox', inherits: false, talks: true }
    const started = () => parent.heard.filter((one) => one.type === 'child-started')
    parent.say({ type: 'spawn', child: 1, pid: pids[3], ...request })
    parent.say({ type: 'spawn', child: 2, pid: pids[3], ...request })
    parent.say({ type: 'spawn', child: 3, pid: parent.pid, ...request })
    await until(() => started().length === 3)
    const [first, ...others] = started()
    expect(first).toMatchObject({ child: 1, pid: pids[3] })
    expect([...pids, parent.pid]).not.toContain(first!.spare)
    for (const { pid, spare } of others) {
      expect([...pids, parent.pid, first!.spare]).not.toContain(pid)
      expect(spare).toBeNull()
    }
    const child = await nth(1)
    expect(child.pid).toBe(pids[3])
    child.say({ type: 'disconnect' })
    expect(await parent.told('child-disconnect')).toMatchObject({ child: 1 })
    parent.say({ type: 'child-disconnect', child: 1 })
    await child.told('disconnect')
    close()
  })

  it('BB1039: are known to each other, and any of them ends another one by its number, also one that hears nothing', async () => {
    const { start, nth, until, ended, timers, close } = begin()
    start('shell')
    const parent = await nth(0)
    const request = { program: 'node', argv: ['b.js'], env: {}, cwd: '/nodebox', inherits: false, talks: false }
    parent.say({ type: 'spawn', child: 1, ...request })
    const child = await nth(1)
    child.say({ type: 'listen', id: 1, port: 3000 })
    await child.told('answer')
    start('shell')
    const other = await nth(2)
    const answers = () => other.heard.flatMap((one) => (one.type === 'answer' ? [one] : []))
    const asks = async (question: Record<string, unknown>) => {
      const before = answers().length
      other.say({ id: before, ...question })
      await until(() => answers().length > before)
      return answers().at(-1)!
    }
    const { value } = await asks({ type: 'processes' })
    expect(value).toMatchObject([
      { pid: parent.pid, ppid: 1, ports: [] },
      { pid: child.pid, ppid: parent.pid, command: 'node b.js', ports: [3000] },
      { pid: other.pid, ppid: 1, ports: [] },
    ])
    expect(await asks({ type: 'signal', pid: child.pid, signal: 'SIGTERM' })).toMatchObject({ error: null })
    timers.at(-1)!()
    await until(() => ended.includes(child.pid))
    expect(await parent.told('child-exit')).toMatchObject({ child: 1, code: null, signal: 'SIGTERM' })
    expect(await asks({ type: 'signal', pid: child.pid, signal: 'SIGKILL' })).toMatchObject({
      error: { code: 'ESRCH' },
    })
    await asks({ type: 'signal', pid: parent.pid, signal: 'SIGKILL' })
    await until(() => ended.includes(parent.pid))
    close()
  })

  it('BB833: are not listened to when what they say is no message of a process', async () => {
    const { start, nth, until, stored, close } = begin()
    const { out } = start()
    const program = await nth(0)
    for (const said of [
      null,
      1,
      { type: 'begin' },
      { type: 'write', change: { kind: 'chmod', path: '/x' } },
      { type: 'out', fd: 9, data: '' },
    ])
      program.say(said as never)
    program.say({ type: 'out', fd: 1, data: 'heard' })
    await until(() => out.length > 0)
    expect([out, stored]).toEqual([['heard'], []])
    close()
  })

  it('BB834: show a port when previews reach it, one owner each, and tell its gate when it closes', async () => {
    const { processes, start, nth, until, gates, portsTold, close } = begin()
    start()
    const program = await nth(0)
    program.say({ type: 'listen', id: 1, port: 3000 })
    await until(() => portsTold() > 0)
    expect(processes.ports.open).toEqual([3000])
    start()
    const second = await nth(1)
    second.say({ type: 'listen', id: 2, port: 3000 })
    expect(await second.told('answer')).toMatchObject({ error: { code: 'EADDRINUSE' } })
    const reset = new Promise((resolve) => (gates.get(3000)!.onmessage = ({ data }) => resolve(data)))
    program.say({ type: 'unlisten', port: 3000 })
    expect(await reset).toEqual({ type: 'reset' })
    expect(processes.ports.open).toEqual([])
    close()
  })

  it('BB834: keep who asks waiting for a server that is started again, and refuse when it does not come', async () => {
    const { processes, start, nth, until, gates, timers, portsTold, close } = begin()
    start()
    const program = await nth(0)
    program.say({ type: 'listen', id: 1, port: 3000 })
    await until(() => portsTold() > 0)
    program.say({ type: 'unlisten', port: 3000 })
    await until(() => processes.ports.open.length === 0)
    const [one, other] = [new MessageChannel(), new MessageChannel()]
    gates.get(3000)!.postMessage({ type: 'line', line: one.port1 }, [one.port1])
    await expect.poll(() => timers.length).toBe(1)
    program.say({ type: 'listen', id: 2, port: 3000 })
    expect(await program.told('line')).toMatchObject({ port: 3000 })
    program.say({ type: 'unlisten', port: 3000 })
    await until(() => processes.ports.open.length === 0)
    gates.get(3000)!.postMessage({ type: 'line', line: other.port1 }, [other.port1])
    await expect.poll(() => timers.length).toBe(2)
    const refused = new Promise((resolve) => (other.port2.onmessage = ({ data }) => resolve(data)))
    timers[1]!()
    expect(await refused).toBe(REFUSED)
    for (const port of [one.port2, other.port2]) port.close()
    close()
  })
})
