import { join } from 'node:path'
import { createBwrapDriver } from '@boxyard/boxes'
import type { BoxDriver } from '@boxyard/boxes'
import { BoxKeys } from '../boxKeys.ts'
import { buildDevServer } from '../buildDevServer.ts'

/** The driver that servers use, with its boxes below `root`, and the keys by which their dev servers are joined. */
export async function openBwrap(
  root: string,
  log: (message: string) => void,
): Promise<{ driver: BoxDriver; keys: BoxKeys }> {
  const devServer = await buildDevServer()
  const driver = await createBwrapDriver({ home: join(root, 'boxes'), devServer, node: process.execPath, log })
  return { driver, keys: await BoxKeys.generate() }
}
