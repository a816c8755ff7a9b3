/**
 * How a preview token travels: in the query of the first request (turned into the cookie at once, so that it never stays in an
 * address), in a header of programs, in a cookie of browsers. It says who looks; it can't be used for anything but previews.
 */
export const PREVIEW_TOKEN_QUERY = 'preview_token'
export const PREVIEW_TOKEN_HEADER = 'csb-preview-token'
export const PREVIEW_TOKEN_COOKIE = 'csb_preview_token'

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
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2)
    if (name === PREVIEW_TOKEN_COOKIE && value) return { token: value, from: 'cookie' }
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
  const kept = (cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '' && !pair.startsWith(`${PREVIEW_TOKEN_COOKIE}=`))
  return kept.length === 0 ? undefined : kept.join('; ')
}
