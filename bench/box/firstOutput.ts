import type { BoxDriver, DiskSource } from '@boxyard/boxes'
import type { BoxKeys } from '../boxKeys.ts'
import { joinBox } from './joinBox.ts'

const TIER = { cpu: 2, memory: 1024, disk: 4096 }

/** Milliseconds from the call that makes a box to the end of each step, in order. */
export interface Steps {
  disk: number
  'dev server': number
  joined: number
  output: number
}

/** Makes a box, starts it, joins as an editor does, runs a command and waits for what it prints. The box is gone afterwards. */
export async function firstOutput(driver: BoxDriver, keys: BoxKeys, id: string, disk: DiskSource): Promise<Steps> {
  const start = performance.now()
  const since = () => performance.now() - start
  await driver.create({ id, disk, tier: TIER })
  const made = since()
  try {
    await driver.start(id, {
      epoch: 1,
      boot: disk.kind === 'folder' ? 'CLEAN' : 'FORK',
      env: keys.environment,
      egressSocket: null,
      onPhase: () => undefined,
    })
    const started = since()
    const client = await joinBox(driver, keys, id)
    const joined = since()
    try {
      const session = await client.shells.create({ command: 'echo ready', type: 'COMMAND' })
      await new Promise<void>((resolve) => session.onData((text) => text.includes('ready') && resolve()))
      return { disk: made, 'dev server': started, joined, output: since() }
    } finally {
      client.dispose()
    }
  } finally {
    await driver.destroy(id)
  }
}
