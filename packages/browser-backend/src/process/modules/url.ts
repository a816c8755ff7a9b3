import legacy from 'url/url.js'
import path from 'path-browserify'
import { codedError } from '../nodeError.ts'
import { querystring } from './querystring.ts'
import type { Loose } from '../loose.ts'

const refuse = (code: string, words: string): Error => codedError(code, words, TypeError)

export function fileURLToPath(address: string | URL): string {
  if (typeof address !== 'string' && !(address instanceof URL))
    throw refuse('ERR_INVALID_ARG_TYPE', 'The "path" argument must be of type string or an instance of URL.')
  const url = typeof address === 'string' ? new URL(address) : address
  if (url.protocol !== 'file:') throw refuse('ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file')
  if (url.hostname !== '')
    throw refuse('ERR_INVALID_FILE_URL_HOST', 'File URL host must be "localhost" or empty on linux')
  if (/%2f/i.test(url.pathname))
    throw refuse('ERR_INVALID_FILE_URL_PATH', 'File URL path must not include encoded / characters')
  return decodeURIComponent(url.pathname)
}

export function pathToFileURL(given: string): URL {
  const resolved = path.resolve(given)
  const whole = given.endsWith('/') && !resolved.endsWith('/') ? `${resolved}/` : resolved
  return new URL(`file://${encodeURI(whole).replaceAll('?', '%3F').replaceAll('#', '%23')}`)
}

/** The package takes `a[b]=c` for something inside of something else, which Node does not. */
function parse(address: unknown, hasQuery?: boolean, hasHost?: boolean): Loose {
  const parsed: Loose = (legacy as Loose).parse(address, false, hasHost)
  if (!hasQuery) return parsed
  parsed.query = querystring.parse((parsed.search ?? '').slice(1))
  parsed.search ??= ''
  return parsed
}

function format(given: Loose, options?: Loose): string {
  if (given instanceof URL) return formatted(given, options)
  const { query, search } = typeof given === 'object' && given !== null ? given : ({} as Loose)
  if (typeof query !== 'object' || query === null || search) return (legacy as Loose).format(given)
  const made: string = querystring.stringify(query)
  return (legacy as Loose).format({ ...given, query: null, search: made === '' ? '' : `?${made}` })
}

/** An address without the parts that are not wanted. */
function formatted(given: URL, options: Loose): string {
  const shown = new URL(given)
  if (options?.fragment === false) shown.hash = ''
  if (options?.search === false) shown.search = ''
  if (options?.auth === false) Object.assign(shown, { username: '', password: '' })
  return shown.href
}

/** Node's `url`. */
export const url: Loose = {
  ...(legacy as object),
  parse,
  format,
  URL,
  URLSearchParams,
  fileURLToPath,
  pathToFileURL,
  domainToASCII: (domain: string) => (URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : ''),
  domainToUnicode: (domain: string) => domain,
  urlToHttpOptions: ({ protocol, hostname, port, pathname, search, hash, href, username, password }: URL) => ({
    protocol,
    // Those of version 6 stand in brackets in an address alone.
    hostname: typeof hostname === 'string' ? hostname.replace(/^\[(.*)\]$/, '$1') : hostname,
    hash,
    search,
    pathname,
    path: `${pathname ?? ''}${search ?? ''}`,
    href,
    ...(port === '' ? {} : { port: Number(port) }),
    ...(username || password ? { auth: `${decodeURIComponent(username)}:${decodeURIComponent(password)}` } : {}),
  }),
}
