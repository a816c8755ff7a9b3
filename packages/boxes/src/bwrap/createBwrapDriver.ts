import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { CgroupHost } from '../cgroup/cgroupHost.ts'
import { chooseStore, makeStore } from '../disk/chooseStore.ts'
import type { WorkspaceStore } from '../disk/workspaceStore.ts'
import { LocalDriver } from '../localDriver.ts'
import { Trash } from '../trash.ts'
import { BOX_HOST_USER, BwrapSandbox } from './bwrapSandbox.ts'

export interface BwrapDriverOptions {
  /** Folder for boxes, layers and sealed disks. One server at a time may use it. */
  home: string
  /** Folder with main.js of the dev server. */
  devServer: string
  /** The node program that boxes use, normally process.execPath. */
  node: string
  /** Folder with programs that all boxes see, read-only; one below `home` unless given. */
  shared?: string
  log: (message: string) => void
  /** Null for boxes without control groups; found by trying when it is left out. */
  cgroups?: CgroupHost | null
  /** Chosen by trying when it is left out. */
  store?: WorkspaceStore['kind']
  deadlines?: { sandbox: number; devServer: number }
  /** Room that boxes must leave on their file system; see DiskGuard. */
  reserveBytes?: number
}

/** The driver that runs boxes as bubblewrap sandboxes, opened and cleaned of what a killed server left. */
export async function createBwrapDriver(options: BwrapDriverOptions): Promise<LocalDriver> {
  const root = process.getuid?.() === 0 && (await hasBoxUser())
  const home = path.resolve(options.home)
  await mkdir(home, { recursive: true, mode: 0o700 })
  const trash = new Trash(path.join(home, 'trash'))
  await trash.open()
  const disk = { home, trash, owner: root ? BOX_HOST_USER : null, root }
  const store = options.store === undefined ? await chooseStore(disk) : makeStore(options.store, disk)
  const sandbox = new BwrapSandbox({
    devServer: path.resolve(options.devServer),
    updates: path.join(home, 'updates'),
    shared: path.resolve(options.shared ?? path.join(home, 'shared')),
    node: options.node,
    root,
    cgroups: options.cgroups === undefined ? await CgroupHost.open(home) : options.cgroups,
  })
  const driver = new LocalDriver({
    home,
    sandbox,
    store,
    trash,
    log: options.log,
    ...(options.deadlines === undefined ? {} : { deadlines: options.deadlines }),
    ...(options.reserveBytes === undefined ? {} : { reserveBytes: options.reserveBytes }),
  })
  await driver.open()
  return driver
}

/** False for the root of a user namespace that has no other users: the server then works as an ordinary user does. */
export async function hasBoxUser(): Promise<boolean> {
  const maps = { '/proc/self/uid_map': BOX_HOST_USER.uid, '/proc/self/gid_map': BOX_HOST_USER.gid }
  for (const [file, id] of Object.entries(maps)) {
    const ranges = (await readFile(file, 'utf8')).trim().split('\n')
    const covers = ranges.some((range) => {
      const [first = 0, , count = 0] = range.trim().split(/\s+/).map(Number)
      return id >= first && id < first + count
    })
    if (!covers) return false
  }
  return true
}
