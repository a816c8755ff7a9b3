import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fromRoomSchema, MOST_CHANNELS } from '@boxyard/api'
import type { FromRoom, ToRoom } from '@boxyard/api'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { sandboxModules } from '../database/schema.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { recordingMachines } from '../testing/machines.ts'
import type { RecordingMachines } from '../testing/machines.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'
import { writeTemplates } from '../testing/templates.ts'

const templates = writeTemplates({ plain: { title: 'Plain', browser: true } })
/** What the machine of each sandbox was given, by path. */
const given = new Map<string, Map<string, string>>()
const machines: RecordingMachines = {
  ...recordingMachines(),
  async create(id, source) {
    if (source.kind !== 'files') throw new Error(`A ${source.kind} was not expected`)
    const entries = await readdir(source.folder, { recursive: true, withFileTypes: true })
    const names = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(source.folder, join(parentPath, name)))
    const texts = await Promise.all(names.map((name) => readFile(join(source.folder, name), 'utf8')))
    given.set(id, new Map(names.map((name, at) => [name, texts[at]!])))
  },
}
let server: TestServer
let ada: TestBrowser
let grace: TestBrowser
const pages: Page[] = []

beforeAll(async () => {
  const parts = { machines: async () => ({ service: machines, close: async () => undefined }) }
  server = await startTestServer({}, { ...parts, templatesFolder: templates.folder })
  ada = await server.signedIn('ada')
  grace = await server.signedIn('grace')
})
afterAll(async () => {
  for (const page of pages) page.socket.terminate()
  await server.close()
  templates.remove()
})

/** One open page. `next` is the next message of a kind that was not asked for yet. */
interface Page {
  socket: WebSocket
  id: string
  client: string
  joined: Extract<FromRoom, { type: 'joined' }>
  send(message: ToRoom): void
  next<T extends FromRoom['type']>(type: T): Promise<Extract<FromRoom, { type: T }>>
  heard: FromRoom[]
}

function connect(id: string, browser: TestBrowser | null, at: TestServer = server, secret?: string): WebSocket {
  const cookie = [...(browser?.cookies ?? [])].map((pair) => pair.join('=')).join('; ')
  const headers = { host: new URL(at.origin).host, origin: at.origin, ...(cookie !== '' && { cookie }) }
  return new WebSocket(`ws://127.0.0.1:${at.port}/api/v1/sandboxes/${id}/room${secret ? `?page=${secret}` : ''}`, {
    headers,
  })
}

