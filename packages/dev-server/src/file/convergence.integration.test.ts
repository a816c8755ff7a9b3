import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startDevServer, type DevServer } from '../devServer.ts'
import { createLog } from '../log.ts'
import { seeded } from '../testing/seeded.ts'
import { createTestBox } from '../testing/testBox.ts'
import { TestClient } from '../testing/testClient.ts'
import { checkText, Typist } from '../testing/typist.ts'

/** `BOXYARD_FUZZ_SEEDS` sets how many seeds are tried, `BOXYARD_FUZZ_FIRST_SEED` the first of them. See `npm run fuzz`. */
const SEEDS = Number(process.env['BOXYARD_FUZZ_SEEDS'] ?? 10)
const FIRST_SEED = Number(process.env['BOXYARD_FUZZ_FIRST_SEED'] ?? 1)
const ROUNDS = 4

/** Two to eight people type, their connections break, the dev server restarts; nothing acknowledged is lost, doubled or brought back. */
async function run(seed: number): Promise<number> {
  const random = seeded(seed)
  const box = await createTestBox({ startTasks: false })
  const { socket, workspace } = box.configuration
  await writeFile(join(workspace, 'shared.txt'), 'start\n')
  const start = (): Promise<DevServer> =>
    startDevServer(
      box.configuration,
      createLog(() => undefined),
    )
  let next = 0x3400
  const typists = Array.from({ length: 2 + Math.floor(random() * 7) }, () => {
    const own = seeded(Math.floor(random() * 2 ** 32))
    return new Typist(own, () => String.fromCharCode(next++))
  })
  let server = await start()
  let fileId = ''
  const attachAll = async (): Promise<TestClient[]> => {
    const clients: TestClient[] = []
    for (const [index, typist] of typists.entries()) {
      const query = typist.reconnectToken ? `&reconnectToken=${typist.reconnectToken}` : ''
      clients.push(await TestClient.join(socket, await box.token({ username: `typist${index}` }), { query }))
    }
    const { treeNodes } = await clients[0]!.call('fs/read', null)
    fileId = treeNodes.find(({ name }) => name === 'shared.txt')!.id
    let text = ''
    for (const [index, typist] of typists.entries()) {
      text = String((await typist.attach(clients[index]!, fileId)).content)
    }
    checkText(text, typists)
    for (const { document } of typists) if (document?.state === 'synchronized') expect(document.text).toBe(text)
    return clients
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    const clients = await attachAll()
    const isRestart = random() < 0.4
    const limits = typists.map(() => 1 + Math.floor(random() * 25))
    let count = 0
    let restarted: Promise<void> | undefined
    typists.forEach((typist, index) => {
      typist.onAcknowledged = () => {
        count += 1
        limits[index]! -= 1
        if (!isRestart) {
          if (limits[index]! <= 0) clients[index]!.socket.terminate()
        } else if (count >= limits[0]! + 20) {
          restarted ??= server.stop().then(async () => {
            server = await start()
          })
        }
      }
    })
    await Promise.all(typists.map((typist, index) => typist.type(clients[index]!, fileId)))
    await restarted
    await server.whenReady
    for (const typist of typists) typist.onAcknowledged = undefined
  }
  await attachAll()
  await server.stop()
  await box.remove()
  return typists.reduce((sum, { acknowledged }) => sum + acknowledged, 0)
}

describe('people who edit together', { timeout: 0 }, () => {
  it(`FILE27: converge over lost connections and restarts, seeds ${FIRST_SEED} to ${FIRST_SEED + SEEDS - 1}`, async () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
      const acknowledged = await run(seed).catch((error: unknown) => {
        throw new Error(`Seed ${seed}`, { cause: error })
      })
      expect(acknowledged).toBeGreaterThan(0)
    }
  })
})
