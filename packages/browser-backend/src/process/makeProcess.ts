import { Buffer } from 'buffer/index.js'
import EventEmitter from 'events/events.js'
import path from 'path-browserify'
import type { ProcessStart } from '../common/processMessages.ts'
import { HARMLESS } from '../common/signals.ts'
import { wrongType } from './modules/check.ts'
import { openChannel } from './modules/child/ipcChannel.ts'
import { MODE } from './modules/child/makeChildClass.ts'
import { signalName } from './modules/signals.ts'
import { Readable, Writable } from './modules/stream.ts'
import { hostProcess } from './earlyGlobals.ts'
import type { Handles } from './handles.ts'
import type { ProcessFiles } from './processFiles.ts'
import type { ProgramLink } from './programLink.ts'
import { codedError, nodeError, notInBrowser, systemError } from './nodeError.ts'
import type { Loose } from './loose.ts'

/** Ends what runs when a program calls `process.exit`, which never comes back. */
export class Exited extends Error {
  constructor() {
    super('The process has ended')
    this.name = 'Exited'
  }
}

export interface MakeProcessOptions {
  start: ProcessStart
  link: ProgramLink
  handles: Handles
  files: ProcessFiles
}

/** Gives the object `process` what it has once the process begins. */
export function makeProcess({ start, link, handles, files }: MakeProcessOptions): Loose {
  const process = hostProcess
  const begin = performance.now()
  let cwd = start.cwd
  let isOver = false

  Object.setPrototypeOf(process, Object.create(EventEmitter.prototype as object))
  ;(EventEmitter as Loose).call(process)

  const output = (fd: 1 | 2): Loose => {
    const stream: Loose = new Writable({
      decodeStrings: false,
      write(chunk: string | Uint8Array, encoding: string, done: () => void) {
        const isPlain = typeof chunk === 'string' && (encoding === 'utf8' || encoding === 'utf-8')
        if (!isOver)
          link.send({
            type: 'out',
            fd,
            data: isPlain ? chunk : new Uint8Array(Buffer.from(chunk as string, encoding as BufferEncoding)),
          })
        done()
      },
      // It stays open as long as the process.
      destroy: () => undefined,
    })
    Object.assign(stream, { fd, _type: start.terminal ? 'tty' : 'pipe', isTTY: start.terminal ? true : undefined })
    if (start.terminal) {
      const { cols, rows } = start.terminal
      Object.assign(stream, {
        columns: cols,
        rows,
        getWindowSize: () => [stream.columns, stream.rows],
        getColorDepth: () => 8,
        hasColors: () => true,
      })
      Object.assign(stream, {
        clearLine: (_way: number, done?: () => void) => stream.write('\u001b[2K', done),
        cursorTo: (x: number) => stream.write(`\u001b[${x + 1}G`),
      })
    }
    return stream
  }
  const stdin: Loose = new Readable({ read: () => undefined })
  let releaseStdin: (() => void) | undefined
  const holdStdin = () => (releaseStdin ??= handles.hold())
  const letStdin = () => {
    releaseStdin?.()
    releaseStdin = undefined
  }
  // Whoever reads waits for what is typed.
  stdin.on('resume', holdStdin)
  stdin.on('newListener', (name: string) => name === 'readable' && holdStdin())
  stdin.on('pause', letStdin)
  stdin.on('end', letStdin)
  stdin.on('close', letStdin)
  Object.assign(stdin, {
    fd: 0,
    isTTY: start.terminal ? true : undefined,
    setRawMode: () => stdin,
    ref: () => stdin,
    unref: () => stdin,
  })

  process.openStdin = () => {
    stdin.resume()
    return stdin
  }

  const exit = (code?: number) => {
    if (code !== undefined) process.exitCode = code
    if (isOver) throw new Exited()
    const asked = Number(process.exitCode ?? 0)
    process.emit('exit', asked)
    const last = Number(process.exitCode ?? asked)
    isOver = true
    link.send({ type: 'exit', code: last & 0xff, signal: null })
    throw new Exited()
  }

  const hrtime = (before?: [number, number]): [number, number] => {
    const now = performance.now()
    const [seconds, nanos] = [Math.floor(now / 1000), Math.floor((now % 1000) * 1e6)]
    if (!before) return [seconds, nanos]
    const difference = (seconds - before[0]) * 1e9 + nanos - before[1]
    return [Math.floor(difference / 1e9), difference % 1e9]
  }
  hrtime.bigint = () => BigInt(Math.floor(performance.now() * 1e6))
  const memoryUsage = () => ({ rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 })
  memoryUsage.rss = () => 0

  Object.assign(process, {
    title: 'node',
    arch: 'x64',
    pid: start.pid,
    ppid: start.ppid,
    argv: ['/usr/bin/node', ...start.argv],
    argv0: 'node',
    execArgv: [],
    execPath: '/usr/bin/node',
    env: { ...start.env },
    exitCode: undefined,
    release: { name: 'node', lts: false },
    versions: { node: '22.0.0', v8: '12.0.0', uv: '1.0.0', modules: '127' },
    version: 'v22.0.0',
    config: { variables: {}, target_defaults: {} },
    features: { inspector: false, typescript: 'strip' },
    report: {},
    stdout: output(1),
    stderr: output(2),
    stdin,
    cwd: () => cwd,
    chdir(given: string) {
      const wanted = path.resolve(cwd, given)
      files.folder('chdir', wanted)
      cwd = wanted
    },
    exit,
    reallyExit: exit,
    abort: () => exit(134),
    kill(pid: unknown, given: string | number = 'SIGTERM') {
      if (Number(pid) !== (Number(pid) | 0)) throw wrongType('pid', 'of type number', pid)
      const [whom, signal] = [Number(pid), signalName(given)]
      if (whom === process.pid) {
        if (signal !== '0') process.takeSignal(signal)
        return true
      }
      if (link.isOver(whom)) throw systemError('ESRCH', 'kill')
      // Only the back end knows all the others.
      link.ask({ type: 'signal', pid: whom, signal }).catch(() => undefined)
      return true
    },
    /** By whoever sends signals: a listener takes it, else the process ends. */
    takeSignal(signal: string) {
      if (process.emit(signal, signal) || HARMLESS.has(signal)) return
      isOver = true
      link.send({ type: 'exit', code: 1, signal })
    },
    umask: () => 0o022,
    uptime: () => (performance.now() - begin) / 1000,
    hrtime,
    memoryUsage,
    cpuUsage: () => ({ user: Math.floor((performance.now() - begin) * 1000), system: 0 }),
    resourceUsage: () => ({}),
    constrainedMemory: () => 0,
    availableMemory: () => 2 ** 31,
    getuid: () => 1000,
    geteuid: () => 1000,
    getgid: () => 1000,
    getegid: () => 1000,
    getgroups: () => [1000],
    emitWarning(warning: Loose, ...given: Loose[]) {
      const type = typeof given[0] === 'string' ? given[0] : (given[0]?.type ?? 'Warning')
      const made = warning instanceof Error ? warning : Object.assign(new Error(String(warning)), { name: type })
      const code = typeof given[0] === 'string' ? given[1] : given[0]?.code
      if (typeof code === 'string') Object.assign(made, { code })
      if (
        made.name === 'DeprecationWarning' &&
        (process.noDeprecation || process.execArgv.includes('--no-deprecation'))
      )
        return
      process.nextTick(() => {
        if (made.name === 'DeprecationWarning' && process.throwDeprecation) throw made
        const shown = typeof code === 'string' ? `[${code}] ${made.name}` : made.name
        if (!process.execArgv.includes('--no-warnings'))
          process.stderr.write(`(node:${start.pid}) ${shown}: ${made.message}\n`)
        process.emit('warning', made)
      })
    },
    binding: () => {
      throw notInBrowser('process.binding')
    },
    dlopen: () => {
      throw notInBrowser('A native add-on')
    },
    getActiveResourcesInfo: () => [],
    setUncaughtExceptionCaptureCallback: () => undefined,
    hasUncaughtExceptionCaptureCallback: () => false,
    setSourceMapsEnabled: () => undefined,
    allowedNodeEnvironmentFlags: new Set(),
    assert: (isTrue: unknown, words: string) => {
      if (!isTrue) throw codedError('ERR_ASSERTION', words)
    },
    connected: false,
  })
  const serialization = start.env[MODE] === 'advanced' ? 'advanced' : 'json'
  Reflect.deleteProperty(process.env as object, MODE)
  const channel = start.talks
    ? openChannel(process, {
        serialization,
        keeps: false,
        hold: () => handles.hold(),
        tell: (value) => link.send({ type: 'message', value }),
        disconnect: () => link.send({ type: 'disconnect' }),
        onShut: () => undefined,
        nextTick: process.nextTick,
      })
    : undefined

  link.onMessage = (message) => {
    switch (message.type) {
      case 'files':
        return files.adopt(message.changes)
      case 'stored':
        files.stored(message.paths)
        if (message.error !== null)
          process.stderr.write(`${message.paths.join(', ')} could not be stored: ${message.error}\n`)
        return undefined
      case 'stdin':
        // It was on its way when the child began.
        if (link.front && !stdin.readableFlowing) return link.front.write(message.data)
        return void stdin.push(message.data === null ? null : Buffer.from(message.data as string))
      case 'signal':
        link.send({ type: 'took' })
        return void process.takeSignal(message.signal)
      case 'resize':
        Object.assign(process.stdout, { columns: message.size.cols, rows: message.size.rows })
        process.stdout.emit('resize')
        return void process.emit('SIGWINCH', 'SIGWINCH')
      case 'message':
        return channel?.take(message.value)
      case 'disconnect':
        return channel?.close()
      case 'line':
        return process.emit('boxyard:line', message.port, message.line)
    }
  }
  return process
}

/** For a program that is not there. */
export const noProgram = (path: string) =>
  Object.assign(nodeError('ENOENT', 'open', path), {
    message: `Cannot find module '${path}'`,
    code: 'MODULE_NOT_FOUND',
  })
