import { eq } from 'drizzle-orm'
import lz from 'lz-string'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxes, sandboxModules } from '../database/schema.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { recordingMachines } from '../testing/machines.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'
import { writeTemplates } from '../testing/templates.ts'

const DEFINE = '/api/v1/sandboxes/define'
const files = {
  'package.json': { content: { name: 'shown in docs', dependencies: { react: '19.0.0' } } },
  'src/index.js': { content: 'console.log("ü")' },
  'src/logo.png': { content: `data:image/png;base64,${Buffer.from([1, 2, 255]).toString('base64')}`, isBinary: true },
}
const parameters = lz
  .compressToBase64(JSON.stringify({ files, template: 'static' }))
  .replaceAll('+', '-')
  .replaceAll('/', '_')

const machines = recordingMachines()
const templates = writeTemplates({ node: { title: 'Node', browser: true } })
let server: TestServer
let ada: TestBrowser
let grace: TestBrowser

beforeAll(async () => {
  const parts = { machines: async () => ({ service: machines, close: async () => undefined }) }
  server = await startTestServer({}, { ...parts, templatesFolder: templates.folder })
  ada = await server.signedIn('ada')
  grace = await server.signedIn('grace')
})
afterAll(async () => {
  await server.close()
  templates.remove()
})

async function defined(body: object): Promise<string> {
  const answer = await ada.call('POST', `${DEFINE}?json=1`, body)
  expect(answer.status).toBe(200)
  return (answer.body as { sandbox_id: string }).sandbox_id
}

describe('sandboxes out of files', () => {
  it('AP601: are made for a program, as drafts of who asks', async () => {
    const id = await defined({ parameters })
    const { body } = await ada.call('GET', `/api/v1/sandboxes/${id}`)
    expect(body).toMatchObject({
      data: {
        title: 'shown in docs',
        template: 'static',
        draft: true,
        privacy: 2,
        v2: false,
        npm_dependencies: { react: '19.0.0' },
        directories: [{ title: 'src', directory_shortid: null }],
      },
    })
    const { modules, directories } = (
      body as { data: { modules: Record<string, unknown>[]; directories: { shortid: string }[] } }
    ).data
    expect(
      modules.map(({ title, directory_shortid: folder, is_binary: binary }) => [title, folder, binary]).toSorted(),
    ).toEqual([
      ['index.js', directories[0]!.shortid, false],
      ['logo.png', directories[0]!.shortid, true],
      ['package.json', null, false],
    ])
    expect(await server.browser().call('POST', `${DEFINE}?json=1`, { files })).toMatchObject({ status: 401 })
    expect(await ada.call('GET', `${DEFINE}?json=1&parameters=${parameters}`)).toMatchObject({ status: 200 })
  })

  it('AP601: get a machine when they ask for one', async () => {
    const id = await defined({ files, environment: 'server' })
    expect(machines.created.get(id)).toMatchObject({ kind: 'files' })
    expect((await ada.call('GET', `/api/v1/sandboxes/${id}`)).body).toMatchObject({ data: { v2: true, modules: [] } })
  })

  it.each([
    [{ parameters: 'not compressed' }, 422],
    [{ parameters: lz.compressToBase64('{') }, 422],
    [{ files: {} }, 422],
    [{ files: { '../out': { content: '' } } }, 422],
    [{ files: { a: { content: '' }, 'a/b': { content: '' } } }, 422],
    [{ files: { 'a\u0000': { content: '' } } }, 422],
    [
      { files: { 'logo.png': { content: 'https://elsewhere.test/logo.png', isBinary: true } }, environment: 'server' },
      422,
    ],
  ])('AP601: are refused with a reason: %j', async (body, status) => {
    const answer = await ada.call('POST', `${DEFINE}?json=1`, body)
    expect(answer.status).toBe(status)
    expect(JSON.stringify(answer.body)).toContain('"code"')
  })

  it('AP602: that another site sends are handed to a page and nothing is made', async () => {
    const before = await server.context.database.$count(sandboxes)
    const query = `parameters=${encodeURIComponent(parameters)}&query=file%3D%2Fsrc%2Findex.js&environment=server`
    const got = await ada.request(`${DEFINE}?${query}`)
    expect(got.status).toBe(302)
    const target = new URL(got.headers.location!, server.origin)
    expect([target.pathname, target.search]).toEqual(['/define', ''])
    expect(Object.fromEntries(new URLSearchParams(target.hash.slice(1)))).toEqual({
      parameters,
      environment: 'server',
      query: 'file=/src/index.js',
    })
    const posted = await ada.request(DEFINE, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://docs.test' },
      body: new URLSearchParams({ parameters }).toString(),
    })
    expect(posted.status).toBe(200)
    expect(posted.text).toContain("location.replace('/define')")
    expect(posted.headers['content-security-policy']).toContain("script-src 'nonce-")
    const asProgram = await ada.request(`${DEFINE}?json=1`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'http://abcdef-3000.preview.boxyard.localhost' },
      body: JSON.stringify({ parameters }),
    })
    expect(asProgram.status).toBe(403)
    expect(await server.context.database.$count(sandboxes)).toBe(before)
  })
})

