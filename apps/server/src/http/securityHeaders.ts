import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { App } from './app.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Once per answer; scripts and styles of a page that carry it may run. */
    readonly nonce: string
  }
}

/**
 * Pages of the sign-in window. On its way it visits the provider, and it must still know who opened it when it comes back: browsers
 * cut that tie wherever the policy changes.
 */
const popupPages = /^\/(?:auth|_git)\//

/** What every answer of the app's hosts carries. Pages replace the content security policy by their own. */
export function registerSecurityHeaders(app: App, options: { https: boolean }): void {
  const nonces = new WeakMap<FastifyRequest, string>()
  app.decorateRequest('nonce', {
    // Only pages have one, and most answers are none.
    getter() {
      const nonce = nonces.get(this) ?? randomBytes(16).toString('base64')
      nonces.set(this, nonce)
      return nonce
    },
  })
  const always = {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(options.https ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
  app.addHook('onRequest', (request, reply, done) => {
    reply
      .headers(always)
      .header('cross-origin-opener-policy', popupPages.test(request.url) ? 'unsafe-none' : 'same-origin-allow-popups')
    done()
  })
}
