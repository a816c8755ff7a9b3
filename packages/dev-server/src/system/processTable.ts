import { readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'

export interface ProcessEntry {
  pid: number
  parent: number
  session: number
  /** Clock ticks of processor time, user and system. */
  ticks: number
  /** Pages in memory. */
  residentPages: number
  isZombie: boolean
}

/** Parses one `/proc/{pid}/stat`. The name in it may hold blanks and parentheses; the last parenthesis ends it. */
export function parseProcessStat(text: string): ProcessEntry | undefined {
  const pid = Number.parseInt(text, 10)
  const nameEnd = text.lastIndexOf(')')
  if (!Number.isInteger(pid) || nameEnd === -1) return undefined
  const fields = text.slice(nameEnd + 2).split(' ')
  if (fields.length < 22) return undefined
  const number = (index: number): number => Number(fields[index])
  return {
    pid,
    parent: number(1),
    session: number(3),
    ticks: number(11) + number(12),
    residentPages: number(21),
    isZombie: fields[0] === 'Z' || fields[0] === 'X',
  }
}

/** Every process that can be seen. Those that end while they are read are left out. */
export async function readProcesses(proc = '/proc'): Promise<ProcessEntry[]> {
  const pids = (await readdir(proc)).filter((name) => /^\d+$/.test(name))
  const entries = await Promise.all(
    pids.map(async (pid) => {
      const text = await readIfAlive(() => readFile(join(proc, pid, 'stat'), 'latin1'))
      return text === undefined ? undefined : parseProcessStat(text)
    }),
  )
  return entries.filter((entry) => entry !== undefined)
}

/** Whether a process is there and has not ended. */
export async function isRunning(pid: number, proc = '/proc'): Promise<boolean> {
  const text = await readIfAlive(() => readFile(join(proc, String(pid), 'stat'), 'latin1'))
  return text !== undefined && parseProcessStat(text)?.isZombie === false
}

/** The inodes of the sockets a process holds. Empty for a process that ended or belongs to somebody else. */
export async function readSocketInodes(pid: number, proc = '/proc'): Promise<number[]> {
  const folder = join(proc, String(pid), 'fd')
  const names = (await readIfAlive(() => readdir(folder))) ?? []
  const targets = await Promise.all(names.map((name) => readIfAlive(() => readlink(join(folder, name)))))
  return targets.flatMap((target) => {
    const match = /^socket:\[(\d+)\]$/.exec(target ?? '')
    return match ? [Number(match[1])] : []
  })
}

/** The processes that a shell started: those of its session, and descendants that left the session. */
export function processesOf(leader: number, processes: readonly ProcessEntry[]): ProcessEntry[] {
  const members = new Set(
    processes.filter((entry) => entry.session === leader || entry.pid === leader).map((entry) => entry.pid),
  )
  for (let grew = true; grew;) {
    grew = false
    for (const { pid, parent } of processes) {
      if (members.has(parent) && !members.has(pid)) {
        members.add(pid)
        grew = true
      }
    }
  }
  return processes.filter((entry) => members.has(entry.pid))
}

async function readIfAlive<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES' || code === 'EPERM') return undefined
    throw error
  }
}
