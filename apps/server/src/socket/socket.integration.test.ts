import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { WebSocket } from 'ws'
import type { TestBrowser } from '../testing/browser.ts'
import { recordingMachines } from '../testing/machines.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'
import { connectSocket, transportTo } from '../testing/socketClient.ts'
import { writeTemplates } from '../testing/templates.ts'

const templates = writeTemplates({ node: { title: 'Node' } })
let server: TestServer
let ada: TestBrowser
let grace: TestBrowser

beforeAll(async () => {
  server = await startTestServer(
    {},
    {
      machines: async () => ({ service: recordingMachines(), close: async () => undefined }),
      templatesFolder: templates.folder,
    },
  )
  ada = await server.signedIn('ada')
  grace = await server.signedIn('grace')
})
afterAll(async () => {
  await server.close()
  templates.remove()
})

async function fork(privacy: number): Promise<string> {
  const answer = await ada.call('POST', '/api/v1/sandboxes/node/fork', { privacy })
  return (answer.body as { data: { id: string } }).data.id
}
const rename = (id: string, title: string) => ada.call('PUT', `/api/v1/sandboxes/${id}`, { sandbox: { title } })
const changed = 'subscription ($id: ID!) { sandboxChanged(sandboxId: $id) { id title authorization } }'

describe('the socket', () => {
  it('AP300: delivers an event to each follower, with what is true for them', async () => {
    const id = await fork(0)
    const [first, second] = [await connectSocket(server, ada), await connectSocket(server, grace)]
    const [own, others] = [await first.follow(changed, { id }), await second.follow(changed, { id })]
    await rename(id, 'Renamed')
    expect(await own.next()).toEqual({ data: { sandboxChanged: { id, title: 'Renamed', authorization: 'OWNER' } } })
    expect(await others.next()).toEqual({ data: { sandboxChanged: { id, title: 'Renamed', authorization: 'READ' } } })
    first.close()
    second.close()
  })

  it('AP301: refuses to follow what one may not see', async () => {
    const id = await fork(2)
    const client = await connectSocket(server, grace)
    await expect(client.follow(changed, { id })).rejects.toThrow()
    await expect(client.follow(changed, { id: 'nothing' })).rejects.toThrow()
    await expect(client.follow('subscription { nothing }')).rejects.toThrow()
    client.close()
  })

  it('AP302: ends what may no longer be followed, and says so', async () => {
    const id = await fork(0)
    const client = await connectSocket(server, grace)
    const following = await client.follow(changed, { id })
    await ada.call('PATCH', `/api/v1/sandboxes/${id}/privacy`, { sandbox: { privacy: 2 } })
    expect(await following.next()).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] })
    client.close()
  })

  it('AP303: answers queries and mutations on the same channel', async () => {
    const client = await connectSocket(server, ada)
    expect(await client.send('{ me { username } }')).toMatchObject({ data: { me: { username: 'ada' } } })
    client.close()
  })

  it('AP304: delivers nothing after an unsubscribe', async () => {
    const id = await fork(0)
    const client = await connectSocket(server, ada)
    const cancelled = await client.follow(changed, { id })
    const kept = await client.follow('subscription ($id: ID!) { sandboxChanged(sandboxId: $id) { title } }', { id })
    cancelled.cancel()
    // A round trip on the same connection: what was sent before it has been worked on.
    await client.send('{ me { id } }')
    await rename(id, 'After')
    expect(await kept.next()).toEqual({ data: { sandboxChanged: { title: 'After' } } })
    expect(cancelled.results).toEqual([])
    client.close()
  })

  it('AP305: gives a client that comes back its subscriptions again', async () => {
    const id = await fork(0)
    const client = await connectSocket(server, ada)
    const following = await client.follow(changed, { id })
    const connection = (client.phoenix as unknown as { conn: WebSocket }).conn
    connection.terminate()
    await vi.waitUntil(async () => {
      await rename(id, `Try ${following.results.length}`)
      return following.results.length > 0
    })
    client.close()
  })

  it.each(['nonsense', '', undefined])('AP306: refuses the upgrade with the token %s by 403', async (token) => {
    const query = token === undefined ? '' : `guardian_token=${token}&`
    expect(await upgradeStatus(`${query}vsn=2.0.0`)).toBe(403)
  })

  it('AP306: refuses an unknown version by 400', async () => {
    expect(await upgradeStatus('vsn=9.0.0')).toBe(400)
  })
})

