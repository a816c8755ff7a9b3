import type { App } from './app.ts'

/** What programs call; the rest is pages and files, of which one visit asks for hundreds. */
const calls = /^\/(?:api|auth|_git)\//
/** Asked every few seconds by whoever watches the server. */
const probes = /^\/api\/health(?:\?|$)/

export type RequestLevel = 'debug' | 'info' | 'warn'

/** How much a request matters to whoever reads the log: calls and refusals do, failures more, files of the app hardly. */
export function requestLevel(url: string, status: number): RequestLevel {
  if (status >= 500) return 'warn'
  return status >= 400 || (calls.test(url) && !probes.test(url)) ? 'info' : 'debug'
}

/** One line a request, when it is over. */
export function registerRequestLog(app: App): void {
  app.addHook('onResponse', (request, reply, done) => {
    request.log[requestLevel(request.url, reply.statusCode)](
      { req: request, status: reply.statusCode, ms: Math.round(reply.elapsedTime * 10) / 10 },
      'answered',
    )
    done()
  })
}
