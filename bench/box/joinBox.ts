import { DevServerClient } from '@boxyard/dev-server-client'
import type { BoxDriver } from '@boxyard/boxes'
import { WebSocket } from 'ws'
import type { BoxKeys } from '../boxKeys.ts'

/** Joins the dev server of a running box, as an editor does. */
export async function joinBox(driver: BoxDriver, keys: BoxKeys, id: string, epoch = 1): Promise<DevServerClient> {
  const connection = await driver.connect(id)
  const client = new DevServerClient({
    appId: 'bench',
    resolveInstance: async () => ({
      id,
      url: 'ws://dev-server/',
      token: await keys.token(id, epoch, 'bench'),
      workspacePath: '/project/workspace',
      bootType: 'CLEAN',
    }),
    createSocket: (url) => new WebSocket(url, { createConnection: () => connection as never }),
  })
  await client.connect()
  return client
}

/** Runs a command in a box to its end; resolves with what it printed. Rejects when it fails. */
export async function runInBox(client: DevServerClient, command: string): Promise<string> {
  const session = await client.shells.create({ command, type: 'COMMAND' })
  let output = ''
  session.onData((text) => (output += text))
  const { exitCode } = await new Promise<{ exitCode: number | undefined }>((resolve) => session.onExit(resolve))
  if (exitCode !== 0) throw new Error(`${command} ended with ${exitCode}: ${output}`)
  return output
}
