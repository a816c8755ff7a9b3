import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../testing/folders.ts'
import { recordingMachines } from '../testing/machines.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'

const folder = temporaryFolder('web')
let server: TestServer
let firstText: object | null = null

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<title>App of __BASE__</title><script nonce="__CSP_NONCE__"></script>')
  writeFileSync(
    join(folder, 'editor.html'),
    '<!-- first text --><title>App of __BASE__</title><script nonce="__CSP_NONCE__"></script>',
  )
  writeFileSync(join(folder, 'embed.html'), '<title>Embed on __BASE__</title>')
  writeFileSync(join(folder, 'assets', 'app-1a2b.js'), 'run()')
  writeFileSync(join(folder, 'assets', 'app-1a2b.js.br'), brotliCompressSync('run()'))
  writeFileSync(join(folder, 'favicon.svg'), '<svg/>')
  writeFileSync(join(folder, 'editor-cache.js'), 'keep()')
  writeFileSync(join(folder, 'build.json'), '{"build":"1a2b"}')
  writeFileSync(join(folder, 'editor-cache.js.br'), brotliCompressSync('keep()'))
  server = await startTestServer(
    {},
    {
      webAppFolder: folder,
      machines: async () => ({
        service: recordingMachines(),
        firstText: async () => firstText,
        close: async () => undefined,
      }),
    },
  )
  server.context.gateway.servePreviews({
    request: (_request, response, target) => response.end(`preview ${target.boxId} ${target.port}`),
    upgrade: (_request, socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\npreview'),
  })
  server.context.gateway.serveUpgrades(
    (path) => path.startsWith('/box/'),
    (_request, socket, _head, url) => socket.end(`HTTP/1.1 101 Switching Protocols\r\n\r\n${url.pathname}`),
  )
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const get = (path: string, headers: Record<string, string> = {}) => server.browser().request(path, { headers })
const host = (name: string) => ({ host: `${name}boxyard.localhost:${server.port}` })

describe('pages', () => {
  it('are index.html with a new nonce each time, whatever their path', async () => {
    const [first, second] = [await get('/dashboard/recent'), await get('/devbox/some-title-abc123')]
    for (const { status, text, headers } of [first, second]) {
      expect(status).toBe(200)
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      const nonce = /nonce="([^"]+)"/.exec(text)![1]!
      expect(headers['content-security-policy']).toContain(`'nonce-${nonce}'`)
      expect(text).toContain(`App of boxyard.localhost:${server.port}`)
    }
    expect(first.text).not.toBe(second.text)
  })

  it('WB900: of editors carry their first text as data that no browser runs and no text ends', async () => {
    const text = '</script><script nonce="__CSP_NONCE__">alert("$&")</script><!-- first text -->'
    firstText = { id: 'abc123', path: 'a.html', scheme: 'dark', answer: { text } }
    try {
      const page = await get('/devbox/abc123')
      const nonce = /'nonce-([^']+)'/.exec(String(page.headers['content-security-policy']))![1]!
      expect(page.text.split('<script')).toHaveLength(3)
      expect(page.text.split(nonce)).toHaveLength(2)
      const json = /^<script type="application\/json" id="first-text">(.*?)<\/script><title>/.exec(page.text)![1]!
      expect(JSON.parse(json)).toEqual(firstText)
      expect((await get('/dashboard/recent')).text).not.toContain('first-text')
    } finally {
      firstText = null
    }
    expect((await get('/devbox/abc123')).text).toMatch(/^<title>/)
  })

  it('live on the origin of the app alone', async () => {
    const { status, headers } = await get('/dashboard?tab=1', host(''))
    expect([status, headers.location]).toEqual([307, `${server.origin}/dashboard?tab=1`])
    expect((await get('/api/health', { host: `127.0.0.1:${server.port}` })).status).toBe(200)
  })

  it('can be framed elsewhere where they show one sandbox, and nowhere else', async () => {
    const embed = await get('/embed/abc123?view=preview')
    expect(embed.text).toBe(`<title>Embed on boxyard.localhost:${server.port}</title>`)
    expect(embed.headers['x-frame-options']).toBeUndefined()
    expect(embed.headers['content-security-policy']).toContain('frame-ancestors *')
    expect(embed.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self' 'nonce-")
    for (const path of ['/', '/embed', '/embed/', '/embed/abc/more', '/embed/../sandbox/abc', '/sandbox/abc123']) {
      const { headers, text } = await get(path)
      expect([path, headers['x-frame-options']]).toEqual([path, 'DENY'])
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
      expect(text).toContain('App of')
    }
  })

  it('are not what a program gets for a wrong address', async () => {
    for (const path of ['/api/v1/nothing', '/auth/nothing', '/assets/gone.js', '/box/abc123']) {
      const { status, text } = await get(path)
      expect([path, status]).toEqual([path, 404])
      expect(JSON.parse(text)).toMatchObject({ error: { code: 'NOT_FOUND' } })
    }
  })
})

