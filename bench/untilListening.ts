import type { ChildProcess } from 'node:child_process'
import { createConnection } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** Resolves when the socket accepts connections. Rejects with what the process wrote when it ends before. */
export async function untilListening(child: ChildProcess, socket: string): Promise<void> {
  let log = ''
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()))
  while (!(await accepts(socket))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The process ended early: ${log}`)
    await delay(5)
  }
}

function accepts(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createConnection(socket)
    probe.once('connect', () => {
      probe.destroy()
      resolve(true)
    })
    probe.once('error', () => resolve(false))
  })
}
