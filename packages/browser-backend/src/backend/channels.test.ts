import type { DevServerClient } from '@boxyard/dev-server-client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { MemoryRoom } from '../testing/memoryRoom.ts'
import { MemoryStorage } from '../testing/memoryStorage.ts'
import { startSandbox } from '../testing/startSandbox.ts'

const clients: DevServerClient[] = []
afterEach(() => {
  for (const client of clients.splice(0)) client.dispose()
})

interface Heard {
  method: string
  clientId: string
  subscribers?: readonly string[]
  data?: unknown
  isUser?: boolean
}

/** A page that somebody has the sandbox open in, and what its client hears of channels. */
async function openPage(meeting: MemoryRoom, storage: MemoryStorage, username: string | null, pageId: string) {
  const page = await startSandbox({ meeting, storage, username, pageId, access: 'read' })
  const connect = async () => {
    const client = await page.connect()
    clients.push(client)
    const heard: Heard[] = []
    for (const method of ['channel/subscribed', 'channel/unsubscribed', 'channel/message'] as const)
      client.connection.onNotification(method, (params) => void heard.push({ method, ...params }))
    const { connection } = client
    return {
      client,
      heard,
      id: client.clients.self!.clientId,
      subscribe: async (name: string) => (await connection.request('channel/subscribe', { name })).subscribers,
      unsubscribe: (name: string) => connection.request('channel/unsubscribe', { name }),
      say: async (name: string, data: Record<string, unknown>, to?: string[]) =>
        (await connection.request('channel/message', { name, data, ...(to && { clients: to }) })).clients,
      /** Whom it knows to be in the channel: what it was told last. */
      subscribers: () => heard.findLast((one) => one.subscribers)?.subscribers ?? [],
      said: () =>
        heard.filter(({ method }) => method === 'channel/message').map(({ data, isUser }) => ({ data, isUser })),
    }
  }
  return { connect, ...(await connect()) }
}

async function openTwo(second: string | null = 'grace') {
  const storage = new MemoryStorage({ 'a.ts': '' })
  const meeting = new MemoryRoom(storage)
  const ada = await openPage(meeting, storage, 'ada', 'page-of-ada')
  const other = await openPage(meeting, storage, second, 'other-page')
  await vi.waitUntil(() => ada.client.clients.all.length === 2 && other.client.clients.all.length === 2)
  return { meeting, storage, ada, other }
}

describe('channels of a sandbox without a machine', () => {
  it('BB1023: a client has the id that other pages know it by, and both are in one channel', async () => {
    const { ada, other } = await openTwo()
    const followed = other.client.clients.all.find(({ username }) => username === 'ada')!
    expect([ada.id, followed.clientId]).toEqual(Array(2).fill('page-of-ada'))
    const name = `follow-${ada.id}`
    expect(await ada.subscribe(name)).toEqual([ada.id])
    await other.subscribe(name)
    await vi.waitUntil(() => ada.subscribers().length === 2 && other.subscribers().length === 2)
    expect(new Set(ada.subscribers())).toEqual(new Set([ada.id, other.id]))
    const focus = { type: 'FOCUS_FILE', filepath: 'a.ts', visibleLines: [1, 9], currentLine: 3 }
    expect(await ada.say(name, focus)).toEqual([other.id])
    await vi.waitUntil(() => other.said().length > 0)
    expect(other.said()).toEqual([{ data: focus, isUser: false }])
    expect(ada.said()).toEqual([])

    await other.unsubscribe(name)
    await vi.waitUntil(() => ada.heard.at(-1)?.method === 'channel/unsubscribed')
    expect(ada.subscribers()).toEqual([ada.id])
    expect(await ada.say(name, focus)).toEqual([])
    await expect(other.say(name, {})).rejects.toMatchObject({ code: 500 })
  })

  it('BB1023: clients of one page hear each other too, and only who is meant', async () => {
    const { ada, other } = await openTwo()
    const second = await ada.connect()
    expect(second.id).not.toBe(ada.id)
    for (const one of [ada, second, other]) await one.subscribe('c')
    await vi.waitUntil(() => ada.subscribers().length === 3 && other.subscribers().length === 2)
    expect(await ada.say('c', { a: 1 })).toEqual([second.id, other.id])
    expect(await ada.say('c', { a: 2 }, [second.id])).toEqual([second.id])
    expect(await ada.say('c', { a: 3 }, [other.id])).toEqual([other.id])
    await vi.waitUntil(() => second.said().length === 2 && other.said().length === 2)
    expect(second.said().map(({ data }) => data)).toEqual([{ a: 1 }, { a: 2 }])
    expect(other.said().map(({ data }) => data)).toEqual([{ a: 1 }, { a: 3 }])
    second.client.dispose()
    await vi.waitUntil(() => ada.heard.at(-1)?.method === 'channel/unsubscribed')
    await expect(ada.say('c', { much: 'x'.repeat(70_000) })).rejects.toThrow('characters at most')
  })

  it('BB1024: another window of the same person is told apart, and nobody who is not signed in', async () => {
    const same = await openTwo('ada')
    await same.ada.subscribe('command-ada')
    await same.other.subscribe('command-ada')
    await vi.waitUntil(() => same.ada.subscribers().length === 2)
    await same.ada.say('command-ada', { type: 'OPEN_FILE' })
    await vi.waitUntil(() => same.other.said().length > 0)
    expect(same.other.said()).toEqual([{ data: { type: 'OPEN_FILE' }, isUser: true }])

    const { meeting, storage, other } = await openTwo(null)
    const another = await openPage(meeting, storage, null, 'third-page')
    await other.subscribe('command-anonymous')
    await another.subscribe('command-anonymous')
    await vi.waitUntil(() => another.subscribers().length === 2)
    await another.say('command-anonymous', { type: 'OPEN_FILE' })
    await vi.waitUntil(() => other.said().length > 0)
    expect(other.said()).toEqual([{ data: { type: 'OPEN_FILE' }, isUser: false }])
  })

  it('BB1025: without the room nobody else is in a channel; with it back all are, by the same ids', async () => {
    const { meeting, ada, other } = await openTwo()
    await ada.subscribe('c')
    await other.subscribe('c')
    await vi.waitUntil(() => ada.subscribers().length === 2 && other.subscribers().length === 2)
    meeting.goAway()
    await vi.waitUntil(() => ada.subscribers().length === 1 && other.subscribers().length === 1)
    expect(await ada.say('c', {})).toEqual([])
    meeting.comeBack()
    await vi.waitUntil(() => ada.subscribers().length === 2 && other.subscribers().length === 2)
    await other.say('c', { back: true })
    await vi.waitUntil(() => ada.said().length > 0)
    expect(ada.heard.at(-1)).toMatchObject({ clientId: 'other-page', data: { back: true } })
  })

  it('BB1025: what another page sends is not trusted', async () => {
    const { meeting, ada, other } = await openTwo()
    await ada.subscribe('c')
    for (const data of ['no JSON', '"no object"', '[1]', 'null'])
      meeting.tell({ type: 'said', channel: 'c', from: other.id, data })
    meeting.tell({ type: 'said', channel: 'c', from: 'nobody', data: '{}' })
    meeting.tell({ type: 'said', channel: 'unknown', from: other.id, data: '{}' })
    meeting.tell({ type: 'said', channel: 'c', from: other.id, data: '{"good":true}' })
    await vi.waitUntil(() => ada.said().length > 0)
    expect(ada.said()).toEqual([{ data: { good: true }, isUser: false }])
  })
})