describe('files', () => {
  it('with a hash in their name are kept for good, and sent compressed', async () => {
    const { headers } = await get('/assets/app-1a2b.js', { 'accept-encoding': 'br' })
    expect(headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    expect((await get('/assets/app-1a2b.js')).text).toBe('run()')
    expect((await get('/favicon.svg')).headers['cache-control']).toBe('no-cache')
  })

  it('include a service worker that may fetch files of the app, and is looked for anew each time', async () => {
    for (const encoding of ['identity', 'br']) {
      const { status, headers } = await get('/editor-cache.js', { 'accept-encoding': encoding })
      expect([status, headers['cache-control']]).toEqual([200, 'no-cache'])
      expect(headers['content-security-policy']).toContain("connect-src 'self'")
    }
    expect((await get('/build.json')).headers['cache-control']).toBe('no-cache')
  })
})

describe('other hosts', () => {
  it('of previews never reach the app', async () => {
    const { text, headers } = await get('/api/health', host('abc123-3000.preview.'))
    expect(text).toBe('preview abc123 3000')
    expect(headers['set-cookie']).toBeUndefined()
  })

  it('that are not ours get 421', async () => {
    for (const name of ['evil.', 'preview.', 'x.app.']) expect((await get('/api/health', host(name))).status).toBe(421)
  })
})

describe('upgrades', () => {
  async function upgrade(path: string, headers: Record<string, string>): Promise<string> {
    const socket = connect(server.port, '127.0.0.1')
    const lines = Object.entries({ connection: 'upgrade', upgrade: 'websocket', ...headers }).map((pair) =>
      pair.join(': '),
    )
    socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    let answer = ''
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text))
    await once(socket, 'close')
    return answer
  }

  it('reach the handler of their path, from the app or from a program', async () => {
    for (const headers of [{ ...host('app.'), origin: server.origin }, host('app.'), host('')]) {
      expect(await upgrade('/box/abc123?token=x', headers)).toMatch(/^HTTP\/1\.1 101 .*\/box\/abc123$/s)
    }
  })

  it('are refused from another origin, on another host and on another path', async () => {
    const preview = server.origin.replace('//app.', '//abc123-3000.preview.')
    expect(await upgrade('/box/abc123', { ...host('app.'), origin: preview })).toMatch(/^HTTP\/1\.1 403 /)
    expect(await upgrade('/box/abc123', { ...host('app.'), origin: 'null' })).toMatch(/^HTTP\/1\.1 403 /)
    expect(await upgrade('/box/abc123', host('evil.'))).toMatch(/^HTTP\/1\.1 421 /)
    expect(await upgrade('/elsewhere', host('app.'))).toMatch(/^HTTP\/1\.1 404 /)
  })

  it('of previews go to previews', async () => {
    expect(await upgrade('/box/abc123', host('abc123-3000.preview.'))).toMatch(/preview$/)
  })
})
