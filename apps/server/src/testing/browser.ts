import { randomInt } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'

/** A browser without a screen: keeps cookies, follows redirects, sends the headers that browsers send, fills in forms. */
export class TestBrowser {
  readonly cookies = new Map<string, string>()
  readonly #resolve: (url: string) => string
  readonly origin: string
  /** Where it calls from: a proxy in front would say so in this header. */
  readonly address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`

  /** `port` is where the server of `origin` listens on this machine. */
  constructor(origin: string, port: number) {
    this.origin = origin
    this.#resolve = (url) => {
      const target = new URL(url, origin)
      if (target.origin !== origin) throw new Error(`The browser would leave ${origin} for ${target.href}`)
      return `http://127.0.0.1:${port}${target.pathname}${target.search}`
    }
  }

  async request(
    url: string,
    init: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ): Promise<BrowserAnswer> {
    const { status, headers, text } = await send(this.#resolve(url), {
      method: init.method ?? 'GET',
      headers: {
        host: new URL(this.origin).host,
        'x-forwarded-for': this.address,
        ...(this.cookies.size === 0 ? {} : { cookie: [...this.cookies].map((pair) => pair.join('=')).join('; ') }),
        ...init.headers,
      },
      body: init.body,
    })
    for (const line of headers['set-cookie'] ?? []) this.#keep(line)
    return { url: new URL(url, this.origin).href, status, headers, text }
  }

  /** Opens a page, following redirects as far as they stay on this origin. */
  async open(url: string): Promise<BrowserAnswer> {
    let answer = await this.request(url, { headers: { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' } })
    for (let hop = 0; hop < 10; hop += 1) {
      const target = this.#redirectOf(answer)
      if (target === null) return answer
      answer = await this.request(target)
    }
    throw new Error(`Too many redirects from ${url}`)
  }

  /** Sends the form of a page that goes to a path ending in `action`, with its hidden fields, and follows redirects. */
  async submit(page: BrowserAnswer, action: string, fields: Record<string, string> = {}): Promise<BrowserAnswer> {
    const form = [...page.text.matchAll(/<form[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].find(([, target]) =>
      decode(target!).split('?', 1)[0]!.endsWith(action),
    )
    if (!form) throw new Error(`No form for ${action} on ${page.url}:\n${page.text}`)
    const body = new URLSearchParams()
    for (const [input] of form[2]!.matchAll(/<input[^>]*>/gs)) {
      body.set(attribute(input, 'name'), attribute(input, 'value'))
    }
    for (const [name, value] of Object.entries(fields)) {
      if (!body.has(name)) throw new Error(`The form for ${action} has no field ${name}`)
      body.set(name, value)
    }
    const answer = await this.request(new URL(decode(form[1]!), page.url).href, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: this.origin },
      body: body.toString(),
    })
    const target = this.#redirectOf(answer)
    return target === null ? answer : this.open(target)
  }

  /** Calls the API as the app's page does. */
  async call(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: unknown; headers: BrowserAnswer['headers'] }> {
    const answer = await this.request(path, {
      method,
      headers: { origin: this.origin, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return {
      status: answer.status,
      headers: answer.headers,
      body: answer.text === '' ? undefined : JSON.parse(answer.text),
    }
  }

  #redirectOf(answer: BrowserAnswer): string | null {
    const { location } = answer.headers
    const target = location === undefined ? null : new URL(location, answer.url)
    return target?.origin === this.origin ? target.href : null
  }

  #keep(line: string): void {
    const [pair, ...attributes] = line.split(';').map((part) => part.trim())
    const [name, value] = [pair!.slice(0, pair!.indexOf('=')), pair!.slice(pair!.indexOf('=') + 1)]
    if (attributes.some((attribute) => /^max-age=0$/i.test(attribute))) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}

export interface BrowserAnswer {
  url: string
  status: number
  headers: IncomingHttpHeaders
  text: string
}

function attribute(tag: string, name: string): string {
  return decode(new RegExp(`\\s${name}="([^"]*)"`, 's').exec(tag)?.[1] ?? '')
}

function decode(text: string): string {
  return text.replace(/&#(\d+);/g, (_match, code: string) => String.fromCharCode(Number(code)))
}

function send(
  url: string,
  options: { method: string; headers: Record<string, string>; body: string | undefined },
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      url,
      {
        method: options.method,
        // Node leaves the length out where a body is unusual, as with DELETE.
        headers: {
          ...options.headers,
          ...(options.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(options.body)) }),
        },
        agent: false,
      },
      (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        )
      },
    )
    outgoing.on('error', reject)
    outgoing.end(options.body)
  })
}