describe.each([
  ['2.0.0', (fields: unknown[]) => fields],
  ['1.0.0', ([joinRef, ref, topic, event, payload]: unknown[]) => ({ join_ref: joinRef, ref, topic, event, payload })],
])('AP307: frames of version %s', (version, frame) => {
  it('get their answers with the references they came with', async () => {
    const socket = await open(`guardian_token=${await jwt()}&vsn=${version}`)
    const ask = (...fields: unknown[]) => {
      const answered = new Promise<unknown>((resolve) =>
        socket.once('message', (data) => resolve(JSON.parse(String(data)))),
      )
      socket.send(JSON.stringify(frame(fields)))
      return answered
    }
    const reply = (joinRef: string | null, ref: string, topic: string, status: string, response: unknown) =>
      frame([joinRef, ref, topic, 'phx_reply', { status, response }])
    expect(await ask(null, '1', 'phoenix', 'heartbeat', {})).toEqual(reply(null, '1', 'phoenix', 'ok', {}))
    const unmatched = { reason: 'unmatched topic' }
    expect(await ask('2', '2', 'room:x', 'phx_join', {})).toEqual(reply('2', '2', 'room:x', 'error', unmatched))
    const control = '__absinthe__:control'
    expect(await ask('3', '3', control, 'phx_join', {})).toEqual(reply('3', '3', control, 'ok', {}))
    expect(await ask('3', '4', control, 'doc', { query: '{ me { username } }', variables: {} })).toEqual(
      reply('3', '4', control, 'ok', { data: { me: { username: 'ada' } } }),
    )
    const noMap = { error: 'Could not parse variables as map' }
    expect(await ask('3', '5', control, 'doc', { query: '{ me { username } }', variables: [1] })).toEqual(
      reply('3', '5', control, 'error', noMap),
    )
    expect(await ask('3', '6', control, 'doc', { query: '{ me { nothing } }', variables: {} })).toEqual(
      reply('3', '6', control, 'error', { errors: [expect.objectContaining({ message: expect.any(String) })] }),
    )
    expect(await ask('3', '7', control, 'doc', 'nonsense')).toEqual(
      reply('3', '7', control, 'error', { errors: [{ message: 'A document needs a query' }] }),
    )
    socket.close()
  })

  it('that can not be read end the connection, and nothing else', async () => {
    for (const data of ['{', 'null', '[]', '["1","2","topic"]', Buffer.from([1, 2, 3])]) {
      const socket = await open(`guardian_token=${await jwt()}&vsn=${version}`)
      const closed = new Promise((resolve) => socket.once('close', (code) => resolve(code)))
      socket.send(data)
      expect(await closed).toBe(1003)
    }
    expect((await ada.call('GET', '/api/health')).status).toBe(200)
  })
})

async function jwt(): Promise<string> {
  const { body } = await ada.call('GET', '/api/v1/auth/jwt')
  return (body as { data: { jwt: string } }).data.jwt
}

function open(query: string): Promise<WebSocket> {
  const Transport = transportTo(server)
  const socket = new Transport(`ws://127.0.0.1:${server.port}/socket/websocket?${query}`)
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket))
    socket.once('error', reject)
  })
}

function upgradeStatus(query: string): Promise<number> {
  const Transport = transportTo(server)
  const socket = new Transport(`ws://127.0.0.1:${server.port}/socket/websocket?${query}`)
  return new Promise((resolve) => {
    socket.once('unexpected-response', (_request, response) => {
      resolve(response.statusCode ?? 0)
      response.destroy()
    })
    socket.once('error', () => undefined)
  })
}
