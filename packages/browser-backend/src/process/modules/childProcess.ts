import { Buffer } from 'buffer/index.js'
import EventEmitter from 'events/events.js'
import { codedError, notInBrowser } from '../nodeError.ts'
import type { Handles } from '../handles.ts'
import type { ChildLink, ProgramLink } from '../programLink.ts'
import type { SpawnRequest } from '../../common/processMessages.ts'
import { quoted } from '../../shell/quoted.ts'
import { Readable, Writable } from './stream.ts'
import type { Loose } from '../loose.ts'

export interface ChildProcessOptions {
  link: ProgramLink
  handles: Handles
  process: Loose
}

/** As much as Node keeps of the output of a program for who asked for all of it. */
const MOST_KEPT = 1024 * 1024

const isNode = (command: string): boolean => /^(?:.*\/)?node$/.test(command)
const isShell = (command: string): boolean => /^(?:.*\/)?(?:sh|bash|zsh)$/.test(command)

/** Node's `child_process`: programs of the sandbox's own kind, which are Node and what the shell knows. */
export function makeChildProcess({ link, handles, process }: ChildProcessOptions): Loose {
  class ChildProcess extends EventEmitter {
    pid: number | undefined
    exitCode: number | null = null
    signalCode: string | null = null
    killed = false
    connected: boolean
    readonly spawnfile: string
    readonly spawnargs: readonly Loose[]
    readonly stdin: Loose
    readonly stdout: Loose
    readonly stderr: Loose
    readonly stdio: readonly Loose[]
    readonly channel: object | null
    readonly #link: ChildLink
    #release: (() => void) | undefined

    constructor(command: string, args: readonly Loose[], request: SpawnRequest, stdio: readonly string[]) {
      super()
      this.spawnfile = command
      this.spawnargs = [command, ...args]
      this.connected = request.talks
      this.channel = request.talks ? { ref: () => undefined, unref: () => undefined } : null
      const output = (kind: string | undefined) => (kind === 'pipe' ? new Readable({ read: () => undefined }) : null)
      this.stdout = output(stdio[1])
      this.stderr = output(stdio[2])
      this.#release = handles.hold()
      const given = { 1: this.stdout, 2: this.stderr }
      const standard = { 1: process.stdout, 2: process.stderr }
      this.#link = link.spawn(request, {
        onStarted: (pid) => {
          this.pid = pid
          this.emit('spawn')
        },
        onOut: (fd, data) => {
          if (given[fd]) given[fd].push(Buffer.from(data as string))
          else if (stdio[fd] === 'inherit') standard[fd].write(data)
        },
        onMessage: (value) => this.emit('message', value, undefined),
        onExit: (code, signal) => {
          this.exitCode = code
          this.signalCode = signal
          this.connected = false
          this.stdout?.push(null)
          this.stderr?.push(null)
          if (request.talks) this.emit('disconnect')
          this.emit('exit', code, signal)
          const open = [this.stdout, this.stderr].filter(
            (stream) => stream && !stream.destroyed && stream.readableFlowing,
          )
          Promise.all(open.map((stream) => new Promise((resolve) => stream.once('close', resolve)))).then(
            () => {
              // Whoever waits for the end of a program goes on before there is nothing left to wait for.
              this.#release?.()
              this.emit('close', code, signal)
            },
            () => undefined,
          )
        },
      })
      this.stdin =
        stdio[0] === 'pipe'
          ? new Writable({
              write: (chunk: Uint8Array, _encoding: string, done: () => void) => {
                this.#link.write(new Uint8Array(chunk))
                done()
              },
              final: (done: () => void) => {
                this.#link.write(null)
                done()
              },
            })
          : null
      if (stdio[0] === 'ignore') this.#link.write(null)
      this.stdio = [this.stdin, this.stdout, this.stderr]
    }

    kill(signal: Loose = 'SIGTERM'): boolean {
      if (this.exitCode !== null || this.signalCode !== null) return false
      this.killed = true
      this.#link.signal(signalName(signal))
      return true
    }

    send(value: unknown, ...given: Loose[]): boolean {
      this.#link.tell(value)
      const done = given.findLast((one) => typeof one === 'function')
      if (done) process.nextTick(done, null)
      return true
    }

    disconnect(): void {
      this.connected = false
    }

    ref(): this {
      if (this.exitCode === null) this.#release ??= handles.hold()
      return this
    }

    unref(): this {
      this.#release?.()
      this.#release = undefined
      return this
    }
  }

  const spawn = (command: string, second?: Loose, third?: Loose): ChildProcess => {
    const given: readonly Loose[] = Array.isArray(second) ? second : []
    const args = given.map(String)
    const options: Loose = (Array.isArray(second) ? third : (second ?? third)) ?? {}
    const stdio = stdioOf(options)
    const common = {
      env: environment(options.env ?? process.env),
      cwd:
        options.cwd === undefined
          ? process.cwd()
          : String(options.cwd instanceof URL ? options.cwd.pathname : options.cwd),
      inherits: stdio.slice(0, 3).every((one) => one === 'inherit'),
      talks: stdio.includes('ipc'),
    }
    const request: SpawnRequest = options.shell
      ? { ...common, program: 'shell', argv: ['-c', [command, ...args].join(' ')] }
      : isNode(command)
        ? { ...common, program: 'node', argv: args }
        : isShell(command)
          ? { ...common, program: 'shell', argv: args }
          : { ...common, program: 'shell', argv: ['-c', [command, ...args].map(quoted).join(' ')] }
    const child = new ChildProcess(command, given, request, stdio)
    options.signal?.addEventListener('abort', () => child.kill(options.killSignal))
    if (options.timeout) setTimeout(() => child.kill(options.killSignal), options.timeout).unref()
    return child
  }

  const collect = (child: ChildProcess, command: string, options: Loose, done: Loose): ChildProcess => {
    const kept: { stdout: Uint8Array[]; stderr: Uint8Array[] } = { stdout: [], stderr: [] }
    const most = (options.maxBuffer as number | undefined) ?? MOST_KEPT
    let tooMuch: Error | undefined
    for (const name of ['stdout', 'stderr'] as const) {
      let length = 0
      child[name].on('data', (given: Uint8Array | string) => {
        // The program may have asked for texts too.
        const chunk: Uint8Array = typeof given === 'string' ? Buffer.from(given, child[name].readableEncoding) : given
        if (length + chunk.length > most && !tooMuch) {
          tooMuch = codedError('ERR_CHILD_PROCESS_STDIO_MAXBUFFER', `${name} maxBuffer length exceeded`, RangeError)
          child.kill(options.killSignal)
        }
        kept[name].push(chunk.subarray(0, most - length))
        length = Math.min(most, length + chunk.length)
      })
    }
    child.on('close', (code: number | null, signal: string | null) => {
      const [stdout, stderr] = [kept.stdout, kept.stderr].map((parts) => {
        const all = Buffer.concat(parts)
        return options.encoding === 'buffer' ? all : all.toString(options.encoding ?? 'utf8')
      })
      if (tooMuch) return done?.(Object.assign(tooMuch, { cmd: command, stdout, stderr }), stdout, stderr)
      if (code === 0) return done?.(null, stdout, stderr)
      const error = Object.assign(new Error(`Command failed: ${command}\n${String(stderr)}`), {
        code,
        signal,
        killed: child.killed,
        cmd: command,
        stdout,
        stderr,
      })
      return done?.(error, stdout, stderr)
    })
    return child
  }
  const exec = (command: string, second?: Loose, third?: Loose) => {
    const options = typeof second === 'function' ? {} : (second ?? {})
    const done = typeof second === 'function' ? second : third
    return collect(spawn(command, [], { ...options, shell: true }), command, options, done)
  }
  const execFile = (file: string, ...given: Loose[]) => {
    const done = given.findLast((one) => typeof one === 'function')
    const args = Array.isArray(given[0]) ? given[0] : []
    const options = given.find((one) => typeof one === 'object' && one !== null && !Array.isArray(one)) ?? {}
    return collect(spawn(file, args, options), [file, ...args].join(' '), options, done)
  }
  const promised =
    (work: (...given: Loose[]) => ChildProcess) =>
    (...given: Loose[]) =>
      new Promise((resolve, reject) => {
        work(...given, (error: Error | null, stdout: unknown, stderr: unknown) =>
          error ? reject(error) : resolve({ stdout, stderr }),
        )
      })
  const custom = Symbol.for('nodejs.util.promisify.custom')
  Object.assign(exec, { [custom]: promised(exec) })
  Object.assign(execFile, { [custom]: promised(execFile) })

  const fork = (module: Loose, second?: Loose, third?: Loose) => {
    const args = Array.isArray(second) ? second : []
    const options = (Array.isArray(second) ? third : second) ?? {}
    const standard = options.silent ? 'pipe' : 'inherit'
    const path = module instanceof URL ? module.pathname : String(module)
    const stdio = options.stdio ?? [standard, standard, standard, 'ipc']
    return spawn('node', [...(options.execArgv ?? []), path, ...args], { ...options, stdio })
  }
  const noSync = (name: string) => () => {
    throw notInBrowser(`${name}, which waits for another program,`)
  }
  return {
    ChildProcess,
    spawn,
    exec,
    execFile,
    fork,
    spawnSync: noSync('spawnSync'),
    execSync: noSync('execSync'),
    execFileSync: noSync('execFileSync'),
  }
}

function stdioOf({ stdio = 'pipe' }: Loose): string[] {
  const given: Loose[] = Array.isArray(stdio) ? stdio : [stdio, stdio, stdio]
  return [0, 1, 2, ...given.keys()].slice(0, Math.max(3, given.length)).map((_, index) => {
    const one = given[index]
    if (one === undefined || one === null) return index < 3 ? 'pipe' : 'ignore'
    if (one === index || (typeof one === 'object' && one?.fd === index)) return 'inherit'
    if (typeof one === 'string') return one === 'overlapped' ? 'pipe' : one
    throw codedError('ERR_INVALID_ARG_VALUE', 'Only pipe, inherit, ignore and ipc are known in browser mode', TypeError)
  })
}

const environment = (env: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )

const SIGNALS: Readonly<Record<number, string>> = { 1: 'SIGHUP', 2: 'SIGINT', 9: 'SIGKILL', 15: 'SIGTERM' }
export const signalName = (signal: string | number): string =>
  typeof signal === 'number' ? (SIGNALS[signal] ?? 'SIGTERM') : signal
