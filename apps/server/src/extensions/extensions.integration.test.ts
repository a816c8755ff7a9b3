import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TestExtensionRegistry, vsixOf, zipOf, type TestExtension } from '../testing/extensionRegistry.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'

const DETAILS = 'Microsoft.VisualStudio.Services.Content.Details'
const PACKAGE = 'Microsoft.VisualStudio.Services.VSIXPackage'
const GALLERY = '/api/v1/extensions/gallery'
const UPLOADS = '/api/v1/extensions/uploads'
const theme: TestExtension = {
  publisher: 'Acme',
  name: 'night',
  version: '1.2.3',
  manifest: { displayName: 'Night', contributes: { themes: [] } },
  files: {
    'README.md': '# Night',
    'package.nls.json': '{}',
    'dist/web.js': 'exports.activate = () => undefined',
    'page.html': '<script>1</script>',
    'empty.txt': '',
  },
}
const registry = new TestExtensionRegistry([theme])
let server: TestServer
let ada: TestBrowser
let visitor: TestBrowser

beforeAll(async () => {
  server = await startTestServer({ BOXYARD_EXTENSION_REGISTRY: await registry.start() })
  ada = await server.signedIn('ada')
  visitor = server.browser()
})
afterAll(async () => {
  await server.close()
  await registry.stop()
})

const search = (browser: TestBrowser, value: string) =>
  browser.call('POST', `${GALLERY}/extensionquery`, {
    filters: [{ criteria: [{ filterType: 10, value }], pageNumber: 1, pageSize: 50, sortBy: 0, sortOrder: 0 }],
    assetTypes: [],
    flags: 950,
  })
const file = (path: string, headers: Record<string, string> = {}) => visitor.request(path, { headers })
const inNight = (path: string) => `${GALLERY}/packages/Acme/night/1.2.3/extension${path}`
/** Downloads that the registry was asked for. */
const downloads = () => registry.asked.filter((line) => line.endsWith('VSIXPackage')).length

async function upload(browser: TestBrowser, content: Buffer, headers: Record<string, string> = {}) {
  const answer = await server.app.inject({
    method: 'POST',
    url: UPLOADS,
    payload: content,
    headers: {
      host: new URL(server.origin).host,
      origin: server.origin,
      'content-type': 'application/octet-stream',
      cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; '),
      ...headers,
    },
  })
  return {
    status: answer.statusCode,
    body: answer.json<{ data: Record<string, string>; error?: { message: string } }>(),
  }
}

describe('AP870: extensions of the registry', () => {
  it('are found, and every address in the answer is one of this server', async () => {
    const { status, body } = await search(visitor, 'night')
    expect(status).toBe(200)
    const text = JSON.stringify(body)
    expect(text).not.toContain('elsewhere.test')
    expect(body).toMatchObject({
      results: [
        {
          extensions: [
            {
              extensionName: 'night',
              versions: [
                {
                  assetUri: `${server.origin}${GALLERY}/asset/Acme/night/1.2.3`,
                  files: [
                    { assetType: DETAILS, source: `${server.origin}${GALLERY}/asset/Acme/night/1.2.3/${DETAILS}` },
                    { assetType: 'Microsoft.VisualStudio.Code.Manifest' },
                  ],
                },
              ],
            },
          ],
          resultMetadata: [{ metadataItems: [{ name: 'TotalCount', count: 1 }] }],
        },
      ],
    })
  })

  it('have a readme, and nothing else that is asked for', async () => {
    const readme = await file(`${GALLERY}/asset/Acme/night/1.2.3/${DETAILS}`)
    expect([readme.status, readme.text, readme.headers['content-type']]).toEqual([
      200,
      '# Night',
      'text/plain; charset=utf-8',
    ])
    const before = registry.asked.length
    for (const type of ['Other.Asset', 'constructor', '__proto__']) {
      expect((await file(`${GALLERY}/asset/Acme/night/1.2.3/${type}`)).status).toBe(404)
    }
    expect(registry.asked).toHaveLength(before)
  })

  it('are fetched once, and only the files that they have are served', async () => {
    const names = await Promise.all([file(inNight('')), file(inNight(''))])
    expect(names.map(({ text }) => JSON.parse(text) as string[])).toEqual([
      [`${server.origin}${inNight('/package.nls.json')}`],
      [`${server.origin}${inNight('/package.nls.json')}`],
    ])
    expect(JSON.parse((await file(inNight('/package.json'))).text)).toMatchObject({ name: 'night', version: '1.2.3' })
    expect((await file(inNight('/empty.txt'))).text).toBe('')
    for (const path of ['/nothing.js', '/%2e%2e/extension.vsixmanifest', '/..%2Fextension.vsixmanifest']) {
      expect([path, (await file(inNight(path))).status]).toEqual([path, 404])
    }
    const { status, text, headers } = await file(`${GALLERY}/asset/Acme/night/1.2.3/${PACKAGE}`)
    expect([status, text.slice(0, 2), headers['content-disposition']]).toEqual([200, 'PK', 'attachment'])
    expect(downloads()).toBe(1)
  })

  it('are asked for by names and versions alone', async () => {
    const before = registry.asked.length
    for (const path of ['..%2f/night/1.2.3', 'Acme/ni%2fght/1.2.3', 'Acme/night/latest', 'Acme/night/1.2.3+web+x']) {
      expect([path, (await file(`${GALLERY}/packages/${path}/extension`)).status]).toEqual([path, 422])
    }
    expect(registry.asked).toHaveLength(before)
  })
})

