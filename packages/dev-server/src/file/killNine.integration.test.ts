import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ProtocolError, savedHash } from '@boxyard/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildForTest, ChildServer } from '../testing/childServer.ts'
import { createTestBox } from '../testing/testBox.ts'
import { FileMaker } from '../testing/fileMaker.ts'
import { seeded } from '../testing/seeded.ts'
import { TestClient } from '../testing/testClient.ts'
import { checkText, Typist } from '../testing/typist.ts'

const ROUNDS = Number(process.env['BOXYARD_KILL_ROUNDS'] ?? 25)
const SEED = Number(process.env['BOXYARD_KILL_SEED'] ?? 20_261_121)
const TYPISTS = 4

describe('kill -9', () => {
  let build: Awaited<ReturnType<typeof buildForTest>>
  beforeAll(async () => {
    build = await buildForTest()
  })
  afterAll(() => build.remove())

  it(`FILE19: nothing acknowledged is lost at ${ROUNDS} random points`, { timeout: 1_000_000 }, async () => {
    const box = await createTestBox()
    const path = join(box.configuration.workspace, 'shared.txt')
    await writeFile(path, 'start\n')
    const random = seeded(SEED)
    let next = 0x3400
    const nextCharacter = (): string => String.fromCharCode(next++)
    const typists = Array.from({ length: TYPISTS }, () => new Typist(random, nextCharacter))
    const maker = new FileMaker()
    let server = await ChildServer.start(build.main, box.environment)
    let fileId = ''
    const token = (index: number): Promise<string> => box.token({ username: `typist${index}` })

    const attachAll = async (): Promise<TestClient[]> => {
      const clients = await Promise.all(
        typists.map(async (typist, index) =>
          TestClient.join(box.configuration.socket, await token(index), {
            query: typist.reconnectToken ? `&reconnectToken=${typist.reconnectToken}` : '',
          }),
        ),
      )
      const { treeNodes } = await clients[0]!.call('fs/read', null)
      expect(maker.mistakesIn(treeNodes)).toEqual([])
      fileId = treeNodes.find(({ name }) => name === 'shared.txt')!.id
      let text = ''
      for (const [index, typist] of typists.entries()) {
        const file = await typist.attach(clients[index]!, fileId)
        text = String(file.content)
        expect(file.savedHash).toBe(savedHash(await readFile(path, 'utf8')))
      }
      // Only now everybody knows whether what was in flight had arrived.
      checkText(text, typists)
      for (const { document } of typists) if (document?.state === 'synchronized') expect(document.text).toBe(text)
      return clients
    }

    for (let round = 0; round < ROUNDS; round += 1) {
      const clients = await attachAll()
      const killAfter = 1 + Math.floor(random() * 60)
      const saveAfter = Math.floor(random() * 60)
      let count = 0
      const killed = new Promise<void>((resolve) => {
        for (const typist of typists) {
          typist.onAcknowledged = () => {
            count += 1
            // Saves run into the kill as well; what they answer is of no interest here.
            if (count === saveAfter) clients[0]!.call('file/save', { id: fileId }).catch(() => undefined)
            if (count === killAfter) server.end('SIGKILL').then(() => resolve(), resolve)
          }
        }
      })
      const making = TestClient.join(box.configuration.socket, await token(TYPISTS))
        .then((client) => maker.make(client))
        // The kill may come before the join.
        .catch((error: unknown) => {
          if (error instanceof ProtocolError) throw error
        })
      await Promise.all([making, ...typists.map((typist, index) => typist.type(clients[index]!, fileId))])
      expect(count).toBeGreaterThanOrEqual(killAfter)
      await killed
      for (const typist of typists) typist.onAcknowledged = undefined
      server = await ChildServer.start(build.main, box.environment)
    }

    const [last] = await attachAll()
    const text = String((await last!.call('file/open', { id: fileId })).content)
    checkText(text, typists)
    await last!.call('file/save', { id: fileId })
    expect(await readFile(path, 'utf8')).toBe(text)
    expect(typists.reduce((sum, { acknowledged }) => sum + acknowledged, 0)).toBeGreaterThan(ROUNDS)
    expect(maker.made.size).toBeGreaterThan(0)
    expect(await server.end('SIGTERM')).toBe(0)
    await box.remove()
  })
})
