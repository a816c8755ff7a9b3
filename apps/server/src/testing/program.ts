import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

export interface Program {
  pid: number
  /** Everything it wrote so far. */
  output(): string
  /** Resolves when it wrote `text`; rejects when it ends first. */
  says(text: string): Promise<void>
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  kill(signal: NodeJS.Signals): unknown
}

/** Runs the server as its own process, as `start` does. Only these settings reach it. */
export function runServer(environment: Record<string, string>): Program {
  const child = spawn(process.execPath, ['--import', 'tsx', main], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], LOG_LEVEL: 'info', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return watch(child, (signal) => child.kill(signal))
}

/** The same in a terminal of its own. SIGINT comes by Ctrl-C, and `output` is what a person sees. */
export function runServerInTerminal(environment: Record<string, string>): Program {
  const child = spawn(
    'script',
    ['--quiet', '--flush', '--return', '--command', `exec ${process.execPath} --import tsx ${main}`, '/dev/null'],
    {
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  )
  return watch(child, (signal) => (signal === 'SIGINT' ? child.stdin.write('\u0003') : child.kill(signal)))
}

/** The same with a home folder on a disk that is full before the server starts. */
export function runServerOnFullDisk(home: string, environment: Record<string, string>): Program {
  const fill = 'head -c 1048576 /dev/zero >"$BOXYARD_HOME/fill" 2>/dev/null; exec "$@"'
  const child = spawn(
    'bwrap',
    [
      '--dev-bind',
      '/',
      '/',
      '--size',
      '65536',
      '--tmpfs',
      home,
      'sh',
      '-c',
      fill,
      'sh',
      process.execPath,
      '--import',
      'tsx',
      main,
    ],
    {
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment, BOXYARD_HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  return watch(child, (signal) => child.kill(signal))
}

function watch(child: ChildProcessByStdio<Writable | null, Readable, Readable>, kill: Program['kill']): Program {
  let output = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      for (const listener of listeners) listener()
    })
  }
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal })),
  )
  return {
    pid: child.pid!,
    output: () => output,
    exited,
    kill,
    says(text) {
      return new Promise((resolve, reject) => {
        const look = () => {
          if (!output.includes(text)) return
          listeners.delete(look)
          resolve()
        }
        listeners.add(look)
        look()
        void exited.then(() => reject(new Error(`The server ended before it said ${text}:\n${output}`)))
      })
    },
  }
}
