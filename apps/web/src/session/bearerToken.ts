const key = 'devJwt'

/** A token that stands in for the cookie of a session. Only sign-in by token, which exists in development, stores one. */
export const bearerToken = {
  read: (): string | null => localStorage.getItem(key),
  store: (token: string) => localStorage.setItem(key, token),
  clear: () => localStorage.removeItem(key),
}

/** Sends the stored token along with every call of the API. */
export function withBearer(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return (input, init) => {
    const token = bearerToken.read()
    if (token === null) return fetch(input, init)
    const headers = new Headers(init?.headers)
    headers.set('authorization', `Bearer ${token}`)
    return fetch(input, { ...init, headers })
  }
}
