import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

export interface Program {
  pid: number
  /** Everything it wrote so far. */
  output(): string
  /** Resolves when it wrote `text`; rejects when it ends first. */
  says(text: string): Promise<void>
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  kill(signal: NodeJS.Signals): void
}

/** Runs the server as its own process, as `start` does. Only these settings reach it. */
export function runServer(environment: Record<string, string>): Program {
  const child = spawn(process.execPath, ['--import', 'tsx', main], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], LOG_LEVEL: 'info', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
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
    kill: (signal) => child.kill(signal),
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
