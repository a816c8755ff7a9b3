import legacy from 'url/url.js'
import { codedError } from '../nodeError.ts'
import type { Loose } from '../loose.ts'

export function fileURLToPath(address: string | URL): string {
  const url = typeof address === 'string' ? new URL(address) : address
  if (url.protocol !== 'file:') throw codedError('ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file', TypeError)
  return decodeURIComponent(url.pathname)
}

export function pathToFileURL(path: string): URL {
  return new URL(`file://${encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23')}`)
}

/** Node's `url`. */
export const url: Loose = {
  ...(legacy as object),
  format: (given: Loose, ...rest: unknown[]) =>
    given instanceof URL ? given.href : ((legacy as Loose).format(given, ...rest) as string),
  URL,
  URLSearchParams,
  fileURLToPath,
  pathToFileURL,
  domainToASCII: (domain: string) => (URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : ''),
  domainToUnicode: (domain: string) => domain,
  urlToHttpOptions: ({ protocol, hostname, port, pathname, search, hash, href, username, password }: URL) => ({
    protocol,
    hostname,
    hash,
    search,
    pathname,
    path: pathname + search,
    href,
    ...(port === '' ? {} : { port: Number(port) }),
    ...(username || password ? { auth: `${decodeURIComponent(username)}:${decodeURIComponent(password)}` } : {}),
  }),
}
