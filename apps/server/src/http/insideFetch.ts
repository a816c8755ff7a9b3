import type { App } from './app.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Reaches this server's own routes without a network: its host name may mean nothing on the server itself. */
export function insideFetch(app: App): typeof fetch {
  return async (input, init = {}) => {
    const method = methods.find((known) => known === (init.method ?? 'GET'))
    if (method === undefined) throw new TypeError(`This server is not asked by ${init.method}`)
    const answer = await app.inject({
      method,
      url: String(input),
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(typeof init.body === 'string' ? { payload: init.body } : {}),
    })
    const headers = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)])
    const empty = answer.statusCode === 204 || answer.statusCode === 304
    return new Response(empty ? null : answer.body, { status: answer.statusCode, headers })
  }
}
