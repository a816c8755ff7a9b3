import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { makeStore, storeWorks } from '../disk/chooseStore.ts'
import { LocalDriver } from '../localDriver.ts'
import { Trash } from '../trash.ts'
import { ProcessSandbox } from './processSandbox.ts'

export interface ProcessDriverOptions {
  home: string
  devServer: string
  node: string
  log: (message: string) => void
  deadlines?: { sandbox: number; devServer: number }
}

/**
 * The driver without any isolation, for any system. The caller must have been asked for it explicitly by the person who runs the
 * server.
 */
export async function createProcessDriver(options: ProcessDriverOptions): Promise<LocalDriver> {
  const home = path.resolve(options.home)
  await mkdir(home, { recursive: true, mode: 0o700 })
  const trash = new Trash(path.join(home, 'trash'))
  await trash.open()
  const disk = { home, trash, owner: null, root: process.getuid?.() === 0 }
  const store = makeStore((await storeWorks('reflink', disk)) ? 'reflink' : 'copy', disk)
  const driver = new LocalDriver({
    home,
    sandbox: new ProcessSandbox({ home, devServer: path.resolve(options.devServer), node: options.node }),
    store,
    trash,
    log: options.log,
    ...(options.deadlines === undefined ? {} : { deadlines: options.deadlines }),
  })
  await driver.open()
  return driver
}
