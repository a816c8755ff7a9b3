import type { ChildProcess } from 'node:child_process'
import { createConnection } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** Resolves when the socket, or the port of this machine, accepts connections. Rejects with what the process wrote when it ends before. */
export async function untilListening(child: ChildProcess, address: string | number): Promise<void> {
  let log = ''
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()))
  while (!(await accepts(address))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The process ended early: ${log}`)
    await delay(5)
  }
}

function accepts(address: string | number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createConnection(
      typeof address === 'string' ? { path: address } : { port: address, host: '127.0.0.1' },
    )
    probe.once('connect', () => {
      // A port that nobody listens on yet can be given to the probe itself, which then talks to itself.
      const isOther = probe.localPort === undefined || probe.localPort !== probe.remotePort
      probe.destroy()
      resolve(isOther)
    })
    probe.once('error', () => resolve(false))
  })
}
