import { directorySchema, moduleSchema, sandboxSchema } from '@boxyard/api'
import type { DirectoryAnswer, ModuleAnswer } from '@boxyard/api'
import { eq } from 'drizzle-orm'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxes } from '../database/schema.ts'
import { TestBrowser } from '../testing/browser.ts'
import { temporaryFolder } from '../testing/folders.ts'
import { askPreview, previewToken } from '../testing/preview.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'
import { writeTemplates } from '../testing/templates.ts'

const templates = writeTemplates({
  page: { title: 'Page', tags: [], browser: true },
  machine: { title: 'Machine', tags: [] },
})
let server: TestServer
let owner: TestBrowser
let stranger: TestBrowser

beforeAll(async () => {
  const webAppFolder = temporaryFolder('web')
  for (const name of ['index.html', 'editor.html'])
    writeFileSync(join(webAppFolder, name), '<!-- first text --><title>App</title>')
  server = await startTestServer({}, { templatesFolder: templates.folder, webAppFolder })
  owner = await server.signedIn('owner')
  stranger = await server.signedIn('stranger')
})
afterAll(async () => {
  await server.close()
  templates.remove()
})

const dataOf = (answer: { body: unknown }) => (answer.body as { data: unknown }).data
async function fork(browser: TestBrowser, id: string, body: object = { v2: false }) {
  const answer = await browser.call('POST', `/api/v1/sandboxes/${id}/fork`, body)
  expect(answer.status).toBe(200)
  return sandboxSchema.parse(dataOf(answer))
}
const read = async (browser: TestBrowser, id: string) =>
  sandboxSchema.parse(dataOf(await browser.call('GET', `/api/v1/sandboxes/${id}`)))
async function addModule(id: string, body: object): Promise<ModuleAnswer> {
  const answer = await owner.call('POST', `/api/v1/sandboxes/${id}/modules`, body)
  expect(answer.status).toBe(200)
  return moduleSchema.parse(dataOf(answer))
}
async function addDirectory(id: string, body: object): Promise<DirectoryAnswer> {
  const answer = await owner.call('POST', `/api/v1/sandboxes/${id}/directories`, body)
  expect(answer.status).toBe(200)
  return directorySchema.parse(dataOf(answer))
}

