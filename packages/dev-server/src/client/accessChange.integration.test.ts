import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { permissionsFor } from '@boxyard/protocol'
import { startDevServer, type DevServer } from '../devServer.ts'
import { createLog } from '../log.ts'
import { createTestBox, type TestBox } from '../testing/testBox.ts'
import { TestClient } from '../testing/testClient.ts'

describe('a change of access', () => {
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

  const join = async (claims = {}): Promise<TestClient> =>
    TestClient.join(box.configuration.socket, await box.token(claims))
  const tell = async (body: string): Promise<number> => {
    const sent = request({ socketPath: box.configuration.socket, method: 'POST', path: '/access' }).end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    return response.statusCode ?? 0
  }
  const write = (client: TestClient): Promise<unknown> =>
    client.call('fs/writeFile', { path: 'a.txt', content: Buffer.from('a'), create: true, overwrite: true })

  it('DS400: who may do more is told and goes on; a program keeps what its token was made for', async () => {
    const reader = await join({ username: 'bob', access: 'read', sid: 'session' })
    const program = await join({ username: 'bob', access: 'read' })
    const eve = await join({ username: 'eve', access: 'read', sid: 'another' })
    await expect(write(reader)).rejects.toMatchObject({ code: 2 })
    expect(await tell(JSON.stringify({ user: 'bob', access: 'write' }))).toBe(200)
    const told = { isProtected: false, permissions: permissionsFor('write') }
    expect(await reader.next('client/permissions')).toEqual(told)
    await write(reader)
    for (const client of [program, eve]) await expect(write(client)).rejects.toMatchObject({ code: 2 })
  })

  it('DS401: who may do less is told and leaves, and the others hear why', async () => {
    const [ada, bob] = [await join(), await join({ username: 'bob', sid: 'session' })]
    const reader = await join({ username: 'bob', access: 'read' })
    await tell(JSON.stringify({ user: 'bob', access: 'read' }))
    expect((await bob.closed).code).toBe(1001)
    expect((await bob.next('client/permissions')).permissions).toEqual(permissionsFor('read'))
    const left = { clientId: bob.clientId, reason: 'AuthorizationChanged' }
    expect(await ada.next('client/disconnected')).toEqual(left)
    expect(await reader.call('client/list', {})).toEqual([ada.joined.client, reader.joined.client])
    await tell(JSON.stringify({ user: 'bob', access: 'none' }))
    expect((await reader.closed).code).toBe(1001)
    expect(await ada.next('client/disconnected')).toEqual({ ...left, clientId: reader.clientId })
    await write(ada)
  })

  it('DS402: what is no change of access is refused and changes nothing', async () => {
    const ada = await join()
    for (const body of ['', 'x', '[]', '{"user":"ada"}', '{"user":"ada","access":"owner"}', 'x'.repeat(2000)]) {
      expect([body.slice(0, 40), await tell(body)]).toEqual([body.slice(0, 40), 400])
    }
    await write(ada)
  })
})
