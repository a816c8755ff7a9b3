import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { hasBoxUser } from '../bwrap/createBwrapDriver.ts'
import { CgroupHost } from '../cgroup/cgroupHost.ts'
import type { DiskOwner } from '../disk/workspaceStore.ts'
import { LocalDriver } from '../localDriver.ts'
import { Trash } from '../trash.ts'
import { GuestImages } from './guestImages.ts'
import { ImageStore } from './imageStore.ts'
import { VmSandbox } from './vmSandbox.ts'

/** The user on the host that QEMU runs as when the server is root. Nothing belongs to it but the disks of machines. */
export const MACHINE_HOST_USER: DiskOwner = { uid: 61_001, gid: 61_001 }

/** The first start of a machine of a new size boots one, which takes its time where instructions are translated. */
const DEADLINES = { sandbox: 240_000, devServer: 180_000 }

export interface VmDriverOptions {
  /** Folder for boxes and their disks. One server at a time may use it. */
  home: string
  /** Folder for what machines boot from. It may be kept when boxes are not. */
  images: string
  /** Folder with the program of guests. */
  guest: string
  /** Folder with main.js of the dev server. */
  devServer: string
  log: (message: string) => void
  deadlines?: { sandbox: number; devServer: number }
}

/** The driver that runs boxes as virtual machines. */
export async function createVmDriver(options: VmDriverOptions): Promise<LocalDriver> {
  const home = path.resolve(options.home)
  await mkdir(home, { recursive: true, mode: 0o700 })
  const trash = new Trash(path.join(home, 'trash'))
  await trash.open()
  const user = process.getuid?.() === 0 && (await hasBoxUser()) ? MACHINE_HOST_USER : null
  const store = new ImageStore({ home, trash, user })
  const images = path.resolve(options.images)
  const driver = new LocalDriver({
    home,
    sandbox: new VmSandbox({
      devServer: options.devServer,
      images: new GuestImages({ folder: images, sources: options.guest, log: options.log }),
      templates: path.join(images, 'templates'),
      store,
      boxes: path.join(home, 'boxes'),
      user,
      cgroups: await CgroupHost.open(home),
    }),
    store,
    trash,
    log: options.log,
    deadlines: options.deadlines ?? DEADLINES,
  })
  await driver.open()
  return driver
}
