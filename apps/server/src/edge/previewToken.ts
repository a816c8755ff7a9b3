/**
 * How a preview token travels: in the query of the first request (turned into the cookie at once, so that it never stays in an
 * address), in a header of programs, in a cookie of browsers. It says who looks; it can't be used for anything but previews.
 */
export const PREVIEW_TOKEN_QUERY = 'preview_token'
export const PREVIEW_TOKEN_HEADER = 'csb-preview-token'
export const PREVIEW_TOKEN_COOKIE = 'csb_preview_token'

/** Stands while the app is asked for a new token in place of a refused one: a new one that is refused as well is not replaced again. */
export const PREVIEW_RENEWAL_COOKIE = 'boxyard_preview_renewal'

export interface FoundToken {
  token: string
  from: 'query' | 'header' | 'cookie'
}

/** The token of a request, the most deliberate one first. */
export function findPreviewToken(
  url: string,
  headers: { cookie?: string; [name: string]: unknown },
): FoundToken | undefined {
  const query = new URL(url, 'http://preview').searchParams.get(PREVIEW_TOKEN_QUERY)
  if (query) return { token: query, from: 'query' }
  const header = headers[PREVIEW_TOKEN_HEADER]
  if (typeof header === 'string' && header !== '') return { token: header, from: 'header' }
  const cookie = cookieOf(headers.cookie, PREVIEW_TOKEN_COOKIE)
  return cookie ? { token: cookie, from: 'cookie' } : undefined
}

/** Whether the app was asked for a new token just now. */
export function isBeingRenewed(headers: { cookie?: string }): boolean {
  return cookieOf(headers.cookie, PREVIEW_RENEWAL_COOKIE) !== undefined
}

function cookieOf(header: string | undefined, wanted: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2)
    if (name === wanted && value) return value
  }
  return undefined
}

/** The address without its token: the same bytes but for the one parameter. */
export function withoutPreviewToken(url: string): string {
  const [path = '/', query] = url.split('?', 2)
  if (query === undefined) return path
  const kept = query.split('&').filter((pair) => pair.split('=', 1)[0] !== PREVIEW_TOKEN_QUERY)
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`
}

/** A Cookie header without the token, which is none of the previewed program's business. Undefined when nothing is left. */
export function withoutPreviewCookie(cookie: string | undefined): string | undefined {
  const own = [PREVIEW_TOKEN_COOKIE, PREVIEW_RENEWAL_COOKIE]
  const kept = (cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '' && !own.some((name) => pair.startsWith(`${name}=`)))
  return kept.length === 0 ? undefined : kept.join('; ')
}
