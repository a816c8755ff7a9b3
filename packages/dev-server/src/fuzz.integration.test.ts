import { encode, methods, type MethodName } from '@boxyard/protocol'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDevServer, type DevServer } from './devServer.ts'
import { createLog } from './log.ts'
import { createTestBox, type TestBox } from './testing/testBox.ts'
import { TestClient } from './testing/testClient.ts'

/** Nothing in here names a real file or starts a real program: the server under test runs unprotected. */
const texts = fc.constantFrom('nope', 'a\0b', '0', 'x'.repeat(5000), '\ud800')
const leaf = fc.oneof(
  texts,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.uint8Array({ maxLength: 20 }),
  fc.constantFrom(-1, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY),
)
const keys = fc.constantFrom(
  'id',
  'path',
  'operation',
  'revision',
  'selection',
  'type',
  'parentId',
  'newEntry',
  'name',
  'content',
  'text',
  'glob',
  'isRegex',
  'searchId',
  'watchId',
  'recursive',
  'excludes',
  'clientInfo',
  'subscriptions',
  'anchor',
  'head',
  'filename',
  'constructor',
)
const params = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 6 }),
  ),
})).value

const names = Object.keys(methods) as MethodName[]

describe('hostile frames', () => {
  let box: TestBox
  let server: DevServer
  const crashes: string[] = []
  beforeAll(async () => {
    box = await createTestBox()
    server = await startDevServer(
      box.configuration,
      createLog((line) => crashes.push(line)),
    )
  })
  afterAll(async () => {
    await server.stop()
    await box.remove()
  })

  it('DS14: any request with any parameters is answered, and the dev server goes on', async () => {
    const token = await box.token()
    const client = await TestClient.join(box.configuration.socket, token)
    let id = 1000
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), params, async (method, value) => {
        id += 1
        await client.raw({ id, method, params: value }).catch((error: unknown) => {
          expect(error).toMatchObject({ code: expect.any(Number), message: expect.any(String) })
        })
      }),
      { numRuns: 1500 },
    )
    expect(await client.call('client/list', {})).toEqual([client.joined.client])
    expect(crashes.filter((line) => line.includes('"A request failed"'))).toEqual([])
  })

  it('DS15: any bytes end at most their own socket', async () => {
    const token = await box.token()
    const witness = await TestClient.join(box.configuration.socket, token)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 64 }), { minLength: 1, maxLength: 5 }), async (frames) => {
        const client = await TestClient.open(box.configuration.socket, token)
        for (const frame of frames) client.socket.send(frame)
        await client.close()
      }),
      { numRuns: 150 },
    )
    const nested = await TestClient.open(box.configuration.socket, token)
    nested.socket.send(new Uint8Array(8_000_000).fill(0x91))
    expect((await nested.closed).code).toBe(1007)
    const huge = await TestClient.open(box.configuration.socket, token)
    huge.socket.send(new Uint8Array(65 * 1024 * 1024))
    expect((await huge.closed).code).toBe(1009)
    expect(await witness.call('client/list', {})).toContainEqual(witness.joined.client)
  })

  it('DS16: a reader that does not read is closed instead of filling the memory', async () => {
    const token = await box.token()
    const client = await TestClient.join(box.configuration.socket, token)
    await client.call('fs/writeFile', {
      path: 'big.bin',
      content: new Uint8Array(16 * 1024 * 1024),
      create: true,
      overwrite: true,
    })
    const lazy = await TestClient.join(box.configuration.socket, token)
    lazy.socket.pause()
    for (let id = 0; id < 12; id += 1)
      lazy.socket.send(encode({ id: id + 50, method: 'fs/readFile', params: { path: 'big.bin' } }))
    await client.next('client/disconnected', ({ clientId }) => clientId === lazy.clientId)
    lazy.socket.terminate()
  })
})
