import { createRequire } from 'node:module'
import { StringDecoder } from 'node:string_decoder'
import { ReadStream } from 'node:tty'
import type { ShellSize } from '@boxyard/protocol'
import { isRunning } from '../system/processTable.ts'
import { drain } from './drain.ts'
import type { Pty } from './openPty.ts'
import { partialOf } from './partialOf.ts'
import { PtyInput } from './PtyInput.ts'
import { readRest } from './readRest.ts'
import { pause } from './Timers.ts'
import type { Timers } from './Timers.ts'

/** Between two looks whether a program that has closed its terminal has ended. It is no child of this process, which nobody tells. */
const LIFE_CHECK_MS = 50

/** The native part of the library, which it exports in no other way. */
interface NativePty {
  resize(descriptor: number, cols: number, rows: number): void
}

export interface TakePtyOptions {
  /** Null where the terminal is closed already. */
  descriptor: number | null
  pid: number
  partial: string
  input: string
  /** Its exit code, when it is over. Asked once. */
  readExitCode: () => number
  timers: Timers
  onData(text: string): void
  /** After the last onData. */
  onExit(exitCode: number): void
}

/** Goes on with a pty that another dev server opened. */
export function takePty(options: TakePtyOptions): Pty {
  const { descriptor, pid, timers, onData } = options
  const decoder = new StringDecoder('utf8')
  const take = (bytes: Uint8Array): void => {
    const text = decoder.write(bytes as Buffer)
    if (text !== '') onData(text)
  }
  take(Buffer.from(options.partial, 'base64'))
  let isKept = false
  const end = async (): Promise<void> => {
    while (await isRunning(pid)) await pause(timers, LIFE_CHECK_MS)
    if (isKept) return
    const rest = decoder.end()
    if (rest !== '') onData(rest)
    options.onExit(options.readExitCode())
  }
  const terminal = descriptor === null ? undefined : openTerminal(descriptor, take)
  if (terminal) terminal.once('close', () => void end())
  else void end()
  const isOpen = (): boolean => terminal?.destroyed === false
  const input = descriptor === null ? undefined : new PtyInput(descriptor, isOpen, timers)
  input?.write(Buffer.from(options.input, 'base64'))
  return {
    pid,
    write: (text) => input?.write(Buffer.from(text)),
    resize({ cols, rows }: ShellSize) {
      if (descriptor !== null && isOpen()) native().resize(descriptor, cols, rows)
    },
    pause: () => void terminal?.pause(),
    resume: () => void terminal?.resume(),
    keep() {
      isKept = true
      terminal?.pause()
    },
    handOver() {
      if (terminal) drain(terminal)
      return {
        descriptor: isOpen() ? descriptor : null,
        partial: partialOf(decoder),
        input: input?.take().toString('base64') ?? '',
      }
    },
  }
}

function openTerminal(descriptor: number, take: (bytes: Uint8Array) => void): ReadStream {
  const terminal = new ReadStream(descriptor)
  terminal.on('data', take)
  terminal.once('end', () => readRest(descriptor, take))
  terminal.on('error', (error: NodeJS.ErrnoException) => {
    // EIO: the other side is closed, and so is this one in a moment.
    if (error.code !== 'EIO' && error.code !== 'EAGAIN') throw error
  })
  return terminal
}

function native(): NativePty {
  const library = createRequire(import.meta.url)('@lydell/node-pty/requireBinary.js') as {
    requireBinary(file: string): NativePty
  }
  return library.requireBinary('pty.node')
}
