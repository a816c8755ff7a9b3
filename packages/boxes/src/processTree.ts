import { readFile, readdir } from 'node:fs/promises'

export interface ProcessStat {
  pid: number
  parent: number
  state: string
  /** Processor time of the process and of its ended children, in clock ticks of 10 ms. */
  ticks: number
  /** Resident memory in pages. */
  pages: number
  /** Clock ticks from the start of the machine to that of the process. */
  startedAt: number
}

/** What the kernel says about one process of this machine, or null when it has ended. Linux only. */
export async function processStat(pid: number): Promise<ProcessStat | null> {
  let text: string
  try {
    text = await readFile(`/proc/${pid}/stat`, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return null
    throw error
  }
  // The name is in parentheses and may hold anything, also parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const at = (index: number): number => Number(fields[index])
  const ticks = at(11) + at(12) + at(13) + at(14)
  return { pid, parent: at(1), state: fields[0] ?? '', ticks, pages: at(21), startedAt: at(19) }
}

/** False also for a process that has ended and waits for its parent to notice: everything it held is gone by then. */
export async function isAlive(pid: number): Promise<boolean> {
  const stat = await processStat(pid)
  return stat !== null && stat.state !== 'Z' && stat.state !== 'X'
}

/** A process and everything that descends from it. Empty when it has ended. */
export async function processTree(root: number): Promise<ProcessStat[]> {
  const names = await readdir('/proc')
  const stats = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map((name) => processStat(Number(name))))
  const children = new Map<number, ProcessStat[]>()
  for (const stat of stats) {
    if (stat === null) continue
    const siblings = children.get(stat.parent)
    if (siblings === undefined) children.set(stat.parent, [stat])
    else siblings.push(stat)
  }
  const first = stats.find((stat) => stat?.pid === root)
  const tree = first ? [first] : []
  for (const stat of tree) tree.push(...(children.get(stat.pid) ?? []))
  return tree
}

/** Sends a signal. A process that has ended already is not an error. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Stops a whole tree with SIGSTOP. Looks again until nothing new has appeared, since a process may start others meanwhile. */
export async function stopTree(root: number): Promise<void> {
  for (;;) {
    const awake = (await processTree(root)).filter(({ state }) => state !== 'T' && state !== 'Z' && state !== 't')
    if (awake.length === 0) return
    for (const { pid } of awake) signal(pid, 'SIGSTOP')
  }
}

export async function continueTree(root: number): Promise<void> {
  for (const { pid } of (await processTree(root)).toReversed()) signal(pid, 'SIGCONT')
}
