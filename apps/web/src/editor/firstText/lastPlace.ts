const NAME = 'boxyard.place'
const SECONDS = 30 * 24 * 60 * 60

/** Which text an address of the editor began with in this browser last. */
export interface LastPlace {
  id: string
  path: string
  scheme: string
}

/** Tells the server at the next visit of this address what to put into the page. Requests for anything else do not carry it. */
export function rememberLastPlace(page: Pick<Document, 'cookie'>, address: string, place: LastPlace): void {
  // Such an address would end the cookie's path before its end.
  if (address.includes(';')) return
  const value = encodeURIComponent(JSON.stringify(place))
  page.cookie = `${NAME}=${value}; Path=${address}; Max-Age=${SECONDS}; SameSite=Lax`
}