describe('a sandbox that runs in the browser', () => {
  it('starts with the files of its template, and a fork with those of the sandbox as it is now', async () => {
    const made = await fork(owner, 'page')
    expect([made.v2, made.modules.map(({ title }) => title), made.directories.map(({ title }) => title)]).toEqual([
      false,
      ['template.json'],
      ['.codesandbox'],
    ])
    await addModule(made.id, { title: 'index.html', code: '<h1>Hi</h1>', is_binary: false })
    const copy = await fork(owner, made.id, {})
    expect(copy.modules.map(({ title, code }) => [title, code])).toContainEqual(['index.html', '<h1>Hi</h1>'])
    const changed = copy.modules.find(({ title }) => title === 'index.html')!
    await owner.call('PUT', `/api/v1/sandboxes/${copy.id}/modules/${changed.shortid}`, { code: 'other' })
    expect((await read(owner, made.id)).modules.find(({ title }) => title === 'index.html')?.code).toBe('<h1>Hi</h1>')
  })

  it('is only made from what runs in a browser', async () => {
    expect((await owner.call('POST', '/api/v1/sandboxes/machine/fork', { v2: false })).status).toBe(422)
  })

  it('takes files and folders, nested or flat, moves and renames them, and counts its version', async () => {
    const { id, version } = await fork(owner, 'page')
    const src = await addDirectory(id, { directory: { title: 'src', directoryShortid: null } })
    const deep = await addDirectory(id, { title: 'deep', directory_shortid: src.shortid })
    const module = await addModule(id, { module: { title: 'a.ts', directory_shortid: src.shortid, code: '1' } })
    await owner.call('PUT', `/api/v1/sandboxes/${id}/modules/${module.shortid}`, {
      module: { directory_shortid: deep.shortid },
    })
    await owner.call('PUT', `/api/v1/sandboxes/${id}/directories/${deep.shortid}`, { title: 'deeper' })
    await owner.call('PUT', `/api/v1/sandboxes/${id}/modules/mupdate`, {
      modules: [{ shortid: module.shortid, code: '2' }],
    })
    const now = await read(owner, id)
    expect(now.modules.find(({ title }) => title === 'a.ts')).toMatchObject({
      code: '2',
      directory_shortid: deep.shortid,
    })
    expect(now.directories.find(({ shortid }) => shortid === deep.shortid)).toMatchObject({ title: 'deeper' })
    expect(now.version).toBe(version + 6)
    expect((await owner.call('DELETE', `/api/v1/sandboxes/${id}/directories/${src.shortid}`)).status).toBe(204)
    expect((await read(owner, id)).modules.map(({ title }) => title)).toEqual(['template.json'])
  })

  it('refuses names that are taken, folders that are not there or would hold themselves, and paths as names', async () => {
    const { id } = await fork(owner, 'page')
    const a = await addDirectory(id, { title: 'a' })
    const b = await addDirectory(id, { title: 'b', directory_shortid: a.shortid })
    await addModule(id, { title: 'x' })
    const calls = [
      ['POST', 'modules', { title: 'x' }, 409],
      ['POST', 'directories', { title: 'a' }, 409],
      ['POST', 'modules', { title: 'y', directory_shortid: 'none' }, 422],
      ['PUT', `directories/${a.shortid}`, { directory_shortid: b.shortid }, 422],
      ['PUT', `directories/${a.shortid}`, { directory_shortid: a.shortid }, 422],
      ['POST', 'modules', { title: '../x' }, 422],
      ['POST', 'modules', { title: '..' }, 422],
      ['PUT', 'modules/none', { code: '' }, 404],
      ['DELETE', 'modules/none', undefined, 404],
      ['DELETE', 'directories/none', undefined, 404],
    ] as const
    for (const [method, path, body, status] of calls) {
      const answer = await owner.call(method, `/api/v1/sandboxes/${id}/${path}`, body)
      expect([method, path, answer.status]).toEqual([method, path, status])
    }
    expect((await read(owner, id)).version).toBe(3)
  })

  it('is changed by whoever may edit it, and not while it is frozen', async () => {
    const { id } = await fork(owner, 'page', { v2: false, privacy: 0 })
    const body = { title: 'x', code: '' }
    expect((await server.browser().call('POST', `/api/v1/sandboxes/${id}/modules`, body)).status).toBe(401)
    expect((await stranger.call('POST', `/api/v1/sandboxes/${id}/modules`, body)).status).toBe(403)
    await server.context.database.update(sandboxes).set({ isFrozen: true }).where(eq(sandboxes.id, id))
    expect((await owner.call('POST', `/api/v1/sandboxes/${id}/modules`, body)).status).toBe(403)
    const hidden = await fork(owner, 'page')
    expect((await stranger.call('POST', `/api/v1/sandboxes/${hidden.id}/modules`, body)).status).toBe(404)
    expect(
      (await stranger.call('POST', `/api/v1/sandboxes/${hidden.id}/packs`, { dependencies: {}, specifiers: [] }))
        .status,
    ).toBe(404)
  })
})

describe('packs', () => {
  it('are not asked for with names that lead elsewhere, and say what is not declared', async () => {
    const { id } = await fork(owner, 'page')
    const ask = (dependencies: object, specifiers: string[]) =>
      owner.call('POST', `/api/v1/sandboxes/${id}/packs`, { dependencies, specifiers })
    for (const specifier of ['../../etc', '/etc/passwd', 'a/../../b', 'http://169.254.169.254/x', '--plugin', 'a b']) {
      expect([specifier, (await ask({}, [specifier])).status]).toEqual([specifier, 422])
    }
    const undeclared = await ask({}, ['left-pad'])
    expect([undeclared.status, JSON.stringify(undeclared.body)]).toEqual([422, expect.stringContaining('left-pad')])
    for (const range of ['http://127.0.0.1:1/x.tgz', 'file:/etc', 'git+ssh://host/x', 'npm:../x@1']) {
      const answer = await ask({ x: range }, ['x'])
      expect([range, answer.status >= 400 && answer.status !== 500]).toEqual([range, true])
    }
  })
})

