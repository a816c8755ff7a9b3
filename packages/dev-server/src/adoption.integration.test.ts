import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startDevServer, type DevServer } from './devServer.ts'
import { createLog } from './log.ts'
import { createTestBox, type TestBox } from './testing/testBox.ts'
import { TestClient } from './testing/testClient.ts'

const original = { aud: 'box1', epoch: 7 }
const copy = { aud: 'box2', epoch: 3 }

describe('a dev server that goes on in a copy of its box', () => {
  let box: TestBox
  let server: DevServer

  beforeEach(async () => {
    box = await createTestBox()
    server = await startDevServer(
      box.configuration,
      createLog(() => undefined),
    )
  })
  afterEach(async () => {
    await server.stop()
    await box.remove()
  })

  const enter = async (claims: typeof original, query = ''): Promise<TestClient> =>
    TestClient.join(box.configuration.socket, await box.token(claims), { query })
  const adopt = async (body: string): Promise<number> => {
    const sent = request({ socketPath: box.configuration.socket, method: 'POST', path: '/adopt' }).end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    return response.statusCode ?? 0
  }
  const identity = async (): Promise<{ reconnectKey: string; boots: number; boxId: string }> =>
    JSON.parse(await readFile(join(box.configuration.state, 'dev-server.json'), 'utf8'))

  it('BX701: it takes tokens of the copy alone, and nobody of the original is somebody there', async () => {
    const ada = await enter(original)
    const before = await identity()
    expect(await adopt(JSON.stringify({ boxId: copy.aud, epoch: copy.epoch }))).toBe(200)
    await ada.closed
    await expect(enter(original)).rejects.toThrow('403')
    const again = await enter(copy, `&reconnectToken=${ada.joined.reconnectToken}`)
    expect(again.clientId).not.toBe(ada.clientId)
    const after = await identity()
    expect(after).toMatchObject({ boxId: 'box2', boots: before.boots + 1 })
    expect(after.reconnectKey).not.toBe(before.reconnectKey)
  })

  it('BX702: its shells run on, and what is started in it is told the new address', async () => {
    const ada = await enter(original)
    const path = 'a.txt'
    await ada.call('fs/writeFile', { path, content: Buffer.from('text'), create: true, overwrite: true })
    const { shellId } = await ada.call('shell/create', { command: 'cat', type: 'COMMAND' })
    const { clock } = await ada.call('fs/read', {})
    await adopt(JSON.stringify({ boxId: copy.aud, epoch: copy.epoch }))
    const again = await enter(copy)
    const { shells } = await again.call('shell/list', {})
    expect(shells).toMatchObject([{ shellId, status: 'RUNNING' }])
    // No number that a client of the original may remember is used again.
    expect((await again.call('fs/read', {})).clock).toBeGreaterThan(clock)
    const told = await again.call('shell/create', { command: 'echo "at $CODESANDBOX_HOST"', type: 'COMMAND' })
    await again.call('shell/open', { shellId: told.shellId, size: { cols: 80, rows: 24 } })
    const { exitCode } = await again.next('shell/exit', (exit) => exit.shellId === told.shellId)
    expect(exitCode).toBe(0)
    const { buffer } = await again.call('shell/open', { shellId: told.shellId, size: { cols: 80, rows: 24 } })
    expect(buffer.join('')).toContain('at box2-')
  })

  it('BX709: started again in the same run it is still the copy, and in another run what the platform says', async () => {
    await adopt(JSON.stringify({ boxId: copy.aud, epoch: copy.epoch }))
    const startAgain = async (change: Partial<typeof box.configuration>): Promise<void> => {
      await server.stop()
      server = await startDevServer(
        { ...box.configuration, boxId: original.aud, epoch: original.epoch, boot: 'RESUME', ...change },
        createLog(() => undefined),
      )
    }
    await startAgain({ isAgain: true })
    await enter(copy)
    await expect(enter(original)).rejects.toThrow('403')
    await startAgain({ isAgain: false, boxId: 'box3', epoch: 9 })
    await enter({ aud: 'box3', epoch: 9 })
    await expect(enter(copy)).rejects.toThrow('403')
  })

  it('BX703: what names no box and no run changes nothing', async () => {
    const ada = await enter(original)
    for (const body of ['', 'x', '{}', '{"boxId":"box2"}', '{"boxId":"","epoch":1}', '{"boxId":"b","epoch":-1}']) {
      expect([body, await adopt(body)]).toEqual([body, 400])
    }
    expect(await ada.call('client/list', {})).toHaveLength(1)
  })
})
