import { processesOf, readProcesses } from '../system/processTable.ts'
import type { ProcessEntry } from '../system/processTable.ts'
import { pause } from './Timers.ts'
import type { Timers } from './Timers.ts'

const POLL_MS = 20
/** How long processes may take to end by themselves. */
const GRACE_MS = 1500

/**
 * Ends everything a shell started: asks first, then kills what is left. Resolves when nothing of it runs, so that a port it
 * held is free again.
 */
export async function endSession(leader: number, timers: Timers, graceMs = GRACE_MS): Promise<void> {
  const asked = new Set<number>()
  const deadline = timers.now() + graceMs
  for (;;) {
    const left = await alive(leader)
    if (left.length === 0) return
    if (timers.now() >= deadline) break
    for (const { pid } of left) {
      if (asked.has(pid)) continue
      asked.add(pid)
      signal(pid, 'SIGTERM')
      // An interactive shell ignores SIGTERM, and a stopped job hears nothing before it goes on.
      signal(pid, 'SIGHUP')
      signal(pid, 'SIGCONT')
    }
    await pause(timers, POLL_MS)
  }
  for (let left = await alive(leader); left.length > 0; left = await alive(leader)) {
    for (const { pid } of left) signal(pid, 'SIGKILL')
    await pause(timers, POLL_MS)
  }
}

async function alive(leader: number): Promise<ProcessEntry[]> {
  return processesOf(leader, await readProcesses()).filter((entry) => !entry.isZombie)
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
