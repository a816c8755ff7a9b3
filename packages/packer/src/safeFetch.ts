import type { Readable } from 'node:stream'
import ipaddr from 'ipaddr.js'
import { Agent, request } from 'undici'
import type { Dispatcher } from 'undici'
import { PackerError } from './errors.ts'
import { isTimeout } from './isTimeout.ts'
import { isPublicAddress, publicLookup } from './publicAddress.ts'

export interface SafeFetchOptions {
  /** Origins the operator configured, such as a registry on the intranet: they may be private. */
  trustedOrigins: readonly string[]
  /** Certificates to trust besides the usual ones, as PEM text. */
  ca?: string
  /** A signal that aborts after so many milliseconds. */
  timeLimit?: (ms: number) => AbortSignal
}

export interface SafeResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Readable
}

const MAX_REDIRECTS = 5
const HEADERS_TIMEOUT_MS = 30_000
const BODY_TIMEOUT_MS = 60_000
/** For all of an answer, with its redirects: the two above are of silence, and a server that sends a byte now and then is never silent. */
const WHOLE_MS = 600_000

/**
 * The one way to fetch from an address that somebody else chose. http and https only; private addresses only on trusted origins;
 * every redirect is checked like a first request; the name is resolved once and the connection pinned to that address.
 */
export class SafeFetch {
  private readonly trusted: ReadonlySet<string>
  private readonly publicAgent: Agent
  private readonly trustedAgent: Agent
  private readonly timeLimit: (ms: number) => AbortSignal

  constructor({ trustedOrigins, ca, timeLimit = (ms) => AbortSignal.timeout(ms) }: SafeFetchOptions) {
    this.timeLimit = timeLimit
    this.trusted = new Set(trustedOrigins.map((origin) => new URL(origin).origin))
    const tls = ca === undefined ? {} : { ca }
    const timeouts = { headersTimeout: HEADERS_TIMEOUT_MS, bodyTimeout: BODY_TIMEOUT_MS, connections: 32 }
    this.publicAgent = new Agent({ ...timeouts, connect: { ...tls, lookup: publicLookup } })
    this.trustedAgent = new Agent({ ...timeouts, connect: tls })
  }

  /** Sends `body` by POST. A redirect is the answer and is not followed: what was sent is for this address alone. */
  async post(url: string, headers: Record<string, string>, body: string): Promise<SafeResponse> {
    return this.send(this.check(url), headers, this.timeLimit(WHOLE_MS), body)
  }

  /** Its body ends with a TimeoutError when all of it is not there within that time. */
  async fetch(url: string, headers: Record<string, string>, withinMs = WHOLE_MS): Promise<SafeResponse> {
    let target = this.check(url)
    const limit = this.timeLimit(withinMs)
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const response = await this.send(target, headers, limit)
      const location = response.headers['location']
      if (response.status < 300 || response.status > 399 || response.status === 304 || typeof location !== 'string')
        return response
      await response.body.resume()
      const next = this.check(URL.canParse(location, target.href) ? new URL(location, target).href : location)
      // Credentials and cache validators belong to the origin they were made for.
      if (next.origin !== target.origin) headers = { accept: headers['accept'] ?? '*/*' }
      target = next
    }
    throw new PackerError('UPSTREAM', `more than ${MAX_REDIRECTS} redirects`)
  }

  async close(): Promise<void> {
    await Promise.all([this.publicAgent.destroy(), this.trustedAgent.destroy()])
  }

  private check(url: string): URL {
    const target = URL.canParse(url) ? new URL(url) : undefined
    if (!target || !/^https?:$/.test(target.protocol) || target.username !== '' || target.password !== '') {
      throw new PackerError('NOT_ALLOWED', url)
    }
    const host = target.hostname.replace(/^\[|\]$/g, '')
    if (!this.trusted.has(target.origin) && ipaddr.isValid(host) && !isPublicAddress(host)) {
      throw new PackerError('PRIVATE_ADDRESS', target.host)
    }
    return target
  }

  private async send(
    target: URL,
    headers: Record<string, string>,
    signal: AbortSignal,
    posted?: string,
  ): Promise<SafeResponse> {
    const dispatcher: Dispatcher = this.trusted.has(target.origin) ? this.trustedAgent : this.publicAgent
    try {
      const sent = posted === undefined ? { method: 'GET' as const } : { method: 'POST' as const, body: posted }
      const { statusCode, headers: answered, body } = await request(target, { dispatcher, headers, signal, ...sent })
      return { status: statusCode, headers: answered, body }
    } catch (error) {
      if (error instanceof PackerError) throw error
      if (isTimeout(error)) throw new PackerError('TOO_SLOW', target.host, { cause: error })
      throw new PackerError('UPSTREAM', `${target.host}: ${(error as Error).message}`, { cause: error })
    }
  }
}
