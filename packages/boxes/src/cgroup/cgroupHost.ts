import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile, readdir, rmdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Tier } from '../driver.ts'
import { isMissing } from '../durableFile.ts'
import { signal } from '../processTree.ts'
import { BoxCgroup, removeGroup } from './boxCgroup.ts'
import type { CgroupFolders, GroupFolder } from './boxCgroup.ts'
import { findHierarchies } from './findHierarchies.ts'
import type { Hierarchies } from './findHierarchies.ts'

const MIB = 1024 * 1024
/** In version 2 only groups without processes of their own may hand controllers down, so the server moves into this one. */
const SERVER_GROUP = 'boxyard-server'

/** The control groups of this machine, as far as the server may use them: each was tried. */
export class CgroupHost {
  /** Groups of which each box gets a child. */
  readonly #parents: CgroupFolders
  readonly #prefix: string
  readonly #refusals: readonly string[]

  private constructor(parents: CgroupFolders, prefix: string, refusals: readonly string[]) {
    this.#parents = parents
    this.#prefix = prefix
    this.#refusals = refusals
  }

  /** `home` tells the groups of several servers on one machine apart. */
  static async open(home: string, hierarchies?: Hierarchies): Promise<CgroupHost> {
    const found = hierarchies ?? (await readHierarchies())
    const refusals: string[] = []
    const v2 = found.v2 === null ? [] : await openV2(found.v2, refusals)
    const choose = async (v1: string | undefined, name: string): Promise<GroupFolder | null> => {
      if (v1 !== undefined) {
        if (await canMakeGroup(v1, refusals)) return { version: 1, folder: v1 }
      } else if (found.v2 !== null && v2.includes(name)) {
        return { version: 2, folder: serverParent(found.v2) }
      }
      return null
    }
    const parents: CgroupFolders = {
      cpu: await choose(found.v1.cpu, 'cpu'),
      account: await choose(found.v1.cpuacct, 'cpu'),
      memory: await choose(found.v1.memory, 'memory'),
      pids: await choose(found.v1.pids, 'pids'),
      freezer: await choose(found.v1.freezer, 'freeze'),
    }
    const prefix = `boxyard-${createHash('sha256').update(home).digest('hex').slice(0, 8)}-`
    return new CgroupHost(parents, prefix, [...new Set(refusals)])
  }

  /** `hard` means that processor, memory and processes are all limited. The reasons are sentences for the operator. */
  describe(): { hard: boolean; reasons: string[] } {
    const { cpu, memory, pids, freezer } = this.#parents
    const missing = Object.entries({ processor: cpu, memory, processes: pids }).flatMap(([name, group]) =>
      group === null ? [name] : [],
    )
    const reasons = [
      missing.length === 0
        ? 'Processor, memory and processes of boxes are limited by control groups.'
        : `Control groups do not limit ${missing.join(', ')} of boxes. Run the server as root, or in a group of its own: systemd-run --user --scope -p Delegate=yes ./start`,
      ...(freezer === null ? ['Boxes are paused by signals, since no control group can freeze them.'] : []),
      ...this.#refusals,
    ]
    return { hard: missing.length === 0, reasons }
  }

  /** Removes groups of boxes that a killed server left. */
  async removeStale(): Promise<void> {
    const groups = await this.existing()
    // The kernel ended them with the server, but what is frozen takes the signal only when it is thawed.
    for (const group of groups) await endProcesses(group)
    for (const group of groups) await removeGroup(group)
  }

