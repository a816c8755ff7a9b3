import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { PREVIEW_TOKEN_HEADER, withoutPreviewCookie } from './previewToken.ts'

/** Headers that belong to one connection and never travel on. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

function withoutHopByHop(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()))
  return Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => value !== undefined && !hopByHop.has(name) && !named.has(name)),
  )
}

/** The headers a previewed program receives: the visitor's, without the platform's token, with where the request came from. */
export function requestHeaders(
  headers: IncomingHttpHeaders,
  forwarded: { protocol: string; address: string | undefined },
): OutgoingHttpHeaders {
  const out = withoutHopByHop(headers)
  delete out[PREVIEW_TOKEN_HEADER]
  const cookie = withoutPreviewCookie(headers.cookie)
  if (cookie === undefined) delete out['cookie']
  else out['cookie'] = cookie
  out['x-forwarded-host'] = headers.host
  out['x-forwarded-proto'] = forwarded.protocol
  if (forwarded.address !== undefined) out['x-forwarded-for'] = forwarded.address
  return out
}

/** The headers a visitor receives: the program's, with cookies kept on the origin that set them. */
export function responseHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const out = withoutHopByHop(headers)
  const cookies = headers['set-cookie']
  if (cookies) out['set-cookie'] = cookies.map((cookie) => cookie.replace(/;\s*domain=[^;]*/gi, ''))
  return out
}