async function enter(id: string, browser: TestBrowser | null, at: TestServer = server, secret?: string): Promise<Page> {
  const socket = connect(id, browser, at, secret)
  const heard: FromRoom[] = []
  const waiting: (() => void)[] = []
  socket.on('message', (data) => {
    heard.push(fromRoomSchema.parse(JSON.parse(String(data))))
    for (const look of waiting.splice(0)) look()
  })
  socket.once('close', () => waiting.splice(0).forEach((look) => look()))
  const read = new Set<FromRoom>()
  const next: Page['next'] = async (type) => {
    for (;;) {
      const found = heard.find((message) => message.type === type && !read.has(message))
      if (found) {
        read.add(found)
        return found as never
      }
      if (socket.readyState === socket.CLOSED) throw new Error(`The room closed before it said ${type}`)
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }
  await once(socket, 'open')
  const joined = await next('joined')
  const send = (message: ToRoom) => socket.send(JSON.stringify(message))
  const page = { socket, heard, next, send, joined, id: joined.self.id, client: randomUUID() }
  pages.push(page)
  await next('state')
  return page
}

async function createSandbox(privacy = 0): Promise<string> {
  const { body } = await ada.call('POST', '/api/v1/sandboxes/plain/fork', { v2: false, privacy })
  return (body as { data: { id: string } }).data.id
}
async function createFile(id: string, code: string): Promise<string> {
  const { body } = await ada.call('POST', `/api/v1/sandboxes/${id}/modules`, { title: `${randomUUID()}.ts`, code })
  return (body as { data: { shortid: string } }).data.shortid
}
async function codeOf(id: string, shortid: string): Promise<string> {
  const { body } = await ada.call('GET', `/api/v1/sandboxes/${id}`)
  const { modules } = (body as { data: { modules: { shortid: string; code: string }[] } }).data
  return modules.find((module) => module.shortid === shortid)!.code
}
/** The text as the room has it. */
async function textOf(page: Page, document: string): Promise<string> {
  page.send({ type: 'open', document })
  const { state } = await page.next('document')
  return 'text' in state ? state.text : ''
}
const write = (page: Page, document: string, operation: (number | string)[], revision = 0, sequence = 1) =>
  page.send({ type: 'operation', document, operation, revision, author: { client: page.client, sequence } })

describe('the room of a sandbox', () => {
  it('BB200: lets those in who may see it, and only those change it who may edit', async () => {
    const id = await createSandbox()
    const document = await createFile(id, 'one')
    const [owner, visitor, nobody] = [await enter(id, ada), await enter(id, grace), await enter(id, null)]
    expect([owner, visitor, nobody].map(({ joined }) => joined.access)).toEqual(['write', 'read', 'read'])
    for (const page of [visitor, nobody]) {
      write(page, document, ['x', 3])
      expect(await page.next('failed')).toMatchObject({ of: 'operation' })
      page.send({ type: 'save', document })
      expect(await page.next('failed')).toMatchObject({ of: 'save' })
      expect(await textOf(page, document)).toBe('one')
    }
    const secret = await createSandbox(2)
    await expect(enter(secret, grace)).rejects.toThrow('404')
    await expect(enter('nothing', ada)).rejects.toThrow('404')
  })

  it('BB201: tells who is there, who comes and who goes, and where they are', async () => {
    const id = await createSandbox()
    const document = await createFile(id, 'one')
    const first = await enter(id, ada)
    const second = await enter(id, grace)
    expect(second.joined.people).toEqual([first.joined.self])
    expect(await first.next('arrived')).toEqual({ type: 'arrived', person: second.joined.self })
    expect(second.joined.self).toMatchObject({ username: 'grace' })
    expect(second.joined.self.color).not.toBe(first.joined.self.color)
    second.send({ type: 'select', document, selection: [{ anchor: 1, head: 2 }] })
    expect(await first.next('selection')).toMatchObject({ person: second.id, selection: [{ anchor: 1, head: 2 }] })
    second.socket.close()
    expect(await first.next('left')).toEqual({ type: 'left', id: second.id })
  })

  it('BB202: accepts what is in the database, and tells all the same order', async () => {
    const id = await createSandbox()
    const document = await createFile(id, '')
    const [first, second] = [await enter(id, ada), await enter(id, ada)]
    await Promise.all([textOf(first, document), textOf(second, document)])
    const count = 40
    for (const [page, letter] of [
      [first, 'a'],
      [second, 'b'],
    ] as const) {
      void (async () => {
        let revision = 0
        let length = 0
        for (let sequence = 1; sequence <= count; sequence += 1) {
          // Each types on its own text, never having seen the other's.
          write(page, document, length === 0 ? [letter] : [letter, length], revision, sequence)
          const accepted = await page.next('accepted')
          const stored = await server.database.pool.query(
            'select 1 from room_operations where shortid = $1 and revision = $2',
            [document, accepted.revision],
          )
          expect(stored.rowCount).toBe(1)
          revision = accepted.revision
          length = revision
        }
      })()
    }
    const all = (page: Page) => page.heard.filter(({ type }) => type === 'operation' || type === 'accepted')
    await vi.waitUntil(() => all(first).length === 2 * count && all(second).length === 2 * count, { timeout: 60_000 })
    for (const page of [first, second]) {
      const revisions = all(page).map((message) => ('revision' in message ? message.revision : 0))
      expect(revisions).toEqual(Array.from({ length: 2 * count }, (_, index) => index + 1))
    }
    expect((await textOf(first, document)).length).toBe(2 * count)
  })

  it('BB203: answers a repeated operation as before, and tells who comes back what they missed', async () => {
    const id = await createSandbox()
    const document = await createFile(id, 'one')
    const page = await enter(id, ada)
    write(page, document, [3, ' two'])
    expect(await page.next('accepted')).toMatchObject({ revision: 1 })
    write(page, document, [3, ' two'])
    expect(await page.next('accepted')).toMatchObject({ revision: 1 })
    write(page, document, [7, ' three'], 1, 2)
    await page.next('accepted')
    const back = await enter(id, ada)
    const inFlight = { client: page.client, sequence: 2 }
    back.send({ type: 'open', document, since: 1, inFlight })
    expect(await back.next('document')).toMatchObject({
      revision: 2,
      state: { operations: [{ operation: [7, ' three'], revision: 2, author: inFlight }] },
    })
    back.send({ type: 'open', document, since: 99, inFlight })
    const text = 'one two three'
    expect(await back.next('document')).toMatchObject({ revision: 2, state: { text, hasInFlight: true } })
    back.send({ type: 'open', document, inFlight: { ...inFlight, sequence: 3 } })
    expect(await back.next('document')).toMatchObject({ state: { text, hasInFlight: false } })
    write(page, document, [1, 'misfit'], 2, 3)
    expect(await page.next('failed')).toMatchObject({ of: 'operation' })
  })

  it('BB204, BB208: texts outlive a process, and two processes share them', async () => {
    const id = await createSandbox()
    const document = await createFile(id, '')
    const page = await enter(id, ada)
    // More than are written down at once.
    for (let sequence = 1; sequence <= 300; sequence += 1)
      write(page, document, sequence === 1 ? ['x'] : [sequence - 1, 'x'], sequence - 1, sequence)
    for (let sequence = 1; sequence <= 300; sequence += 1) await page.next('accepted')
    const other = await startTestServer({ DATABASE_URL: server.database.url }, { templatesFolder: templates.folder })
    try {
      const there = await enter(id, ada, other)
      there.send({ type: 'open', document })
      expect(await there.next('document')).toMatchObject({ revision: 300, state: { text: 'x'.repeat(300) } })
      write(there, document, [300, 'y'], 300)
      expect(await there.next('accepted')).toMatchObject({ revision: 301 })
      expect(await page.next('operation')).toMatchObject({ revision: 301, operation: [300, 'y'] })
      write(page, document, ['z', 301], 301, 301)
      expect(await there.next('operation')).toMatchObject({ revision: 302, operation: ['z', 301] })
      there.socket.terminate()
    } finally {
      await other.close()
    }
  })

  it('BB205: saves the text as the file for all, and for copies', async () => {
    const id = await createSandbox()
    const document = await createFile(id, 'one')
    const [first, second] = [await enter(id, ada), await enter(id, grace)]
    write(first, document, [3, '!'])
    await first.next('accepted')
    expect(await codeOf(id, document)).toBe('one')
    first.send({ type: 'save', document })
    for (const page of [first, second]) expect(await page.next('saved')).toMatchObject({ document, text: 'one!' })
    expect(await codeOf(id, document)).toBe('one!')
    const late = await enter(id, ada)
    expect(late.heard.find(({ type }) => type === 'state')).toMatchObject({ unsaved: [] })
    write(first, document, [4, '?'], 1, 2)
    await first.next('accepted')
    const later = await enter(id, ada)
    expect(later.heard.find(({ type }) => type === 'state')).toMatchObject({ unsaved: [document] })
  })

  it('BB206, BB207: takes in what is written to a file past its text, and tells pages of files', async () => {
    const id = await createSandbox()
    const document = await createFile(id, 'one\n')
    const [first, second] = [await enter(id, ada), await enter(id, ada)]
    write(first, document, [4, 'typed\n'])
    await first.next('accepted')
    await ada.call('PUT', `/api/v1/sandboxes/${id}/modules/${document}`, { code: 'zero\none\n' })
    expect(await second.next('files')).toMatchObject({ modules: [{ shortid: document, code: 'zero\none\n' }] })
    expect(await second.next('saved')).toMatchObject({ text: 'zero\none\n' })
    expect(await textOf(second, document)).toBe('zero\none\ntyped\n')
    const headers = { origin: server.origin, 'x-boxyard-room-person': first.id }
    await ada.request(`/api/v1/sandboxes/${id}/modules/${document}`, { method: 'DELETE', headers })
    expect(await second.next('files')).toMatchObject({ removedModules: [document] })
    second.send({ type: 'open', document })
    expect(await second.next('failed')).toMatchObject({ of: 'open' })
    expect(first.heard.some((message) => message.type === 'files' && message.removedModules.length > 0)).toBe(false)
  })

  it('BB209: sends those away whose rights change, and whoever does not speak its language', async () => {
    const id = await createSandbox()
    const visitor = await enter(id, grace)
    const closed = once(visitor.socket, 'close')
    await ada.call('PATCH', `/api/v1/sandboxes/${id}/privacy`, { sandbox: { privacy: 2 } })
    await closed
    await expect(enter(id, grace)).rejects.toThrow('404')
    const page = await enter(id, ada)
    const ended = once(page.socket, 'close')
    page.socket.send('{"type":"nonsense"}')
    expect((await ended)[0]).toBe(1007)
  })
})

describe('channels of a room', () => {
  it('BB210: those in a channel hear who is in it and what is said, and nobody else does', async () => {
    const id = await createSandbox()
    const [owner, reader, visitor] = [await enter(id, ada), await enter(id, grace), await enter(id, null)]
    const channel = 'follow-somebody'
    owner.send({ type: 'enter', channel })
    expect(await owner.next('members')).toEqual({ type: 'members', channel, members: [owner.id] })
    reader.send({ type: 'enter', channel })
    const both = { type: 'members', channel, members: [owner.id, reader.id] }
    expect([await owner.next('members'), await reader.next('members')]).toEqual([both, both])
    visitor.send({ type: 'say', channel, data: '"from outside"', to: null })
    visitor.send({ type: 'enter', channel })
    await Promise.all([owner, reader, visitor].map((page) => page.next('members')))
    reader.send({ type: 'say', channel, data: '{"a":1}', to: null })
    const said = { type: 'said', channel, from: reader.id, data: '{"a":1}' }
    expect([await owner.next('said'), await visitor.next('said')]).toEqual([said, said])
    reader.send({ type: 'say', channel, data: '{"a":2}', to: [visitor.id] })
    expect(await visitor.next('said')).toMatchObject({ data: '{"a":2}' })
    visitor.send({ type: 'exit', channel })
    expect(await owner.next('members')).toEqual(both)
    reader.socket.close()
    expect(await owner.next('members')).toMatchObject({ members: [owner.id] })
    expect(owner.heard.filter(({ type }) => type === 'said')).toEqual([said])
    expect(reader.heard.some(({ type }) => type === 'said')).toBe(false)
  })

  it('BB210: a page is in a limited number of channels', async () => {
    const page = await enter(await createSandbox(), ada)
    for (let count = 0; count <= MOST_CHANNELS; count += 1) page.send({ type: 'enter', channel: `c${count}` })
    page.send({ type: 'exit', channel: 'c0' })
    page.send({ type: 'enter', channel: 'last' })
    await vi.waitUntil(() => page.heard.some((message) => message.type === 'members' && message.channel === 'last'))
    expect(page.heard.filter(({ type }) => type === 'members')).toHaveLength(MOST_CHANNELS + 1)
  })

  it('BB211: a page that comes back has its id and takes its place; nobody else gets it', async () => {
    const id = await createSandbox()
    const secret = randomUUID()
    const other = await enter(id, grace)
    const first = await enter(id, ada, server, secret)
    expect(await other.next('arrived')).toMatchObject({ person: { id: first.id } })
    other.send({ type: 'enter', channel: 'c' })
    await other.next('members')
    first.send({ type: 'enter', channel: 'c' })
    expect(await other.next('members')).toMatchObject({ members: [other.id, first.id] })
    const closed = once(first.socket, 'close')
    const back = await enter(id, ada, server, secret)
    expect(back.id).toBe(first.id)
    expect(back.joined.people.map((person) => person.id)).toEqual([other.id])
    await closed
    expect(await other.next('members')).toMatchObject({ members: [other.id] })
    expect(await other.next('left')).toEqual({ type: 'left', id: first.id })
    expect(await other.next('arrived')).toMatchObject({ person: { id: first.id } })
    back.send({ type: 'enter', channel: 'c' })
    expect(await other.next('members')).toMatchObject({ members: [other.id, back.id] })
    const mallory = await enter(id, grace, server, first.id.padEnd(36, '0'))
    expect(mallory.id).not.toBe(first.id)
  })
})

describe('a sandbox that becomes a devbox', () => {
  it('BB610: takes along what people have typed, saved or not, and what was written past them', async () => {
    const id = await createSandbox()
    const [typed, both, untouched] = [
      await createFile(id, 'one'),
      await createFile(id, 'one\ntwo\n'),
      await createFile(id, 'saved'),
    ]
    const page = await enter(id, ada)
    await textOf(page, typed)
    write(page, typed, [3, ' and more'])
    await page.next('accepted')
    await textOf(page, both)
    write(page, both, [8, 'three\n'], 0, 2)
    await page.next('accepted')
    // A program that knows nothing of rooms, in the moment before: its event has not been heard yet.
    const { database } = server.context
    const file = and(eq(sandboxModules.sandboxId, id), eq(sandboxModules.shortid, both))
    await database.update(sandboxModules).set({ code: 'zero\none\ntwo\n' }).where(file)
    const rows = await database.select().from(sandboxModules).where(eq(sandboxModules.sandboxId, id))
    const nameOf = (shortid: string) => rows.find((row) => row.shortid === shortid)!.title
    const answer = await ada.call('PUT', `/api/v1/sandboxes/${id}`, { sandbox: { v2: true } })
    expect(answer.status).toBe(200)
    expect([typed, both, untouched].map((shortid) => given.get(id)!.get(nameOf(shortid)))).toEqual([
      'one and more',
      'zero\none\ntwo\nthree\n',
      'saved',
    ])
  })

  it('BB611: tells those who are there, and who comes later, and lets nobody in any more', async () => {
    const id = await createSandbox()
    const page = await enter(id, ada)
    const closed = once(page.socket, 'close')
    await ada.call('PUT', `/api/v1/sandboxes/${id}`, { sandbox: { v2: true } })
    await closed
    const back = connect(id, ada)
    const ended = once(back, 'close')
    const [frame] = await once(back, 'message')
    expect(JSON.parse(String(frame))).toEqual({ type: 'converted' })
    expect((await ended)[0]).toBe(1000)
    const secret = await createSandbox(2)
    await ada.call('PUT', `/api/v1/sandboxes/${secret}`, { sandbox: { v2: true } })
    await expect(enter(secret, grace)).rejects.toThrow('404')
  })
})
