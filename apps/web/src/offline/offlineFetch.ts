import { cachesOfBrowser, forgetKeptAnswers, KeptAnswers } from '@boxyard/browser-backend/kept-answers'
import type { Caches } from '@boxyard/browser-backend/kept-answers'

type Fetch = typeof globalThis.fetch

/** What a page of a sandbox asks for before it can show anything. */
const NEEDED = /^\/api\/v1\/(?:users\/current(?:\/editor_settings)?|sandboxes\/[^/]+|auth\/preview_token)$/
const ACCOUNT = '/api/v1/users/current'
const SIGN_OUT = '/api/v1/users/signout'

/**
 * As `fetch`. On the page of a sandbox without a machine, what it opens with is kept for when no server answers, until somebody else uses
 * this browser.
 */
export function offlineFetch(
  fetch: Fetch,
  page: Pick<Location, 'pathname' | 'origin'>,
  caches: Caches | null = cachesOfBrowser(),
): Fetch {
  return async (input, init) => {
    const { pathname, href } = new URL(
      typeof input === 'string' ? input : input instanceof URL ? input : input.url,
      page.origin,
    )
    const method = init?.method ?? 'GET'
    const sandbox = sandboxOf(page.pathname)
    const kept =
      sandbox === undefined ? null : new KeptAnswers(sandbox, { send: (...given) => fetch(...given), caches })
    const isNeeded = kept !== null && method === 'GET' && typeof input === 'string' && NEEDED.test(pathname)
    const ask = () => (isNeeded ? kept.fetch(href, init) : fetch(input, init))
    if (pathname === SIGN_OUT) {
      const answer = await fetch(input, init)
      if (answer.ok) await forgetKeptAnswers(caches)
      return answer
    }
    if (pathname !== ACCOUNT || method !== 'GET') return ask()
    const before = await caches?.match(page.origin + ACCOUNT, { ignoreVary: true })
    const answer = await ask()
    // Somebody else is at this browser, or nobody any more.
    if (before && answer.status < 500 && (await personOf(before)) !== (await personOf(answer.clone())))
      await forgetKeptAnswers(caches)
    return answer
  }
}

/** The sandbox of a page's address, as it is named there. */
export function sandboxOf(pathname: string): string | undefined {
  const named = /^\/sandbox\/([^/]+)/.exec(pathname)?.[1]
  return named === undefined ? undefined : decodeURIComponent(named)
}

async function personOf(answer: Response): Promise<unknown> {
  if (!answer.ok) return null
  const { data } = (await answer.json()) as { data?: { id?: unknown } }
  return data?.id
}
