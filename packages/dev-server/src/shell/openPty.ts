import { readSync } from 'node:fs'
import type { Socket } from 'node:net'
import { StringDecoder } from 'node:string_decoder'
import type { ShellSize } from '@boxyard/protocol'
import type { IPty } from '@lydell/node-pty'
import { spawn } from '@lydell/node-pty'

export interface PtyOptions {
  program: string
  /** Passed as they are; no shell takes them apart. */
  arguments: string[]
  cwd: string
  size: ShellSize
  environment: Readonly<Record<string, string>>
  onData(text: string): void
  /** After the last onData. A signal counts as 128 + its number. */
  onExit(exitCode: number): void
}

/** A process on a terminal of its own, the leader of a session. */
export interface Pty {
  readonly pid: number
  write(input: string): void
  resize(size: ShellSize): void
  pause(): void
  resume(): void
}

/** What the library keeps to itself and reading to the end needs. Its version is pinned; the test of rule SH9 watches it. */
interface PtyInternals {
  readonly fd: number
  readonly _socket: Socket
}

const READ_BYTES = 64 * 1024

/**
 * Starts a program in a pty and reads its output to the very end. When the other side of a pty hangs up, libuv reports the
 * end after the first read that did not fill its buffer, but the kernel may still hold up to 64 KB in pieces of 4 KB; these
 * are read here before the descriptor is closed.
 */
export function openPty(options: PtyOptions): Pty {
  const pty = spawn(options.program, options.arguments, {
    name: 'xterm-256color',
    cols: options.size.cols,
    rows: options.size.rows,
    cwd: options.cwd,
    env: { ...options.environment },
    encoding: null,
  })
  const { fd, _socket: socket } = pty as IPty & PtyInternals
  const decoder = new StringDecoder('utf8')
  const take = (bytes: Uint8Array): void => {
    const text = decoder.write(bytes as Buffer)
    if (text !== '') options.onData(text)
  }
  pty.onData((chunk: string | Uint8Array) => {
    if (typeof chunk !== 'string') take(chunk)
  })
  socket.once('end', () => readRest(fd, take))
  pty.onExit(({ exitCode, signal }) => {
    const rest = decoder.end()
    if (rest !== '') options.onData(rest)
    options.onExit(signal ? 128 + signal : exitCode)
  })
  return {
    pid: pty.pid,
    write: (input) => pty.write(input),
    resize({ cols, rows }) {
      // The terminal may be closed before its program has ended, or before that is known; its descriptor may be another one's by then.
      if (!socket.destroyed) pty.resize(cols, rows)
    },
    pause: () => pty.pause(),
    resume: () => pty.resume(),
  }
}

function readRest(fd: number, take: (bytes: Uint8Array) => void): void {
  const buffer = Buffer.alloc(READ_BYTES)
  for (;;) {
    let length: number
    try {
      length = readSync(fd, buffer)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // EIO: nothing is left and the other side is closed. EAGAIN: nothing is left.
      if (code === 'EIO' || code === 'EAGAIN') return
      throw error
    }
    if (length === 0) return
    take(buffer.subarray(0, length))
  }
}
