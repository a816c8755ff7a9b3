import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestDatabase } from '../testing/database.ts'
import type { TestDatabase } from '../testing/database.ts'
import { EVENTS_APPLICATION, EventFeed } from './eventFeed.ts'
import type { PlatformEvent } from './platformEvent.ts'
import { publishEvent } from './publishEvent.ts'

let database: TestDatabase
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

async function startFeed(): Promise<{ heard: PlatformEvent[]; close(): Promise<void> }> {
  const heard: PlatformEvent[] = []
  const handler = async (event: PlatformEvent) => void heard.push(event)
  const feed = new EventFeed({ connection: { connectionString: database.url }, handlers: [handler], log: silent })
  await feed.start()
  return { heard, close: () => feed.close() }
}

const publish = (subject: string, number: number) =>
  database.database.transaction((tx) => publishEvent(tx, { type: 'happened', subject, data: { number } }))
const numbers = (heard: PlatformEvent[], subject: string) =>
  heard.filter((event) => event.subject === subject).map(({ data }) => (data as { number: number }).number)

describe('the feed of events', () => {
  it('AP308: reaches every server process, each event once and in the order of the commits', async () => {
    const feeds = await Promise.all([startFeed(), startFeed()])
    for (let number = 0; number < 50; number += 1) await publish('test:order', number)
    const expected = Array.from({ length: 50 }, (_, number) => number)
    for (const { heard } of feeds) await vi.waitUntil(() => numbers(heard, 'test:order').length >= 50)
    for (const { heard } of feeds) expect(numbers(heard, 'test:order')).toEqual(expected)
    await Promise.all(feeds.map((feed) => feed.close()))
  })

  it('AP309: says nothing of what was rolled back', async () => {
    const feed = await startFeed()
    const failing = database.database.transaction(async (tx) => {
      await publishEvent(tx, { type: 'happened', subject: 'test:rollback', data: { number: 1 } })
      throw new Error('It did not happen')
    })
    await expect(failing).rejects.toThrow('It did not happen')
    await publish('test:rollback', 2)
    await vi.waitUntil(() => numbers(feed.heard, 'test:rollback').length > 0)
    expect(numbers(feed.heard, 'test:rollback')).toEqual([2])
    await feed.close()
  })

  it('AP310: catches up with what was committed while its connection was broken', async () => {
    const feed = await startFeed()
    await publish('test:gap', 0)
    await vi.waitUntil(() => numbers(feed.heard, 'test:gap').length === 1)
    // An older transaction that commits in the gap has the lower id, so ids alone would not show it as missed.
    const client = await database.pool.connect()
    await client.query('begin')
    await client.query(`insert into events (type, subject, data) values ('happened', 'test:gap', '{"number": 1}')`)
    await publish('test:gap', 2)
    await vi.waitUntil(() => numbers(feed.heard, 'test:gap').length === 2)
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = $1',
      [EVENTS_APPLICATION],
    )
    await client.query('commit')
    client.release()
    await publish('test:gap', 3)
    await vi.waitUntil(() => numbers(feed.heard, 'test:gap').length === 4)
    expect(numbers(feed.heard, 'test:gap')).toEqual([0, 2, 1, 3])
    await feed.close()
  })

  it('AP311: keeps the order within a subject when a handler is slow', async () => {
    const heard: string[] = []
    let release = () => undefined as void
    const held = new Promise<void>((resolve) => (release = resolve))
    const handler = async ({ subject, data }: PlatformEvent) => {
      const { number } = data as { number: number }
      if (subject === 'test:slow' && number === 1) await held
      heard.push(`${subject} ${number}`)
    }
    const feed = new EventFeed({ connection: { connectionString: database.url }, handlers: [handler], log: silent })
    await feed.start()
    await publish('test:slow', 1)
    await publish('test:slow', 2)
    await publish('test:quick', 3)
    await vi.waitUntil(() => heard.length === 1)
    expect(heard).toEqual(['test:quick 3'])
    release()
    await vi.waitUntil(() => heard.length === 3)
    expect(heard).toEqual(['test:quick 3', 'test:slow 1', 'test:slow 2'])
    await feed.close()
  })

  it('AP312: outlives a handler that fails', async () => {
    const heard: number[] = []
    const handler = async ({ data }: PlatformEvent) => {
      const { number } = data as { number: number }
      if (number === 1) throw new Error('This handler fails')
      heard.push(number)
    }
    const feed = new EventFeed({ connection: { connectionString: database.url }, handlers: [handler], log: silent })
    await feed.start()
    await publish('test:fails', 1)
    await publish('test:fails', 2)
    await vi.waitUntil(() => heard.includes(2))
    expect(heard).toEqual([2])
    await feed.close()
  })
})
