import { readFile, statfs } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { readProcesses } from './processTable.ts'

/** What the box uses at one moment. */
export interface Usage {
  /** Processor time since some fixed point, in seconds. */
  cpuSeconds: number
  /** Cores that may be used, as a fraction where a quota says so. */
  cpuLimit: number
  memoryBytes: number
  memoryTotalBytes: number
  /** Null where no limit is set. */
  memoryLimitBytes: number | null
  storageBytes: number
  storageTotalBytes: number
  /** Null where no limit is set. */
  storageLimitBytes: number | null
}

export interface UsageSources {
  /** Where control groups are mounted. */
  cgroup: string
  proc: string
  /** A path on the disk of the box. */
  disk: string
}

/** Ticks a second in /proc; fixed by the kernel's interface to user programs. */
const TICKS = 100
const PAGE_BYTES = 4096

/**
 * Reads from the control group of the box, version 2 or 1, what it tells; where it tells nothing, adds up the processes that can
 * be seen, which in a box are its own.
 */
export async function readUsage({ cgroup, proc, disk }: UsageSources): Promise<Usage> {
  const [cores, total, storage] = [availableParallelism(), await readMemoryTotal(proc), await statfs(disk)]
  const group = (await readGroup2(cgroup)) ?? (await readGroup1(cgroup)) ?? (await readVisible(proc))
  const limit = group.memoryLimitBytes !== null && group.memoryLimitBytes < total ? group.memoryLimitBytes : null
  return {
    ...group,
    cpuLimit: Math.min(group.cpuLimit ?? cores, cores),
    memoryTotalBytes: total,
    memoryLimitBytes: limit,
    storageBytes: (storage.blocks - storage.bfree) * storage.bsize,
    storageTotalBytes: storage.blocks * storage.bsize,
    storageLimitBytes: null,
  }
}

interface GroupUsage {
  cpuSeconds: number
  cpuLimit: number | null
  memoryBytes: number
  memoryLimitBytes: number | null
}

async function readGroup2(cgroup: string): Promise<GroupUsage | undefined> {
  const [stat, memory, max, quota] = await Promise.all([
    read(join(cgroup, 'cpu.stat')),
    read(join(cgroup, 'memory.current')),
    read(join(cgroup, 'memory.max')),
    read(join(cgroup, 'cpu.max')),
  ])
  const usage = /^usage_usec (\d+)$/m.exec(stat ?? '')?.[1]
  if (usage === undefined || memory === undefined) return undefined
  const [limit, period] = (quota ?? 'max 100000').split(' ').map(Number)
  return {
    cpuSeconds: Number(usage) / 1e6,
    cpuLimit: limit && period ? limit / period : null,
    memoryBytes: Number(memory),
    memoryLimitBytes: finiteOrNull(max),
  }
}

async function readGroup1(cgroup: string): Promise<GroupUsage | undefined> {
  const [usage, memory, max, quota, period] = await Promise.all([
    read(join(cgroup, 'cpuacct/cpuacct.usage')),
    read(join(cgroup, 'memory/memory.usage_in_bytes')),
    read(join(cgroup, 'memory/memory.limit_in_bytes')),
    read(join(cgroup, 'cpu/cpu.cfs_quota_us')),
    read(join(cgroup, 'cpu/cpu.cfs_period_us')),
  ])
  if (usage === undefined || memory === undefined) return undefined
  const limit = Number(quota) > 0 && Number(period) > 0 ? Number(quota) / Number(period) : null
  return {
    cpuSeconds: Number(usage) / 1e9,
    cpuLimit: limit,
    memoryBytes: Number(memory),
    memoryLimitBytes: finiteOrNull(max),
  }
}

async function readVisible(proc: string): Promise<GroupUsage> {
  const processes = await readProcesses(proc)
  return {
    cpuSeconds: processes.reduce((sum, entry) => sum + entry.ticks, 0) / TICKS,
    cpuLimit: null,
    memoryBytes: processes.reduce((sum, entry) => sum + entry.residentPages, 0) * PAGE_BYTES,
    memoryLimitBytes: null,
  }
}

async function readMemoryTotal(proc: string): Promise<number> {
  const text = await readFile(join(proc, 'meminfo'), 'latin1')
  return Number(/^MemTotal:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1024
}

function finiteOrNull(text: string | undefined): number | null {
  const number = Number(text)
  return text !== undefined && Number.isFinite(number) ? number : null
}

async function read(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'latin1')).trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return undefined
    throw error
  }
}