describe('AP871: a registry that is away or wrong', () => {
  const queryWith = async (answer: typeof registry.answer) => {
    registry.answer = answer
    try {
      return await search(visitor, 'night')
    } finally {
      registry.answer = undefined
    }
  }

  it('is said to be, and does no harm', async () => {
    const unreachable = { status: 503, body: { error: { code: 'EXTENSION_REGISTRY_UNREACHABLE' } } }
    expect(await queryWith((_request, response) => void response.writeHead(500).end())).toMatchObject(unreachable)
    expect(await queryWith((_request, response) => void response.end('<html>'))).toMatchObject(unreachable)
    expect(await queryWith((_request, response) => void response.end('{"results": 1}'))).toMatchObject(unreachable)
    expect(await queryWith((request) => void request.socket.destroy())).toMatchObject(unreachable)
  })

  it('brings no extension under the name of another', async () => {
    const vsix = await vsixOf({ ...theme, publisher: 'Evil' })
    registry.answer = (_request, response) => void response.end(vsix)
    const answer = await file(`${GALLERY}/packages/Acme/night/9.9.9/extension`)
    registry.answer = undefined
    expect(answer.status).toBe(422)
    expect(readdirSync(join(server.context.configuration.home, 'extensions'))).toHaveLength(1)
    expect((await file(inNight('/package.json'))).status).toBe(200)
  })

  it('leaves out what has no proper name, and keeps the rest', async () => {
    const answer = await queryWith((_request, response) => {
      const proper = { extensionId: '1', publisher: { publisherId: '1', publisherName: 'Acme' }, versions: [] }
      const extensions = [{ ...proper, extensionName: '../x' }, { ...proper, extensionName: 'good' }, 1]
      response.end(JSON.stringify({ results: [{ extensions }] }))
    })
    expect(answer.body).toMatchObject({ results: [{ extensions: [{ extensionName: 'good' }] }] })
  })
})

describe('AP872: files of extensions', () => {
  it('are scripts for hosts of extensions alone, and pages for nobody', async () => {
    const typeFor = async (path: string, headers?: Record<string, string>) =>
      (await file(inNight(path), headers)).headers['content-type']
    expect(await typeFor('/dist/web.js', { 'sec-fetch-site': 'same-site' })).toBe('text/javascript; charset=utf-8')
    expect(await typeFor('/dist/web.js', { 'sec-fetch-site': 'same-origin' })).toBe('text/plain; charset=utf-8')
    expect(await typeFor('/dist/web.js')).toBe('text/plain; charset=utf-8')
    expect(await typeFor('/page.html')).toBe('text/plain; charset=utf-8')
    const { headers } = await file(inNight('/page.html'))
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    })
  })
})

describe('AP873: an extension that is brought as a file', () => {
  it('is kept with the account, once, and served from there', async () => {
    const vsix = await vsixOf(theme)
    const first = await upload(ada, vsix)
    expect(first).toMatchObject({ status: 200, body: { data: { name: 'Acme.night', version: '1.2.3' } } })
    expect((await upload(ada, vsix)).body).toEqual(first.body)
    const { location } = first.body.data
    expect(location).toMatch(new RegExp(`^${server.origin}${UPLOADS}/[0-9a-f-]{36}/extension$`))
    expect((await file(`${location}/dist/web.js`)).text).toContain('activate')
    const kept = await ada.call('GET', '/api/v1/users/current/uploads')
    expect(kept.body).toMatchObject({ data: { uploads: [{ name: 'Acme.night-1.2.3.vsix' }] } })
  })

  it('is refused with the reason when it is none, or has no part for browsers', async () => {
    const refused = async (content: Buffer) => {
      const { status, body } = await upload(ada, content)
      return [status, JSON.stringify(body)]
    }
    expect(await refused(Buffer.from('no archive'))).toEqual([
      422,
      expect.stringContaining('no archive of an extension'),
    ])
    expect(await refused(await zipOf({ 'a.txt': '1' }))).toEqual([422, expect.stringContaining('package.json')])
    expect(await refused(await zipOf({ 'extension/package.json': '{' }))).toEqual([
      422,
      expect.stringContaining('no JSON'),
    ])
    expect(await refused(await vsixOf({ ...theme, publisher: '../x' }))).toEqual([
      422,
      expect.stringContaining('publisher'),
    ])
    expect(await refused(await vsixOf({ ...theme, manifest: { main: './node.js' } }))).toEqual([
      422,
      expect.stringContaining('needs a machine'),
    ])
    const leaving = (await zipOf({ 'extension/package.json': '{}', 'extension/aa/evil.txt': '1' })).toString('latin1')
    expect(await refused(Buffer.from(leaving.replaceAll('extension/aa/', 'extension/../'), 'latin1'))).toEqual([
      422,
      expect.stringContaining('names that leave it'),
    ])
  })

  it('is not kept for visitors, nor for other sites', async () => {
    const vsix = await vsixOf(theme)
    expect((await upload(visitor, vsix)).status).toBe(401)
    expect((await upload(ada, vsix, { origin: 'http://frame-x.preview.test' })).status).toBe(403)
  })

  it('is gone when its owner removes it', async () => {
    const { data } = (await upload(ada, await vsixOf(theme))).body
    expect((await ada.call('DELETE', `/api/v1/users/current/uploads/${data['id']}`)).status).toBe(204)
    expect((await file(`${data['location']}/package.json`)).status).toBe(404)
  })
})
