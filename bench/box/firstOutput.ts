import { DevServerClient } from '@boxyard/dev-server-client'
import type { BoxDriver, DiskSource } from '@boxyard/boxes'
import { WebSocket } from 'ws'
import type { BoxKeys } from '../boxKeys.ts'

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
    const connection = await driver.connect(id)
    const client = new DevServerClient({
      appId: 'bench',
      resolveInstance: async () => ({
        id,
        url: 'ws://dev-server/',
        token: await keys.token(id, 1, 'bench'),
        workspacePath: '/project/workspace',
        bootType: 'CLEAN',
      }),
      createSocket: (url) => new WebSocket(url, { createConnection: () => connection as never }),
    })
    await client.connect()
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
