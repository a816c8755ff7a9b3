import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import { sandboxes } from '../database/schema.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { recordingMachines } from '../testing/machines.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'
import { zipOf } from './zipOf.ts'

const machines = recordingMachines()
let server: TestServer
let ada: TestBrowser

beforeAll(async () => {
  server = await startTestServer({}, { machines: async () => ({ service: machines, close: async () => undefined }) })
  ada = await server.signedIn('ada')
})
afterAll(() => server.close())

interface Answer {
  data: { id: string; title: string; v2: boolean; left_out: { path: string; reason: string }[] }
  error?: { message: string }
}
interface Made {
  data: { draft: boolean; privacy: number; modules: { title: string; is_binary: boolean; code: string }[] }
}

const zip = (files: Record<string, string | Buffer>): Promise<Buffer> =>
  buffer(zipOf(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)] as const)))

async function send(archive: Buffer, name = 'brought', by = ada): Promise<{ status: number; body: Answer }> {
  const answer = await server.app.inject({
    method: 'POST',
    url: `/api/v1/sandboxes/import?name=${name}`,
    payload: archive,
    headers: {
      host: new URL(server.origin).host,
      origin: server.origin,
      'content-type': 'application/octet-stream',
      cookie: [...by.cookies].map((pair) => pair.join('=')).join('; '),
    },
  })
  return { status: answer.statusCode, body: answer.json<Answer>() }
}
const count = () => server.database.database.$count(sandboxes)

describe('a project as a zip archive', () => {
  it('AP920: becomes a draft with its files, without the folder around them and what is installed again', async () => {
    const { status, body } = await send(
      await zip({
        'shop/package.json': '{"name":"my shop","dependencies":{"react":"19.0.0"}}',
        'shop/src/main.js': 'console.log("ü")',
        'shop/src/logo.png': Buffer.from([0x89, 0, 255]),
        'shop/node_modules/react/index.js': 'no',
        'shop/.git/config': 'no',
        '__MACOSX/shop/._x': 'no',
      }),
    )
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ title: 'my shop', v2: false, left_out: [] })
    const made = (await ada.call('GET', `/api/v1/sandboxes/${body.data.id}`)).body as Made
    expect(made.data).toMatchObject({ draft: true, privacy: 2 })
    const { modules } = made.data
    const texts = Object.fromEntries(modules.map((one) => [one.title, [one.is_binary, one.code]]))
    expect(Object.keys(texts).toSorted()).toEqual(['logo.png', 'main.js', 'package.json'])
    expect(texts['main.js']).toEqual([false, 'console.log("ü")'])
    expect(texts['logo.png']?.[0]).toBe(true)
  })

  it('AP921: gets a machine when it needs one', async () => {
    const { body } = await send(await zip({ 'package.json': '{"dependencies":{"next":"16.0.0"}}' }), 'site')
    expect(body.data).toMatchObject({ title: 'site', v2: true })
    expect((await send(await zip({ 'main.go': 'package main', 'go.mod': 'module x' }))).body.data.v2).toBe(true)
    expect((await send(await zip({ 'index.html': '<p>' }))).body.data.v2).toBe(false)
  })

  it('AP922: names files that it leaves out, and why', async () => {
    const archive = new ZipFile()
    archive.addBuffer(Buffer.from('<p>'), 'index.html')
    archive.addBuffer(Buffer.from('/etc/passwd'), 'secrets', { mode: 0o120777 })
    archive.addBuffer(Buffer.alloc(2 * 1024 * 1024 + 1), 'film.bin')
    archive.end()
    const { body } = await send(await buffer(archive.outputStream as never))
    expect(body.data.left_out).toEqual([
      { path: 'secrets', reason: 'is a link' },
      { path: 'film.bin', reason: 'is larger than 2 MB' },
    ])
  })

  it('AP923: is refused as a whole when it is hostile, too large, broken or empty, and nothing is made', async () => {
    const before = await count()
    const escaping = await zip({ 'aa/aa/evil.txt': 'x', 'index.html': 'y' })
    // The names stand in the archive twice, both of the same length as what takes their place.
    const renamed = Buffer.from(escaping.toString('latin1').replaceAll('aa/aa/evil.txt', '../../evil.txt'), 'latin1')
    expect(await send(renamed)).toMatchObject({
      status: 422,
      body: { error: { message: expect.stringContaining('leave it') } },
    })
    const bomb = await zip({ 'zeros.txt': Buffer.alloc(600 * 1024 * 1024) })
    expect(bomb.length).toBeLessThan(2 * 1024 * 1024)
    expect(await send(bomb)).toMatchObject({
      status: 422,
      body: { error: { message: expect.stringContaining('512 MB') } },
    })
    const many = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`${index}.txt`, 'x']))
    expect(await send(await zip(many))).toMatchObject({ status: 422 })
    // It says that it has one byte, and unpacks to a million.
    const lying = await zip({ 'liar.txt': Buffer.alloc(1_000_000) })
    const size = Buffer.alloc(4)
    size.writeUInt32LE(1_000_000)
    for (let at = lying.indexOf(size); at >= 0; at = lying.indexOf(size)) lying.writeUInt32LE(1, at)
    expect(await send(lying)).toMatchObject({
      status: 422,
      body: { error: { message: expect.stringContaining('broken') } },
    })
    expect(await send(Buffer.from('no zip at all'))).toMatchObject({ status: 422 })
    expect(await send(await zip({ 'node_modules/x.js': '' }))).toMatchObject({ status: 422 })
    expect(await count()).toEqual(before)
  })

  it('is for who is signed in', async () => {
    const answer = await send(await zip({ 'index.html': '' }), 'x', server.browser())
    expect(answer.status).toBe(401)
  })
})
