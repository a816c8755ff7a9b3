import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { RunningServer } from './server.ts'

/** A token for `BOXYARD_ADMIN_TOKEN`. */
export const administratorToken = (): string => randomBytes(16).toString('hex')

interface SessionCookie {
  name: string
  value: string
  url: string
  secure: boolean
}

export interface Administrator {
  /** What the API answers to this call, which has to succeed. */
  call(method: string, path: string, body?: unknown): Promise<unknown>
  /** Signs them in in a browser. */
  signIn(browser: { addCookies(cookies: SessionCookie[]): Promise<void> }): Promise<void>
}

/** Whom a server lets in with the token that it was started with. */
export function administratorOf({ address }: Pick<RunningServer, 'address'>, token: string): Administrator {
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(`http://localhost:${new URL(address).port}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    expect([path, answer.status]).toEqual([path, 200])
    return ((await answer.json()) as { data: unknown }).data
  }
  return {
    call,
    async signIn(browser) {
      const session = (await call('GET', '/api/v1/auth/auth-token')) as { token: string }
      const place = { url: address.replace('http:', 'https:'), secure: true }
      await browser.addCookies([
        { name: '__Host-boxyard_session', value: session.token, ...place },
        { name: 'signedIn', value: 'true', ...place },
      ])
    },
  }
}
