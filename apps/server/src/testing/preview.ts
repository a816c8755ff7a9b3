import { request } from 'node:http'
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
  token: string
  /** With the leading slash. `/` unless given. */
  path?: string
  method?: string
}

/** Asks the preview of a port through the server, as a page of its own origin does. */
export function askPreview(
  server: Pick<TestServer, 'origin' | 'port'>,
  { id, port, token, path = '/', method = 'GET' }: PreviewRequest,
): Promise<{ status: number; text: string }> {
  const host = new URL(server.origin).host.replace(/^app\./, `${id}-${port}.preview.`)
  const headers = { host, accept: 'text/html', 'csb-preview-token': token, 'sec-fetch-site': 'same-origin' }
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: server.port, path, method, headers, agent: false }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      answer.on('error', reject).on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    })
      .on('error', reject)
      .end()
  })
}
