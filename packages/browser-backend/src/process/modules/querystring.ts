import { codedError } from '../nodeError.ts'
import type { Loose } from '../loose.ts'

function escape(given: unknown): string {
  // As a template makes a text of it, which refuses symbols.
  const text = `${given as string}`
  try {
    return encodeURIComponent(text)
  } catch {
    throw codedError('ERR_INVALID_URI', 'URI malformed', URIError)
  }
}

/** What is no text of an address stays as far as it is none. */
function unescape(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    const bytes: number[] = []
    for (let at = 0; at < text.length; at += 1) {
      const code = /^%([\da-f]{2})/i.exec(text.slice(at, at + 3))?.[1]
      if (code !== undefined) {
        bytes.push(Number.parseInt(code, 16))
        at += 2
      } else bytes.push(...new TextEncoder().encode(text[at]))
    }
    return new TextDecoder().decode(new Uint8Array(bytes))
  }
}

function written(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  return typeof value === 'bigint' || typeof value === 'boolean' ? String(value) : ''
}

function stringify(given: unknown, separator?: string, equals?: string, options?: Loose): string {
  if (typeof given !== 'object' || given === null) return ''
  const encode: (text: string) => string = options?.encodeURIComponent ?? querystring.escape
  return Object.entries(given)
    .flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((one) => `${encode(name)}${equals || '='}${encode(written(one))}`),
    )
    .join(separator || '&')
}

/** Without a prototype, so that no name means anything else than what was sent. */
function parse(given: unknown, separator?: string, equals?: string, options?: Loose): Record<string, unknown> {
  const found: Record<string, unknown> = Object.create(null)
  if (typeof given !== 'string' || given === '') return found
  const most: unknown = options?.maxKeys
  const limit = typeof most === 'number' ? most : 1000
  const decode: (text: string) => string = options?.decodeURIComponent ?? querystring.unescape
  const decoded = (text: string): string => {
    const spaced = text.replaceAll('+', ' ')
    if (decode === unescape && !spaced.includes('%')) return spaced
    try {
      return decode(spaced)
    } catch {
      return unescape(spaced)
    }
  }
  const [between, sign] = [String(separator || '&'), String(equals || '=')]
  const parts = given.split(between).filter((part) => part !== '')
  for (const part of limit > 0 ? parts.slice(0, limit) : parts) {
    const at = part.indexOf(sign)
    const name = decoded(at < 0 ? part : part.slice(0, at))
    const value = at < 0 ? '' : decoded(part.slice(at + sign.length))
    if (!(name in found)) found[name] = value
    else if (Array.isArray(found[name])) found[name].push(value)
    else found[name] = [found[name], value]
  }
  return found
}

/** Node's `querystring`. Programs may put other ways to escape in the place of ours. */
export const querystring: Loose = { escape, unescape, stringify, encode: stringify, parse, decode: parse }
