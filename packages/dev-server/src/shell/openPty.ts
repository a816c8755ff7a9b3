import type { Socket } from 'node:net'
import { StringDecoder } from 'node:string_decoder'
import type { ShellSize } from '@boxyard/protocol'
import type { IPty } from '@lydell/node-pty'
import { spawn } from '@lydell/node-pty'
import { drain } from './drain.ts'
import { partialOf } from './partialOf.ts'
import { PtyInput } from './PtyInput.ts'
import { readRest } from './readRest.ts'
import type { Timers } from './Timers.ts'

export interface PtyOptions {
  program: string
  /** Passed as they are; no shell takes them apart. */
  arguments: string[]
  cwd: string
  size: ShellSize
  environment: Readonly<Record<string, string>>
  timers: Timers
  onData(text: string): void
  /** After the last onData. A signal counts as 128 + its number. */
  onExit(exitCode: number): void
}

/** What of a pty is handed over to another dev server. */
export interface HandedPty {
  /** Null where the terminal is closed. */
  descriptor: number | null
  /** The beginning of a character of which the rest has not come, as base64. */
  partial: string
  /** What was typed and waits for the program to read it, as base64. */
  input: string
  /** Known where its program ended after `keep`. */
  exitCode?: number
}

/** A process on a terminal of its own, the leader of a session. */
export interface Pty {
  readonly pid: number
  write(input: string): void
  resize(size: ShellSize): void
  pause(): void
  resume(): void
  /** From now on nothing is read, and the terminal stays open whatever happens to its program. */
  keep(): void
  /**
   * After keep(): what was read already goes to `onData`, and where the rest can be read is answered. To be called in the same turn in
   * which this process ends: in the next one it would read again.
   */
  handOver(): HandedPty
}

/** What the library keeps to itself. Its version is pinned; the tests of rules SH9 and SH860 watch it. */
interface PtyInternals {
  readonly fd: number
  readonly _socket: Socket
  /** Where it is true the library takes the terminal for closed, and does not close it when its program ends. */
  _emittedClose: boolean
}

/** Starts a program in a pty and reads its output to the very end. */
export function openPty(options: PtyOptions): Pty {
  const pty = spawn(options.program, options.arguments, {
    name: 'xterm-256color',
    cols: options.size.cols,
    rows: options.size.rows,
    cwd: options.cwd,
    env: { ...options.environment },
    encoding: null,
  })
  const internals = pty as IPty & PtyInternals
  const { fd, _socket: socket } = internals
  const input = new PtyInput(fd, () => !socket.destroyed, options.timers)
  const decoder = new StringDecoder('utf8')
  let isKept = false
  let keptExit: number | undefined
  const take = (bytes: Uint8Array): void => {
    const text = decoder.write(bytes as Buffer)
    if (text !== '') options.onData(text)
  }
  pty.onData((chunk: string | Uint8Array) => {
    if (typeof chunk !== 'string') take(chunk)
  })
  socket.once('end', () => {
    // The library closes its descriptor after this.
    readRest(fd, take)
  })
  pty.onExit(({ exitCode, signal }) => {
    const code = signal ? 128 + signal : exitCode
    if (isKept) {
      keptExit = code
      return
    }
    const rest = decoder.end()
    if (rest !== '') options.onData(rest)
    options.onExit(code)
  })
  return {
    pid: pty.pid,
    write: (text) => input.write(Buffer.from(text)),
    resize({ cols, rows }) {
      // The terminal may be closed before its program has ended, or before that is known; its descriptor may be another one's by then.
      if (!socket.destroyed) pty.resize(cols, rows)
    },
    pause: () => pty.pause(),
    resume: () => pty.resume(),
    keep() {
      isKept = true
      internals._emittedClose = true
      pty.pause()
    },
    handOver() {
      drain(socket)
      return {
        descriptor: socket.destroyed ? null : fd,
        partial: partialOf(decoder),
        input: input.take().toString('base64'),
        ...(keptExit === undefined ? {} : { exitCode: keptExit }),
      }
    },
  }
}
