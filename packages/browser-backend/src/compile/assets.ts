import { extensionOf } from '../common/projectFiles.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.svg': 'image/svg+xml',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.otf': 'font/otf',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.wasm': 'application/wasm',
  '.pdf': 'application/pdf',
  '.txt': 'text/plain',
  '.json': 'application/json',
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
}

/** The media type of a file, by its name. */
export const typeOf = (path: string): string => TYPES[extensionOf(path)] ?? 'application/octet-stream'

/** A file as an address that carries its content. */
export function dataUrl(path: string, content: string | Uint8Array): string {
  if (typeof content === 'string') return `data:${typeOf(path)};charset=utf-8,${encodeURIComponent(content)}`
  let text = ''
  for (let start = 0; start < content.length; start += 0x8000)
    text += String.fromCharCode(...content.subarray(start, start + 0x8000))
  return `data:${typeOf(path)};base64,${btoa(text)}`
}
