import { readFile, rmdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isMissing } from '../durableFile.ts'
import type { SandboxUsage } from '../sandbox.ts'

/** Folders of one box's groups, by what they are for; version 2 has the same folder for all. */
export interface CgroupFolders {
  cpu: GroupFolder | null
  /** Counts processor time. */
  account: GroupFolder | null
  memory: GroupFolder | null
  pids: GroupFolder | null
  freezer: GroupFolder | null
}

export interface GroupFolder {
  version: 1 | 2
  folder: string
}

const CPU_PERIOD_USEC = 100_000

/** The control groups of one box. */
export class BoxCgroup {
  readonly limits: { cpu: boolean; memory: boolean; processes: boolean; disk: boolean }
  readonly #folders: CgroupFolders
  #memoryLimit: number | null = null

  constructor(folders: CgroupFolders) {
    this.#folders = folders
    this.limits = {
      cpu: folders.cpu !== null,
      memory: folders.memory !== null,
      processes: folders.pids !== null,
      disk: false,
    }
  }

  /** Files that a process writes its number to, to be in the groups. */
  get enterFiles(): readonly string[] {
    return this.#all().map((folder) => path.join(folder, 'cgroup.procs'))
  }

  get canFreeze(): boolean {
    return this.#folders.freezer !== null
  }

  async limit(cores: number, memoryBytes: number, processes: number): Promise<void> {
    const { cpu, memory, pids } = this.#folders
    if (cpu) await limitProcessor(cpu, cores)
    if (memory) await this.#limitMemory(memory, memoryBytes)
    if (pids) await write(pids, 'pids.max', processes)
  }

  /** Changes the limits of processes that run. False, and nothing changed, when they need more memory than they would have. */
  async resize(cores: number, memoryBytes: number): Promise<boolean> {
    const { cpu, memory } = this.#folders
    if (cpu === null || memory === null) return false
    const usage = await this.usage()
    if (usage !== null && usage.memoryBytes > memoryBytes) return false
    await limitProcessor(cpu, cores)
    await this.#limitMemory(memory, memoryBytes)
    return true
  }

  async freeze(): Promise<void> {
    await this.#setFrozen(true)
  }

  async thaw(): Promise<void> {
    await this.#setFrozen(false)
  }

  /** Null where the groups do not measure everything. */
  async usage(): Promise<SandboxUsage | null> {
    const { account, memory, pids } = this.#folders
    if (account === null || memory === null || pids === null) return null
    const cpuUsec =
      account.version === 1
        ? (await readNumber(account, 'cpuacct.usage')) / 1000
        : Number(/^usage_usec (\d+)$/m.exec(await read(account, 'cpu.stat'))?.[1])
    return {
      cpuUsec: Math.round(cpuUsec),
      memoryBytes: await readNumber(memory, memory.version === 1 ? 'memory.usage_in_bytes' : 'memory.current'),
      memoryLimitBytes: this.#memoryLimit,
      processes: await readNumber(pids, 'pids.current'),
    }
  }

  /** Removes the groups once their last process has ended. */
  async remove(): Promise<void> {
    for (const folder of this.#all()) await removeGroup(folder)
  }

  async #limitMemory(memory: GroupFolder, bytes: number): Promise<void> {
    const limit = (): Promise<void> =>
      write(memory, memory.version === 1 ? 'memory.limit_in_bytes' : 'memory.max', bytes)
    // Without this a box would continue in swap. Kernels without swap accounting have no such file.
    const limitSwap = (): Promise<void> =>
      write(
        memory,
        memory.version === 1 ? 'memory.memsw.limit_in_bytes' : 'memory.swap.max',
        memory.version === 1 ? bytes : 0,
      ).catch(ignoreMissing)
    // Version 1 never lets the sum of memory and swap be less than the memory.
    const grows = this.#memoryLimit !== null && bytes > this.#memoryLimit
    for (const step of grows ? [limitSwap, limit] : [limit, limitSwap]) await step()
    this.#memoryLimit = bytes
  }

  async #setFrozen(frozen: boolean): Promise<void> {
    const { freezer } = this.#folders
    if (freezer === null) return
    if (freezer.version === 1) {
      const wanted = frozen ? 'FROZEN' : 'THAWED'
      // The kernel answers FREEZING until the last process is caught; asking again continues.
      do await write(freezer, 'freezer.state', wanted)
      while ((await read(freezer, 'freezer.state')).trim() !== wanted)
    } else {
      await write(freezer, 'cgroup.freeze', frozen ? 1 : 0)
      const wanted = `frozen ${frozen ? 1 : 0}`
      while (!(await read(freezer, 'cgroup.events')).includes(wanted)) await delay(1)
    }
  }

  #all(): string[] {
    const folders = Object.values(this.#folders) as (GroupFolder | null)[]
    return [...new Set(folders.flatMap((group) => group?.folder ?? []))]
  }
}

/** Removes one group. A process that has just ended may keep it busy for a moment. */
export async function removeGroup(folder: string): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    try {
      await rmdir(folder)
      return true
    } catch (error) {
      if (isMissing(error)) return true
      if (!(error instanceof Error && 'code' in error && error.code === 'EBUSY')) throw error
    }
    await delay(5)
  }
  return false
}

async function limitProcessor(cpu: GroupFolder, cores: number): Promise<void> {
  const quota = Math.round(cores * CPU_PERIOD_USEC)
  if (cpu.version === 1) {
    await write(cpu, 'cpu.cfs_period_us', CPU_PERIOD_USEC)
    await write(cpu, 'cpu.cfs_quota_us', quota)
  } else {
    await write(cpu, 'cpu.max', `${quota} ${CPU_PERIOD_USEC}`)
  }
}

function write({ folder }: GroupFolder, file: string, value: string | number): Promise<void> {
  // Without O_CREAT: a file that the kernel does not offer must be an error.
  return writeFile(path.join(folder, file), String(value), { flag: 'r+' })
}

function read({ folder }: GroupFolder, file: string): Promise<string> {
  return readFile(path.join(folder, file), 'utf8')
}

async function readNumber(group: GroupFolder, file: string): Promise<number> {
  return Number(await read(group, file))
}

function ignoreMissing(error: unknown): void {
  if (!isMissing(error)) throw error
}
