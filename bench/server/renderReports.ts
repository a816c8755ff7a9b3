import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Hears from pages what they have rendered. */
export interface RenderReports {
  /** Where a page reports to, with what it has rendered as the body of a POST. */
  address: string
  /** When this was reported first, by `performance.now()`; waits for it. Rejects after a minute. */
  untilReported(what: string): Promise<number>
  stop(): Promise<void>
}

const DEADLINE_MS = 60_000

export async function startRenderReports(): Promise<RenderReports> {
  const reported = new Map<string, number>()
  const waiting = new Map<string, (at: number) => void>()
  const server = createServer((request, response) => {
    const at = performance.now()
    let what = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (what += chunk))
    request.once('end', () => {
      response.writeHead(204, { 'access-control-allow-origin': '*' }).end()
      if (reported.has(what)) return
      reported.set(what, at)
      waiting.get(what)?.(at)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    untilReported(what) {
      const known = reported.get(what)
      if (known !== undefined) return Promise.resolve(known)
      return new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`Nobody has rendered ${what}`)), DEADLINE_MS)
        waiting.set(what, (at) => {
          clearTimeout(late)
          resolve(at)
        })
      })
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
