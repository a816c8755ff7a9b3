import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

export interface RunningServer {
  /** For example `http://app.boxyard.localhost:4100`. */
  address: string
  /** Everything it has printed so far. */
  output(): string
  /** Sends the signal and resolves when the process and everything that holds its output has ended. */
  end(signal: NodeJS.Signals): Promise<void>
  pid: number
}

/** A TCP port that is free now. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

/** Runs `./start` in `checkout`, as a person does, and waits for the address it prints. Rejects with its output when it ends before. */
export async function startServer(checkout: string, environment: Record<string, string>): Promise<RunningServer> {
  const child: ChildProcess = spawn('./start', [], {
    cwd: checkout,
    // The runner of the tests marks its environment as one of tests, which a person's is not.
    env: { ...process.env, NODE_ENV: undefined, VITEST: undefined, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const address = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const found = /(http:\/\/app\.\S+)/.exec(output)?.[1]
      if (found) resolve(found)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('close', (code) => reject(new Error(`./start ended with ${code} before it was ready:\n${output}`)))
  })
  return {
    address,
    output: () => output,
    pid: child.pid!,
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return
      const closed = once(child, 'close')
      child.kill(signal)
      await closed
    },
  }
}
