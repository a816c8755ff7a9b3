import { describe, expect, it } from 'vitest'
import { restStorage, StorageError } from './restStorage.ts'
import type { RestStorageOptions } from './restStorage.ts'

const base = 'http://app.test/api/v1/sandboxes/abc'
const file = {
  shortid: 'm1',
  title: 'a.ts',
  directory_shortid: 'd1',
  code: 'text',
  is_binary: false,
  inserted_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-02T00:00:00.000Z',
}
const folder = { shortid: 'd1', title: 'src', directory_shortid: null }
const storedFile = {
  shortid: 'm1',
  title: 'a.ts',
  directoryShortid: 'd1',
  code: 'text',
  isBinary: false,
  insertedAt: Date.parse(file.inserted_at),
  updatedAt: Date.parse(file.updated_at),
}

/** A storage whose server answers each question with the next of the answers, and what it was asked. */
function setUp(answers: (Response | Error)[], options: Omit<RestStorageOptions, 'send'> = {}) {
  const asked: [method: string, path: string, body: unknown][] = []
  const headers: Record<string, string>[] = []
  const storage = restStorage(base, {
    ...options,
    send: async (address, init = {}) => {
      const path = String(address).replace('http://app.test/api/v1', '')
      asked.push([init.method ?? 'GET', path, typeof init.body === 'string' ? JSON.parse(init.body) : undefined])
      headers.push({ ...(init.headers as Record<string, string>) })
      const answer = answers.shift()!
      if (answer instanceof Error) throw answer
      return answer
    },
  })
  return { storage, asked, headers }
}
const data = (content: unknown) => Response.json({ data: content })
const done = () => new Response(null, { status: 204 })

describe('the calls that keep the files of a sandbox', () => {
  it('BB1028: reads all files and folders', async () => {
    const { storage, asked } = setUp([data({ version: 7, modules: [file], directories: [folder] })])
    expect(await storage.read()).toEqual({
      version: 7,
      modules: [storedFile],
      directories: [{ shortid: 'd1', title: 'src', directoryShortid: null }],
    })
    expect(asked).toEqual([['GET', '/sandboxes/abc', undefined]])
  })

  it('BB1028: creates, changes, moves and removes files', async () => {
    const { storage, asked } = setUp([data(file), data(file), data(file), done()])
    const given = { title: 'a.ts', directoryShortid: 'd1', code: 'text', isBinary: false }
    expect(await storage.createModule(given)).toEqual(storedFile)
    await storage.updateModule('m/1', { code: 'other', isBinary: false })
    await storage.updateModule('m1', { title: 'b.ts', directoryShortid: null })
    await storage.deleteModule('m1')
    const wire = { title: 'a.ts', directory_shortid: 'd1', code: 'text', is_binary: false }
    expect(asked).toEqual([
      ['POST', '/sandboxes/abc/modules', { module: wire }],
      ['PUT', '/sandboxes/abc/modules/m%2F1', { module: { code: 'other', is_binary: false } }],
      ['PUT', '/sandboxes/abc/modules/m1', { module: { title: 'b.ts', directory_shortid: null } }],
      ['DELETE', '/sandboxes/abc/modules/m1', undefined],
    ])
  })

  it('BB1028: creates, renames and removes folders', async () => {
    const { storage, asked } = setUp([data(folder), data(folder), done()])
    const made = { shortid: 'd1', title: 'src', directoryShortid: null }
    expect(await storage.createDirectory({ title: 'src', directoryShortid: null })).toEqual(made)
    await storage.updateDirectory('d1', { title: 'lib', directoryShortid: 'd2' })
    await storage.deleteDirectory('d1')
    expect(asked).toEqual([
      ['POST', '/sandboxes/abc/directories', { directory: { title: 'src', directory_shortid: null } }],
      ['PUT', '/sandboxes/abc/directories/d1', { directory: { title: 'lib', directory_shortid: 'd2' } }],
      ['DELETE', '/sandboxes/abc/directories/d1', undefined],
    ])
  })

  it('BB1028: uploads what is no text as a data URL, and has its address', async () => {
    const { storage, asked } = setUp([data({ id: 'u1', url: '/api/v1/uploads/u1/a.png' })])
    expect(await storage.upload('a.png', Uint8Array.of(0, 255))).toBe('/api/v1/uploads/u1/a.png')
    const content = 'data:application/octet-stream;base64,AP8='
    expect(asked).toEqual([['POST', '/users/current_user/uploads', { name: 'a.png', content }]])
  })

  it('BB1028: names this page of the room, as long as it is there', async () => {
    let person: string | null = null
    const { storage, headers } = setUp([done(), done()], { person: () => person })
    await storage.deleteModule('m1')
    person = 'page'
    await storage.deleteModule('m1')
    expect(headers.map((one) => one['x-boxyard-room-person'])).toEqual([undefined, 'page'])
  })

  it('BB1029: a refusal is told with its status and in the words of the server', async () => {
    const refusal = (status: number, body: string) => setUp([new Response(body, { status })]).storage.deleteModule('m1')
    const failure = JSON.stringify({ error: { message: 'This sandbox is frozen' } })
    await expect(refusal(403, failure)).rejects.toMatchObject({ status: 403, message: 'This sandbox is frozen' })
    await expect(refusal(500, '<h1>Oops</h1>')).rejects.toMatchObject({
      status: 500,
      message: 'The server answered 500',
    })
  })

  it('BB1029: nobody answers where there is no connection, or only a proxy', async () => {
    for (const answer of [
      new TypeError('Failed to fetch'),
      ...[502, 503, 504].map((status) => new Response('<p>', { status })),
    ])
      await expect(setUp([answer]).storage.deleteModule('m1')).rejects.toMatchObject({
        name: 'StorageError',
        status: 0,
        message: 'The server does not answer. What you typed is kept on this device.',
      })
  })

  it('BB1029: a request that nobody answers is given up after 90 s, and no timer is left of one that was answered', async () => {
    const timers: { run(): void; delay: number; isLeft: boolean }[] = []
    const options = {
      timers: {
        setTimeout: ((run: () => void, delay: number) => timers.push({ run, delay, isLeft: true })) as never,
        clearTimeout: ((id: number) => (timers[id - 1]!.isLeft = false)) as never,
      },
    }
    const storage = restStorage(base, {
      ...options,
      send: (_address, init) =>
        new Promise((_resolve, reject) => {
          init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason))
        }),
    })
    const asked = storage.deleteModule('m1')
    expect(timers.map(({ delay }) => delay)).toEqual([90_000])
    timers[0]!.run()
    await expect(asked).rejects.toBeInstanceOf(StorageError)
    await setUp([done()], options).storage.deleteModule('m1')
    expect(timers.map(({ isLeft }) => isLeft)).toEqual([false, false])
  })

  it('BB1030: what is no text is fetched three times before it is given up', async () => {
    const address = '/api/v1/uploads/u1/a.png'
    const broken = () => new Response('', { status: 500 })
    const late = setUp([new TypeError('Failed to fetch'), broken(), new Response(Uint8Array.of(1, 2))])
    expect(await late.storage.download(address)).toEqual(Uint8Array.of(1, 2))
    const never = setUp([broken(), broken(), broken()])
    await expect(never.storage.download(address)).rejects.toThrow('The file could not be fetched (500)')
    expect(never.asked).toEqual(Array.from({ length: 3 }, () => ['GET', address, undefined]))
  })
})
