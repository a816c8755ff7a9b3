const name = 'signedIn'
/** Seconds: 30 days. */
const maxAge = 30 * 24 * 60 * 60

/**
 * The value of the marker in a cookie header, or null. A page of a preview may set one of that name for the whole site, which stands beside the
 * app's own: that must not end a session.
 */
export function markerValue(cookies: string): string | null {
  const values = cookies.split(';').flatMap((part) => {
    const [key, value] = part.trim().split('=')
    return key === name ? [value ?? ''] : []
  })
  return values.includes('true') ? 'true' : (values[0] ?? null)
}

const write = (value: string, seconds: number) => {
  const secure = window.isSecureContext ? '; secure' : ''
  document.cookie = `${name}=${value}; path=/; max-age=${seconds}; samesite=strict${secure}`
}

/** The cookie that says, to the page and to the next visit, whether somebody is signed in. The session itself is in another one. */
export const signedInMarker = {
  present: () => markerValue(document.cookie) === 'true',
  /** The server wrote down that the session is over. */
  saysEnded: () => markerValue(document.cookie) === 'false',
  set: () => write('true', maxAge),
  clear: () => write('', 0),
}
