import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '../testing/folders.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'

const HOST_PAGE =
  '<html><head><meta http-equiv="Content-Security-Policy" content="default-src *"/></head><script>start()</script></html>'
let server: TestServer
let frames: string

beforeAll(async () => {
  const webAppFolder = temporaryFolder('web')
  mkdirSync(join(webAppFolder, 'assets'), { recursive: true })
  const files = {
    'index.html': '<html></html>',
    'assets/index-a1.html': '<html>webview</html>',
    'assets/index-a1.js': 'app()',
    'assets/service-worker-a1.js': 'self',
    'assets/webWorkerExtensionHostIframe-a1.html': HOST_PAGE,
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(webAppFolder, name), content)
  server = await startTestServer({}, { webAppFolder })
  frames = `frame-${'0v'.repeat(26)}.preview.${server.context.configuration.base}`
})
afterAll(() => server.close())

async function get(host: string, path: string, headers: Record<string, string> = {}, method = 'GET') {
  const sent = request({ host: '127.0.0.1', port: server.port, path, method, headers: { host, ...headers } })
  sent.end()
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve)
    sent.on('error', reject)
  })
  return { status: answer.statusCode, headers: answer.headers, text: await text(answer) }
}

it("AP875: the origins of the editor's frames have their pages and nothing else", async () => {
  const page = await get(frames, '/assets/index-a1.html?id=1')
  expect([page.status, page.text]).toEqual([200, '<html>webview</html>'])
  expect(page.headers['content-security-policy']).toBe(`frame-ancestors ${server.origin} 'self'`)
  expect((await get(frames, '/assets/service-worker-a1.js')).headers['content-type']).toMatch(/^text\/javascript/)
  for (const path of [
    '/',
    '/api/health',
    '/assets/index-a1.js',
    '/assets/..%2findex.html',
    '/index.html',
    '/auth/dev',
  ]) {
    expect([path, (await get(frames, path)).status]).toEqual([path, 404])
  }
  expect((await get(frames, '/assets/index-a1.html', {}, 'POST')).status).toBe(404)
})

it('AP875: the page of the extension host takes code from this server alone', async () => {
  const { text: html, headers } = await get(frames, '/assets/webWorkerExtensionHostIframe-a1.html')
  expect(html).toBe('<html><head></head><script>start()</script></html>')
  const policy = headers['content-security-policy']!
  const hash = createHash('sha256').update('start()').digest('base64')
  expect(policy).toContain(`script-src 'sha256-${hash}' 'unsafe-eval'`)
  expect(policy).toContain(server.origin)
  expect(policy).not.toContain('*')
})

it('AP875: on the origin of the app those pages are nothing, and its scripts may be read by the hosts', async () => {
  const host = new URL(server.origin).host
  const page = await get(host, '/assets/webWorkerExtensionHostIframe-a1.html')
  expect(page.headers['content-security-policy']).toBe("default-src 'none'; sandbox; frame-ancestors 'none'")
  expect((await get(host, '/assets/index-a1.js')).headers).toMatchObject({
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  })
})

it('AP875: a frame can not open a socket of the app', async () => {
  const upgrade = { connection: 'upgrade', upgrade: 'websocket', origin: `http://${frames}` }
  const answer = await get(new URL(server.origin).host, '/socket/websocket', upgrade)
  expect(answer.status).toBe(403)
})
