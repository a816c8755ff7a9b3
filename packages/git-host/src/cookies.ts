import type { FastifyReply, FastifyRequest } from 'fastify'
import { equalSecrets, newSecret } from './secrets.ts'

export const SESSION_DAYS = 30
const DAY_SECONDS = 86_400

/**
 * The two cookies of the git host. With `secure` they carry the `__Host-` prefix, which no page of a sub-domain can set; without
 * it (plain http on a host name that browsers do not trust) the prefix is refused by browsers.
 */
export class GitCookies {
  readonly #secure: boolean
  readonly #session: string
  readonly #form: string

  constructor(options: { secure: boolean }) {
    const prefix = options.secure ? '__Host-' : ''
    this.#secure = options.secure
    this.#session = `${prefix}boxyard_git`
    this.#form = `${prefix}boxyard_git_form`
  }

  sessionOf(request: FastifyRequest): string | undefined {
    return request.cookies[this.#session]
  }

  setSession(reply: FastifyReply, token: string): void {
    reply.setCookie(this.#session, token, {
      ...this.#attributes(),
      sameSite: 'lax',
      maxAge: SESSION_DAYS * DAY_SECONDS,
    })
  }

  clearSession(reply: FastifyReply): void {
    reply.clearCookie(this.#session, { ...this.#attributes(), sameSite: 'lax' })
  }

  /** The secret that ties a form to the browser it was shown in; set when there is none. */
  formSecret(request: FastifyRequest, reply: FastifyReply): string {
    const present = request.cookies[this.#form]
    if (present) return present
    const secret = newSecret()
    reply.setCookie(this.#form, secret, { ...this.#attributes(), sameSite: 'strict' })
    return secret
  }

  isOwnForm(request: FastifyRequest, sent: string | undefined): boolean {
    const secret = request.cookies[this.#form]
    return secret !== undefined && sent !== undefined && equalSecrets(secret, sent)
  }

  #attributes() {
    return { path: '/', httpOnly: true, secure: this.#secure } as const
  }
}
