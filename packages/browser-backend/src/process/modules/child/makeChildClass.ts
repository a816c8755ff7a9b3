import { Buffer } from 'buffer/index.js'
import EventEmitter from 'events/events.js'
import path from 'path-browserify'
import { systemError } from '../../nodeError.ts'
import { checkArray, checkObject, checkString, wrongValue } from '../check.ts'
import { diagnosticsChannel } from '../diagnosticsChannel.ts'
import { signalName } from '../signals.ts'
import { openChannel } from './ipcChannel.ts'
import { programOf } from './programs.ts'
import { inputPipe, outputPipe, stdioOf } from './stdio.ts'
import type { OpenChannel, Serialization } from './ipcChannel.ts'
import type { Programs } from './programs.ts'
import type { Stdio } from './stdio.ts'
import type { OpenFiles } from '../fs/openFiles.ts'
import type { Handles } from '../../handles.ts'
import type { ChildLink, ProgramLink } from '../../programLink.ts'
import type { SystemCode } from '../../nodeError.ts'
import type { Loose } from '../../loose.ts'

export interface ChildOptions {
  link: ProgramLink
  handles: Handles
  process: Loose
  /** What the program has open. */
  open: OpenFiles
  programs: Programs
}

/** Who a program of a sandbox is: it can't become somebody else. */
const USER = 1000
const MODES: readonly unknown[] = [undefined, 'json', 'advanced']

