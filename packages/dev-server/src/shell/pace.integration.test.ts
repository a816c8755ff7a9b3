import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startDevServer } from '../devServer.ts'
import { createLog } from '../log.ts'
import { createTestBox } from '../testing/testBox.ts'
import { TestClient } from '../testing/testClient.ts'
import { FRAME_LENGTH, FRAME_MS } from './OutputJoiner.ts'
import { PACE_LENGTH } from './OutputPace.ts'

const KEYS = 300
/** What may be under way when the first key arrives: what a socket takes before its pty is paused, and frames that are being made. */
const UNDER_WAY = 8 * FRAME_LENGTH

describe('typing beside a flood', () => {
  it('SH500: edits of a text slow the terminal of somebody else', async () => {
    const box = await createTestBox()
    await writeFile(join(box.configuration.workspace, 'text.txt'), '')
    const server = await startDevServer(
      box.configuration,
      createLog(() => undefined),
    )
    await server.whenReady
    const { socket } = box.configuration
    const [typist, watcher] = [
      await TestClient.join(socket, await box.token()),
      await TestClient.join(socket, await box.token({ username: 'bob' })),
    ]
    let length = 0
    watcher.onFrame = (message) => {
      if (message.kind !== 'notification' || message.message.method !== 'shell/out') return
      length += (message.message.params as { out: string }).out.length
      // A flood is too much to keep.
      watcher.received.length = 0
      watcher.frames.length = 0
    }
    const { shellId } = await watcher.call('shell/create', { command: 'yes', type: 'COMMAND' })
    await watcher.until(() => length > 20 * FRAME_LENGTH)

    const { id, document } = await typist.call('file/openByPath', { path: 'text.txt' })
    let revision = document?.revision ?? 0
    const type = async (at: number): Promise<void> => {
      const operation = at === 0 ? ['a'] : [at, 'a']
      const answer = await typist.call('file/documentOperation', { id, operation, revision })
      revision = answer.revision
    }
    await type(0)
    const [before, started] = [length, performance.now()]
    for (let key = 1; key < KEYS; key += 1) await type(key)
    const frames = (performance.now() - started) / FRAME_MS + 1
    // A chunk that is read may be a little more than what was left of the frame.
    expect(length - before).toBeLessThan(frames * PACE_LENGTH * 1.5 + UNDER_WAY)

    await watcher.call('shell/terminate', { shellId })
    for (const client of [typist, watcher]) await client.close()
    await server.stop()
    await box.remove()
  })
})
