import type { FastifyReply, FastifyRequest } from 'fastify'
import { SESSION_SECONDS } from '../accounts/sessions.ts'
import type { Configuration } from '../configuration.ts'

/**
 * Whether browsers take cookies that are marked Secure from the app's origin: with TLS, and on localhost names, which they trust.
 * Only those can carry the `__Host-` prefix, which keeps pages on sub-domains from setting them.
 */
export function usesSecureCookies({ protocol, base }: Pick<Configuration, 'protocol' | 'base'>): boolean {
  return protocol === 'https' || /(?:^|\.)localhost(?::\d+)?$/.test(base)
}

/** The cookies of the app: the session, what binds a sign-in under way to its browser, and a marker that scripts may read. */
export class AppCookies {
  readonly #secure: boolean
  readonly #session: string
  readonly #browser: string

  constructor(configuration: Pick<Configuration, 'protocol' | 'base'>) {
    this.#secure = usesSecureCookies(configuration)
    this.#session = `${this.#secure ? '__Host-' : ''}boxyard_session`
    this.#browser = `${this.#secure ? '__Host-' : ''}boxyard_sign_in`
  }

  sessionOf(request: FastifyRequest): string | undefined {
    return this.sessionIn(request.cookies)
  }

  sessionIn(cookies: Readonly<Record<string, string | undefined>>): string | undefined {
    return cookies[this.#session]
  }

  setSession(reply: FastifyReply, token: string): void {
    reply.setCookie(this.#session, token, { ...this.#hidden(), sameSite: 'strict', maxAge: SESSION_SECONDS })
    this.#mark(reply, 'true')
  }

  clearSession(reply: FastifyReply): void {
    reply.clearCookie(this.#session, { ...this.#hidden(), sameSite: 'strict' })
    this.#mark(reply, 'false')
  }

  browserOf(request: FastifyRequest): string | undefined {
    return request.cookies[this.#browser]
  }

  /** Lax: the callback of a sign-in is a navigation that comes from the git host. */
  setBrowser(reply: FastifyReply, secret: string, seconds: number): void {
    reply.setCookie(this.#browser, secret, { ...this.#hidden(), sameSite: 'lax', maxAge: seconds })
  }

  clearBrowser(reply: FastifyReply): void {
    reply.clearCookie(this.#browser, { ...this.#hidden(), sameSite: 'lax' })
  }

  /** Tells the page whether asking for the current user is worth it. */
  #mark(reply: FastifyReply, signedIn: 'true' | 'false'): void {
    const options = { path: '/', secure: this.#secure, sameSite: 'strict', maxAge: SESSION_SECONDS } as const
    reply.setCookie('signedIn', signedIn, options)
  }

  #hidden() {
    return { path: '/', httpOnly: true, secure: this.#secure } as const
  }
}