describe('packs of types', () => {
  it('are made for whoever may open the sandbox, and kept for whoever has their name', async () => {
    const { id } = await fork(owner, 'page')
    const made = await owner.call('POST', `/api/v1/sandboxes/${id}/types`, { dependencies: {} })
    expect(made).toMatchObject({
      status: 200,
      body: { data: { id: expect.stringMatching(/^[0-9a-f]{64}$/), missing: {} } },
    })
    const { id: pack } = dataOf(made) as { id: string }
    const { status, headers } = await owner.request(`/api/v1/types/${pack}`)
    expect([status, headers['content-encoding'], headers['cache-control']]).toEqual([
      200,
      'gzip',
      'public, max-age=31536000, immutable',
    ])
    expect((await stranger.call('POST', `/api/v1/sandboxes/${id}/types`, { dependencies: {} })).status).toBe(404)
    for (const name of ['none', '..%2f..%2fkeys', '0'.repeat(64)])
      expect([name, (await owner.call('GET', `/api/v1/types/${name}`)).status]).toEqual([name, 404])
  })
})

describe('the preview of a sandbox without a machine', () => {
  const port = 8080

  it('is the same small document on every path, for whoever may open the sandbox', async () => {
    const { id } = await fork(owner, 'page')
    const token = await previewToken(owner, id)
    for (const path of ['/', '/any/path?x=1']) {
      const { status, text } = await askPreview(server, { id, port, token, path })
      expect([status, text]).toEqual([200, expect.stringContaining(`data-app-origin="${server.origin}"`)])
      expect(text).not.toContain('template.json')
    }
    const foreign = await previewToken(stranger, id)
    expect((await askPreview(server, { id, port, token: foreign })).status).toBeGreaterThanOrEqual(300)
    expect(
      (await askPreview(server, { id, port, token: foreign, path: '/__boxyard/sandbox' })).status,
    ).toBeGreaterThanOrEqual(300)
  })

  it('BB1036: hands out uploads by an address that holds on the host of a preview', async () => {
    const { id } = await fork(owner, 'page')
    const token = await previewToken(owner, id)
    const given = { name: 'a.png', content: 'data:application/octet-stream;base64,AP8=' }
    const { url } = dataOf(await owner.call('POST', '/api/v1/users/current_user/uploads', given)) as { url: string }
    await owner.call('POST', `/api/v1/sandboxes/${id}/modules`, { title: 'a.png', code: url, is_binary: true })
    const { text } = await askPreview(server, { id, port, token, path: '/__boxyard/sandbox' })
    const { modules } = JSON.parse(text) as { modules: { title: string; code: string }[] }
    expect(modules.find(({ title }) => title === 'a.png')?.code).toBe(server.origin + url)
    const { headers } = await owner.request(url)
    expect(headers['access-control-allow-origin']).toBe('*')
  })

  it('names its script by what is in it, which a browser asks for once; under its plain name it is asked for again', async () => {
    const { id } = await fork(owner, 'page')
    const token = await previewToken(owner, id)
    const { text } = await askPreview(server, { id, port, token })
    const [, named = '', plain = ''] = /src="((\/__boxyard\/runner\.js)\?v=[\w-]{43})"/.exec(text) ?? []
    const controlOf = async (path: string) => (await askPreview(server, { id, port, path })).headers['cache-control']
    expect(await controlOf(named)).toBe('public, max-age=31536000, immutable')
    expect(await controlOf(plain)).toBe('no-cache')
    expect(await controlOf(`${plain}?v=other`)).toBe('no-cache')
  })

  it('hands the saved files to a page that has no editor, and packs to pages of its own alone', async () => {
    const { id } = await fork(owner, 'page')
    const token = await previewToken(owner, id)
    await addModule(id, { title: 'index.html', code: 'saved' })
    const { status, text } = await askPreview(server, { id, port, token, path: '/__boxyard/sandbox' })
    expect([status, JSON.parse(text)]).toMatchObject([
      200,
      { modules: expect.arrayContaining([expect.objectContaining({ code: 'saved' })]) },
    ])
    expect((await askPreview(server, { id, port, token, path: '/__boxyard/packs/../../keys' })).status).toBe(404)
    expect(
      (await askPreview(server, { id, port, token, path: `/__boxyard/packs/${'0'.repeat(64)}/e0.js` })).status,
    ).toBe(404)
    expect((await askPreview(server, { id, port, token, path: '/', method: 'POST' })).status).toBe(405)
  })
  it('AP935: is named in its page, with a token of the person where it is private, and to nobody who may not open it', async () => {
    const { id } = await fork(owner, 'page')
    await owner.call('PATCH', `/api/v1/sandboxes/${id}/privacy`, { sandbox: { privacy: 2 } })
    const named = async (browser: TestBrowser, headers: Record<string, string> = {}) => {
      const { text } = await browser.request(`/sandbox/${id}`, { headers })
      const json = /id="sandbox-of-page">(.*?)<\/script>/.exec(text)?.[1]
      return json === undefined ? null : (JSON.parse(json) as { id: string; token: string | null })
    }
    // A page waits for this for a moment only, and a busy server is slower.
    await expect.poll(() => named(owner), { timeout: 60_000 }).not.toBeNull()
    const { token } = (await named(owner))!
    expect((await askPreview(server, { id, port, token: token!, path: '/' })).status).toBe(200)
    expect(await named(stranger)).toBeNull()
    expect(await named(owner, { 'sec-fetch-site': 'cross-site' })).toBeNull()
    await owner.call('PATCH', `/api/v1/sandboxes/${id}/privacy`, { sandbox: { privacy: 0 } })
    const forEverybody = { id, token: null, isPrepared: false }
    for (const browser of [owner, stranger, new TestBrowser(server.origin, server.port)])
      expect(await named(browser)).toEqual(forEverybody)
    expect((await askPreview(server, { id, port, path: '/' })).status).toBe(200)
  })

  it('AP960: brings along what the project was compiled to, as soon as that is known of these very files', async () => {
    const { id } = await fork(owner, 'page')
    await addModule(id, { title: 'index.html', code: '<p></p><script type="module" src="/main.ts"></script>' })
    await addModule(id, { title: 'main.ts', code: 'const told: string = "</script>told"\ndocument.title = told' })
    const token = await previewToken(owner, id)
    const compilation = () => owner.call('GET', `/api/v1/sandboxes/${id}/compilation`)
    await expect.poll(async () => (await compilation()).status, { timeout: 60_000, interval: 200 }).toBe(200)
    const { text } = await askPreview(server, { id, port, token })
    expect(text.match(/<\/script>/g)).toHaveLength(2)
    const json = /id="boxyard-prepared" data-boxyard>(.*?)<\/script>/.exec(text)![1]!
    expect(JSON.parse(json)).toMatchObject({
      entries: ['/main.ts'],
      pack: null,
      modules: [{ id: '/main.ts', code: expect.stringContaining('document.title') }],
    })
    const { text: deep } = await askPreview(server, { id, port, token, path: '/deep' })
    expect(deep).not.toContain('boxyard-prepared')
    expect((await stranger.call('GET', `/api/v1/sandboxes/${id}/compilation`)).status).toBe(404)
    // Other files are not those.
    await addModule(id, { title: 'other.ts', code: '' })
    expect((await compilation()).status).toBe(404)
  })
})