describe('an export', () => {
  it('AP603: has the files of a sandbox, as far as its settings let them out', async () => {
    const id = await defined({ parameters })
    const zip = await ada.request(`/api/v1/sandboxes/${id}/export`)
    expect([zip.status, zip.headers['content-type'], zip.headers['content-disposition']]).toEqual([
      200,
      'application/zip',
      `attachment; filename="shown-in-docs-${id}.zip"`,
    ])
    for (const path of ['package.json', 'src/index.js', 'src/logo.png']) expect(zip.text).toContain(path)
    expect((await grace.request(`/api/v1/sandboxes/${id}/export`)).status).toBe(404)
    await server.context.database.update(sandboxes).set({ preventSandboxExport: true }).where(eq(sandboxes.id, id))
    const refused = await ada.call('GET', `/api/v1/sandboxes/${id}/export`)
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'WORKSPACE_FORBIDS' } } })
  })

  it('AP603: of a devbox comes from its machine', async () => {
    const id = await defined({ files, environment: 'server' })
    expect((await ada.request(`/api/v1/sandboxes/${id}/export`)).text).toBe(`archive of ${id}`)
  })
})

describe('a conversion', () => {
  it('AP604: gives a sandbox a machine with its files, and everything else stays', async () => {
    const id = await defined({ parameters })
    await ada.call('PUT', `/api/v1/sandboxes/${id}`, { sandbox: { title: 'Mine', privacy: 0 } })
    expect(await grace.call('PUT', `/api/v1/sandboxes/${id}`, { sandbox: { v2: true } })).toMatchObject({ status: 403 })
    const answer = await ada.call('PUT', `/api/v1/sandboxes/${id}`, { sandbox: { v2: true } })
    expect(answer).toMatchObject({
      status: 200,
      body: { data: { id, title: 'Mine', privacy: 0, v2: true, modules: [] } },
    })
    expect(machines.created.get(id)).toMatchObject({ kind: 'files' })
    expect(await server.context.database.select().from(sandboxModules).where(eq(sandboxModules.sandboxId, id))).toEqual(
      [],
    )
    expect(await ada.call('POST', `/api/v1/sandboxes/${id}/modules`, { title: 'late.js' })).toMatchObject({
      status: 404,
    })
    expect(await ada.call('PATCH', `/api/v1/sandboxes/${id}`, { v2: true, title: 'Again' })).toMatchObject({
      status: 200,
      body: { data: { title: 'Again', v2: true } },
    })
  })

  it('AP604: that fails leaves the sandbox as it was', async () => {
    const id = await defined({ parameters })
    machines.failing = new Error('no room')
    expect((await ada.call('PUT', `/api/v1/sandboxes/${id}`, { sandbox: { v2: true } })).status).toBe(500)
    machines.failing = null
    expect((await ada.call('GET', `/api/v1/sandboxes/${id}`)).body).toMatchObject({
      data: { v2: false, modules: [{}, {}, {}] },
    })
  })
})

describe('several files at once', () => {
  it('AP605: are made all or none, with the folders they name', async () => {
    const id = await defined({ parameters })
    const path = `/api/v1/sandboxes/${id}/modules/mcreate`
    const made = await ada.call('POST', path, {
      directories: [
        { shortid: 'b', title: 'inner', directory_shortid: 'a' },
        { shortid: 'a', title: 'outer' },
      ],
      modules: [{ title: 'deep.js', directory_shortid: 'b', code: '1' }],
    })
    expect(made).toMatchObject({
      status: 200,
      body: { data: { directories: [{ title: 'inner' }, { title: 'outer' }] } },
    })
    const { modules, directories } = (
      made.body as {
        data: {
          modules: { directory_shortid: string }[]
          directories: { shortid: string; directory_shortid: string | null }[]
        }
      }
    ).data
    expect(modules[0]!.directory_shortid).toBe(directories[0]!.shortid)
    expect(directories[0]!.directory_shortid).toBe(directories[1]!.shortid)
    const before = await server.context.database.$count(sandboxModules)
    const circle = [
      { shortid: 'x', title: 'x', directory_shortid: 'y' },
      { shortid: 'y', title: 'y', directory_shortid: 'x' },
    ]
    expect((await ada.call('POST', path, { directories: circle, modules: [{ title: 'lost.js' }] })).status).toBe(422)
    expect((await ada.call('POST', path, { modules: [{ title: 'a.js' }, { title: 'a.js' }] })).status).toBe(409)
    expect(await server.context.database.$count(sandboxModules)).toBe(before)
  })
})
