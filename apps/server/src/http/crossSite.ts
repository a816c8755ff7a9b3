import { ApiError } from '@boxyard/api'
import type { FastifyRequest } from 'fastify'
import type { IncomingHttpHeaders } from 'node:http'
import type { App } from './app.ts'

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Whether an unsafe request may act with the rights its cookies give. Previews are other origins of the same site, so SameSite
 * cookies alone do not keep them out. A request with a bearer token and a request without cookies act for nobody else.
 */
export function isFromApp(headers: IncomingHttpHeaders, appOrigin: string): boolean {
  if (headers.authorization !== undefined) return true
  const { origin } = headers
  const site = headers['sec-fetch-site']
  if (origin !== undefined) return origin === appOrigin
  if (site !== undefined) return site === 'same-origin'
  return headers.cookie === undefined
}

/**
 * Where identity providers post what they say. Such a request acts with no rights of its cookies: what it brings is kept for the
 * browser that began the sign-in.
 */
const providerAnswers = /^\/auth\/(?:apple|sso\/[0-9a-f-]{36})\/callback$/

/** Where other sites send files to. The route looks at where they come from before it does anything in somebody's name. */
export const DEFINE_PATH = '/api/v1/sandboxes/define'

export function registerCrossSiteCheck(app: App, options: { appOrigin: string }): void {
  const mayPass = ({ method, url, headers }: FastifyRequest) =>
    safeMethods.has(method) ||
    isFromApp(headers, options.appOrigin) ||
    providerAnswers.test(url) ||
    url.split('?', 1)[0] === DEFINE_PATH
  app.addHook('onRequest', (request, _reply, done) => {
    if (mayPass(request)) done()
    else done(new ApiError('CROSS_SITE'))
  })
}
