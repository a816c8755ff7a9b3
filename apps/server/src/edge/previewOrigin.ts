import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a request to a preview that carries a visitor's cookie may be answered. All previews share one site, so the browser
 * sends the cookie of a private preview along with what any other preview asks for. Allowed are navigations, requests from the same
 * preview, from another port of the same box, from the app, and from programs, which send none of these headers.
 */
export function isExpectedRequester(headers: IncomingHttpHeaders, isOwnOrigin: (origin: string) => boolean): boolean {
  const { origin, referer } = headers
  if (origin !== undefined) return isOwnOrigin(origin)
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return true
  if (headers['sec-fetch-mode'] === 'navigate') return true
  return referer !== undefined && URL.canParse(referer) && isOwnOrigin(new URL(referer).origin)
}

/** Makes the test for origins that belong together: the app's, and those of every port of one box. */
export function ownOrigins(options: {
  protocol: string
  appOrigin: string
  base: string
  boxId: string
}): (origin: string) => boolean {
  const { protocol, appOrigin, base, boxId } = options
  return (origin) => {
    if (origin === appOrigin) return true
    const prefix = `${protocol}://${boxId}-`
    const suffix = `.preview.${base}`
    return (
      origin.startsWith(prefix) &&
      origin.endsWith(suffix) &&
      /^[1-9]\d{0,4}$/.test(origin.slice(prefix.length, -suffix.length))
    )
  }
}
