import { extname } from 'node:path'
import { contentTypeOf, isImage } from '../uploads/contentType.ts'

const SNIFFED_BYTES = 32
const scripts: ReadonlySet<string> = new Set(['.js', '.mjs', '.cjs'])
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
}

/**
 * The content type of a file of an extension. Strangers wrote these files, and they are served beside the app's own: a script is one for
 * extension hosts alone, whose origin is another one (`site` is Sec-Fetch-Site); for the app's own pages it is a text, which browsers do not run.
 * Nothing is ever a page: a picture that is opened as one (SVG) can do nothing.
 */
export function fileType(path: string, beginning: Buffer, site: string | undefined): string {
  const extension = extname(path).toLowerCase()
  if (scripts.has(extension)) {
    const isForHost = site === 'same-site' || site === 'cross-site'
    return isForHost ? 'text/javascript; charset=utf-8' : 'text/plain; charset=utf-8'
  }
  const image = contentTypeOf(beginning.subarray(0, SNIFFED_BYTES))
  return isImage(image) ? image : (types[extension] ?? 'text/plain; charset=utf-8')
}

/** Headers of every file of an extension: hosts on other origins may read it, it never changes, and opened as a page it can do nothing. */
export const fileHeaders = {
  'access-control-allow-origin': '*',
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  vary: 'sec-fetch-site',
} as const