/** Node's `ChildProcess`, whose programs are those of the sandbox. */
export function makeChildClass({ link, handles, process, open, programs }: ChildOptions) {
  return class ChildProcess extends EventEmitter {
    pid: number | undefined
    exitCode: number | null = null
    signalCode: string | null = null
    killed = false
    connected = false
    spawnfile: string | null = null
    spawnargs: readonly string[] = []
    stdin: Loose = null
    stdout: Loose = null
    stderr: Loose = null
    stdio: readonly Loose[] = []
    channel: Loose
    #link: ChildLink | undefined
    #release: (() => void) | undefined
    #channel: OpenChannel | undefined
    /** What has to be over before everything is. */
    #open = 1
    /** What it has of the files of its parent, which may close them. */
    readonly #files = new Map<number, number>()
    /** What is done when it ends. */
    readonly #endings: (() => void)[] = []

    constructor() {
      super()
      const channel = diagnosticsChannel.channel('child_process')
      if (channel.hasSubscribers) channel.publish({ process: this })
    }

    /** As `spawn` of the module calls it: with everything checked and named. */
    spawn(options: Loose): void {
      checkObject('options', options)
      const stdio = stdioOf(options.stdio ?? 'pipe')
      const { serialization = 'json' } = options
      if (!MODES.includes(options.serialization))
        throw wrongValue(
          'options.serialization',
          options.serialization,
          "must be one of: undefined, 'json', 'advanced'",
        )
      const talks = stdio.some(({ type }) => type === 'ipc')
      if (options.envPairs !== undefined) checkArray('options.envPairs', options.envPairs)
      checkString('options.file', options.file)
      if (options.args !== undefined) checkArray('options.args', options.args)
      for (const id of [options.uid, options.gid])
        if (id !== undefined && id !== null && id !== USER) throw systemError('EPERM', 'spawn')
      this.spawnfile = options.file
      this.spawnargs = options.args ?? []
      const cwd = path.resolve(process.cwd() as string, (options.cwd as string | undefined) ?? '')
      const program = programs.isFolder(cwd)
        ? programOf(options.file, this.spawnargs.slice(1).map(String), cwd, programs)
        : undefined
      this.#keepFiles(stdio)
      this.#makeStreams(stdio)
      if (talks) this.#talk(serialization)
      this.#release = handles.hold()
      if (!program) {
        process.nextTick(() => this.#failed('ENOENT'))
        return
      }
      const inherits = stdio.slice(0, 3).every((one, index) => one.type === 'fd' && one.fd === index)
      this.pid = link.takePid()
      const hasPid = this.pid !== undefined
      if (hasPid) process.nextTick(() => this.emit('spawn'))
      this.#link = link.spawn(
        {
          ...program,
          ...(hasPid ? { pid: this.pid } : {}),
          env: { ...environmentOf(options.envPairs ?? []), ...(talks ? { [MODE]: serialization } : {}) },
          cwd,
          inherits,
          talks,
        },
        {
          onStarted: (pid) => {
            this.pid = pid
            if (!hasPid) this.emit('spawn')
          },
          onOut: (fd, data) => this.#take(stdio[fd]!, this.stdio[fd], data),
          onMessage: (value) => this.#channel?.take(value),
          onDisconnect: () => this.#channel?.close(),
          onExit: (code, signal) => this.#ended(code, signal),
        },
      )
      this.#giveInput(stdio[0]!, inherits)
    }

    kill(given: Loose = 'SIGTERM'): boolean {
      const signal = signalName(given)
      if (!this.#link || this.exitCode !== null || this.signalCode !== null) return false
      if (signal !== '0') this.#link.signal(signal)
      return (this.killed = true)
    }

    [Symbol.dispose ?? Symbol.for('nodejs.dispose')](): void {
      if (!this.killed) this.kill()
    }

    ref(): this {
      if (this.exitCode === null && this.signalCode === null) this.#release ??= handles.hold()
      return this
    }

    unref(): this {
      this.#release?.()
      this.#release = undefined
      return this
    }

    #keepFiles(stdio: readonly Stdio[]): void {
      for (const one of stdio)
        if (one.type === 'fd' && one.fd > 2 && !this.#files.has(one.fd)) this.#files.set(one.fd, open.duplicate(one.fd))
      this.#endings.push(() => {
        for (const file of this.#files.values()) open.close(file)
      })
    }

    #makeStreams(stdio: readonly Stdio[]): void {
      this.stdio = stdio.map(({ type }, index) => {
        if (type !== 'pipe') return null
        if (index === 0) return inputPipe((data) => this.#link?.write(data)) as unknown
        this.#open += 1
        const pipe = outputPipe(handles)
        pipe.once('close', () => this.#closeOne())
        return pipe as unknown
      })
      ;[this.stdin, this.stdout, this.stderr] = this.stdio
    }

    #talk(serialization: Serialization): void {
      this.#open += 1
      this.#channel = openChannel(this, {
        serialization,
        keeps: true,
        hold: () => handles.hold(),
        tell: (value) => this.#link?.tell(value),
        disconnect: () => this.#link?.disconnect(),
        onShut: () => this.#closeOne(),
        nextTick: process.nextTick,
      })
    }

    /** What comes out of it. */
    #take(stdio: Stdio, pipe: Loose, data: string | Uint8Array): void {
      if (pipe) {
        if (!pipe.destroyed) pipe.push(Buffer.from(data as string))
      } else if (stdio.type === 'stream') {
        if (!stdio.stream.destroyed && !stdio.stream.writableEnded) stdio.stream.write(Buffer.from(data as string))
      } else if (stdio.type === 'fd') {
        if (stdio.fd === 1 || stdio.fd === 2) (stdio.fd === 1 ? process.stdout : process.stderr).write(data)
        else open.write(this.#files.get(stdio.fd)!, Buffer.from(data as string), null)
      }
    }

    /** What goes into it, where that is no pipe of its own. */
    #giveInput(stdio: Stdio, inherits: boolean): void {
      const to = this.#link!
      if (stdio.type === 'fd' && stdio.fd === 0) {
        // What comes from now on goes by itself to who has all streams of its parent.
        if (inherits) giveUnread(process.stdin, to)
        else this.#giveStream(process.stdin, to)
        return
      }
      if (stdio.type === 'ignore' || stdio.type === 'ipc') to.write(null)
      if (stdio.type === 'fd' && stdio.fd !== 0) {
        to.write(new Uint8Array(open.read(this.#files.get(stdio.fd)!, Infinity, null)))
        to.write(null)
      }
      if (stdio.type === 'stream') this.#giveStream(stdio.stream, to)
    }

    #giveStream(stream: Loose, to: ChildLink): void {
      if (stream.readableEnded || stream.destroyed) {
        to.write(null)
        return
      }
      const give = (chunk: string | Uint8Array) => to.write(typeof chunk === 'string' ? chunk : new Uint8Array(chunk))
      const end = () => to.write(null)
      stream.on('data', give).on('end', end)
      this.#endings.push(() => {
        stream.off('data', give).off('end', end)
        // Whoever made it may read what comes now.
        if (!stream.readableEnded) stream.pause()
      })
    }

    #failed(code: SystemCode): void {
      const error = systemError(code, `spawn ${this.spawnfile!}`)
      this.exitCode = error.errno!
      this.#finish(() =>
        this.emit('error', Object.assign(error, { path: this.spawnfile, spawnargs: this.spawnargs.slice(1) })),
      )
    }

    #ended(code: number | null, signal: string | null): void {
      this.exitCode = signal === null ? code : null
      this.signalCode = signal
      this.#finish(() => this.emit('exit', this.exitCode, this.signalCode))
    }

    #finish(tell: () => void): void {
      this.#link = undefined
      for (const ending of this.#endings) ending()
      for (const pipe of [this.stdout, this.stderr]) if (pipe && !pipe.destroyed) pipe.push(null)
      this.stdin?.destroy()
      this.#channel?.close()
      tell()
      // What nobody has touched comes to its end too, after whoever wants to read it has had the time to say so.
      process.nextTick(() => {
        for (const pipe of [this.stdout, this.stderr]) if (pipe?.readable) pipe.resume()
      })
      this.#closeOne()
    }

    #closeOne(): void {
      this.#open -= 1
      if (this.#open > 0) return
      // Whoever waits for the end of a program goes on before there is nothing left to wait for.
      this.#release?.()
      this.#release = undefined
      this.emit('close', this.exitCode, this.signalCode)
    }
  }
}

/** What a program has been given and has not looked at is there for its child. */
function giveUnread(stdin: Loose, to: ChildLink): void {
  if (stdin.readableFlowing || stdin.listenerCount('readable') > 0) return
  for (let chunk = stdin.read(); chunk !== null; chunk = stdin.read()) to.write(new Uint8Array(chunk as Uint8Array))
  if (stdin._readableState.ended) to.write(null)
}

/** By this a program learns how messages are written. */
export const MODE = 'NODE_CHANNEL_SERIALIZATION_MODE'

export type ChildProcess = InstanceType<ReturnType<typeof makeChildClass>>

function environmentOf(pairs: readonly unknown[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const text = String(pair)
      const at = text.indexOf('=')
      return [text.slice(0, at), text.slice(at + 1)]
    }),
  )
}
