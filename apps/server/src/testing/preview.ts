import { request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import type { TestBrowser } from './browser.ts'
import type { TestServer } from './server.ts'

/** The token with which the person of `browser` may see the previews of a devbox. */
export async function previewToken(browser: TestBrowser, id: string): Promise<string> {
  const { body } = await browser.call('GET', `/api/v1/auth/preview_token?sandbox_id=${id}`)
  return (body as { data: { token: string } }).data.token
}

export interface PreviewRequest {
  id: string
  port: number
  /** None: as somebody who may not see it. */
  token?: string
  /** With the leading slash. `/` unless given. */
  path?: string
  method?: string
}

/** Asks the preview of a port through the server, as a page of its own origin does. */
export function askPreview(
  server: Pick<TestServer, 'origin' | 'port'>,
  { id, port, token, path = '/', method = 'GET' }: PreviewRequest,
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
  const host = new URL(server.origin).host.replace(/^app\./, `${id}-${port}.preview.`)
  const known = token === undefined ? {} : { 'csb-preview-token': token }
  const headers = { host, accept: 'text/html', 'sec-fetch-site': 'same-origin', ...known }
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: server.port, path, method, headers, agent: false }, (answer) => {
      buffer(answer).then((body) => {
        const text = answer.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: text.toString() })
      }, reject)
    })
      .on('error', reject)
      .end()
  })
}