  /** The folders of the groups that boxes of this server have. */
  async existing(): Promise<string[]> {
    const found: string[] = []
    for (const parent of this.#folders()) {
      const names = (await readdir(parent)).filter((name) => name.startsWith(this.#prefix))
      found.push(...names.map((name) => path.join(parent, name)))
    }
    return found
  }

  async create(id: string, tier: Tier, processes: number): Promise<BoxCgroup> {
    const name = `${this.#prefix}${id}`
    for (const parent of this.#folders()) await mkdir(path.join(parent, name), { recursive: true })
    const child = (parent: GroupFolder | null): GroupFolder | null =>
      parent && { ...parent, folder: path.join(parent.folder, name) }
    const { cpu, account, memory, pids, freezer } = this.#parents
    const group = new BoxCgroup({
      cpu: child(cpu),
      account: child(account),
      memory: child(memory),
      pids: child(pids),
      freezer: child(freezer),
    })
    try {
      await group.limit(tier.cpu, tier.memory * MIB, processes)
    } catch (error) {
      await group.remove()
      throw error
    }
    return group
  }

  #folders(): string[] {
    const groups = Object.values(this.#parents) as (GroupFolder | null)[]
    return [...new Set(groups.flatMap((group) => group?.folder ?? []))]
  }
}

/** Kills and thaws whatever is in a group. */
async function endProcesses(group: string): Promise<void> {
  const attempt = async <T>(work: Promise<T>): Promise<T | null> =>
    work.catch((error: unknown) => {
      if (isMissing(error)) return null
      throw error
    })
  const processes = (await attempt(readFile(path.join(group, 'cgroup.procs'), 'utf8'))) ?? ''
  for (const pid of processes.split('\n').filter(Boolean)) signal(Number(pid), 'SIGKILL')
  await attempt(writeFile(path.join(group, 'freezer.state'), 'THAWED', { flag: 'r+' }))
  await attempt(writeFile(path.join(group, 'cgroup.freeze'), '0', { flag: 'r+' }))
}

async function readHierarchies(): Promise<Hierarchies> {
  try {
    return findHierarchies(await readFile('/proc/self/mountinfo', 'utf8'), await readFile('/proc/self/cgroup', 'utf8'))
  } catch (error) {
    if (isMissing(error)) return { v1: {}, v2: null }
    throw error
  }
}

/** A server that was started by one that moved into its own group is in that group too. */
function serverParent(group: string): string {
  return path.basename(group) === SERVER_GROUP ? path.dirname(group) : group
}

/** What of version 2 boxes can use: names of controllers, and `freeze`. */
async function openV2(group: string, refusals: string[]): Promise<string[]> {
  const parent = serverParent(group)
  if (!(await canMakeGroup(parent, refusals))) return []
  const offered = (await readFile(path.join(parent, 'cgroup.controllers'), 'utf8')).trim().split(' ')
  const usable = ['freeze']
  for (const name of ['cpu', 'memory', 'pids'].filter((controller) => offered.includes(controller))) {
    if (await handDown(parent, name, refusals)) usable.push(name)
  }
  return usable
}

async function handDown(parent: string, controller: string, refusals: string[]): Promise<boolean> {
  const control = path.join(parent, 'cgroup.subtree_control')
  const attempt = async (): Promise<unknown> => {
    try {
      await writeFile(control, `+${controller}`, { flag: 'r+' })
      return null
    } catch (error) {
      return error
    }
  }
  let failure = await attempt()
  if (failure instanceof Error && 'code' in failure && failure.code === 'EBUSY') {
    const own = path.join(parent, SERVER_GROUP)
    await mkdir(own, { recursive: true })
    await writeFile(path.join(own, 'cgroup.procs'), String(process.pid), { flag: 'r+' })
    failure = await attempt()
  }
  if (failure === null) return true
  refusals.push(`The controller ${controller} can not be used in ${parent}: ${String(failure)}`)
  return false
}

async function canMakeGroup(parent: string, refusals: string[]): Promise<boolean> {
  const probe = path.join(parent, `boxyard-probe-${randomBytes(4).toString('hex')}`)
  try {
    await mkdir(probe)
    await rmdir(probe)
    return true
  } catch (error) {
    refusals.push(
      `Control groups can not be made in ${parent}: ${error instanceof Error ? error.message : String(error)}`,
    )
    return false
  }
}
