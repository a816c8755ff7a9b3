import { REFUSED, lengthOf } from '../common/httpLine.ts'
import type { FromServer, Headers as HeaderList, ToServer } from '../common/httpLine.ts'
import { GATE_LINE, GATE_RESET, WANTS_LINE, WANTS_SOCKET } from './gateMessages.ts'
import { withScripts } from './withScripts.ts'

// The service worker on the host of a port: what pages ask of that host it asks of the process that listens on the port.

/** As far as it is used of what only service workers have. */
interface WorkerScope {
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
  addEventListener(type: 'message', listener: (event: MessageEvent & Waiting) => void): void
  addEventListener(type: 'install' | 'activate', listener: (event: Waiting) => void): void
  skipWaiting(): Promise<void>
  clients: {
    claim(): Promise<void>
    matchAll(options: object): Promise<readonly { url: string; postMessage(message: unknown): void }[]>
  }
  location: Location
}
interface Waiting {
  waitUntil(work: Promise<unknown>): void
}
interface FetchEvent extends Waiting {
  request: Request
  respondWith(answer: Promise<Response>): void
}

const scope = globalThis as unknown as WorkerScope
const OWN = '/__boxyard/'
const GATE = `${OWN}gate`
const TOKEN = 'preview_token'
const appOrigin = new URL(scope.location.href).searchParams.get('app') ?? ''
/** A gate that does not answer in this time is in a page that is about to go. */
const GATE_ANSWERS_MS = 5000
/** What a body means to those statuses. */
const WITHOUT_BODY = new Set([101, 204, 205, 304])

interface Pending {
  head(status: number, reason: string, headers: HeaderList): void
  chunk(data: Uint8Array): void
  end(): void
  fail(words: string): void
}

class Line {
  readonly #port: MessagePort
  readonly #pending = new Map<number, Pending>()
  #last = 0
  isOver = false

  constructor(port: MessagePort) {
    this.#port = port
    port.onmessage = ({ data }: MessageEvent<FromServer | typeof REFUSED>) => {
      if (data === REFUSED) return this.close(`Nothing listens on this port.`)
      const pending = this.#pending.get(data.id)
      if (!pending) return
      if (data.type === 'head') pending.head(data.status, data.reason, data.headers)
      else if (data.type === 'chunk') pending.chunk(data.data)
      else if (data.type === 'end' || data.type === 'failed') {
        this.#pending.delete(data.id)
        if (data.type === 'end') pending.end()
        else pending.fail(data.message)
      }
    }
  }

  ask(request: Omit<Extract<ToServer, { type: 'request' }>, 'type' | 'id'>, pending: Pending): () => void {
    const id = ++this.#last
    this.#pending.set(id, pending)
    this.#port.postMessage({ type: 'request', id, ...request } satisfies ToServer)
    return () => {
      this.#pending.delete(id)
      this.#port.postMessage({ type: 'gone', id } satisfies ToServer)
    }
  }

  close(words: string): void {
    this.isOver = true
    for (const pending of this.#pending.values()) pending.fail(words)
    this.#pending.clear()
    this.#port.close()
  }
}

let line: Promise<Line | null> | null = null
let take: (port: MessagePort) => void = () => undefined

scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()))
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()))
scope.addEventListener('message', (event) => {
  const { data, ports } = event
  const [port] = ports
  if (data === GATE_LINE && port) return take(port)
  if (data === WANTS_SOCKET && port) {
    return event.waitUntil(askGates().then((given) => port.postMessage(null, given ? [given] : [])))
  }
  if (data !== GATE_RESET) return undefined
  event.waitUntil(
    scope.clients.matchAll({ type: 'window' }).then((pages) => {
      for (const page of pages) page.postMessage(GATE_RESET)
    }),
  )
  line?.then(
    (open) => open?.close('The server has ended.'),
    () => undefined,
  )
  line = null
  return undefined
})
scope.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url)
  if (url.origin !== scope.location.origin || url.pathname.startsWith(OWN)) return
  event.respondWith(answer(event.request, url))
})

/** The line that is open, or one of the gate in a page of the editor; null: there is none. */
async function openLine(): Promise<Line | null> {
  const known = await line
  if (known && !known.isOver) return known
  line = askGates().then((port) => port && new Line(port))
  return line
}

let asking: Promise<unknown> = Promise.resolve()

/** A line from a gate, one after the other: an answer does not say what it answers. Null: no page has a gate. */
function askGates(): Promise<MessagePort | null> {
  const given = asking.then(async () => {
    const windows = await scope.clients.matchAll({ includeUncontrolled: true, type: 'window' })
    const gates = windows.filter(({ url }) => new URL(url).pathname === GATE)
    if (gates.length === 0) return null
    return new Promise<MessagePort | null>((resolve) => {
      take = resolve
      setTimeout(() => resolve(null), GATE_ANSWERS_MS)
      for (const gate of gates) gate.postMessage(WANTS_LINE)
    })
  })
  asking = given
  return given
}

async function answer(request: Request, url: URL): Promise<Response> {
  if (request.mode === 'navigate' && url.searchParams.has(TOKEN)) {
    // It lets a browser in at the server of the platform, and is nothing for a server of the project.
    url.searchParams.delete(TOKEN)
    return Response.redirect(url.href, 303)
  }
  const body =
    request.method === 'GET' || request.method === 'HEAD' ? null : new Uint8Array(await request.arrayBuffer())
  const open = await openLine()
  if (!open)
    return page(
      503,
      'This server runs in the editor',
      'Open the sandbox in a window of this browser, and load this page again.',
    )
  const headers: HeaderList[number][] = [
    ['host', url.host],
    ['user-agent', navigator.userAgent],
    ...[...request.headers].filter(([name]) => name !== 'host' && name !== 'user-agent'),
  ]
  if (request.referrer !== '' && request.referrer !== 'about:client') headers.push(['referer', request.referrer])
  headers.push(...lengthOf(request.method, body?.length ?? 0))
  return new Promise((resolve) => {
    let to: ReadableStreamDefaultController<Uint8Array> | undefined
    let hasHead = false
    let leave: () => void = () => undefined
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => void (to = controller),
      cancel: () => leave(),
    })
    leave = open.ask(
      { method: request.method, url: url.pathname + url.search, headers, body, upgrade: false },
      {
        head: (status, statusText, given) => {
          hasHead = true
          const made = new Headers()
          for (const [name, value] of given) made.append(name, value)
          const scripts = scriptsFor(request, made)
          const content = scripts === '' ? stream : withScripts(stream, scripts)
          // As a browser without one: a status that only a network has can't be made by hand.
          const shown = status >= 200 && status <= 599 ? status : 502
          resolve(new Response(WITHOUT_BODY.has(shown) ? null : content, { status: shown, statusText, headers: made }))
        },
        chunk: (data) => to?.enqueue(data),
        end: () => to?.close(),
        fail: (words) => {
          if (hasHead) to?.error(new Error(words))
          else
            resolve(
              page(
                502,
                'The server did not answer',
                `${words} Look at its output in the terminal, and load this page again.`,
              ),
            )
        },
      },
    )
    request.signal.addEventListener('abort', () => leave())
  })
}

/** What of ours runs in a page of the project: in a frame of the editor the agent of its pane, and what opens WebSockets. */
function scriptsFor({ destination }: Request, answered: Headers): string {
  if (!/^text\/html\b/i.test(answered.get('content-type') ?? '')) return ''
  const agent = `<script src="${OWN}agent.js" data-app-origin="${appOrigin}"></script>`
  const sockets = `<script src="${OWN}sockets.js"></script>`
  if (destination === 'document') return sockets
  return destination === 'iframe' ? agent + sockets : ''
}

function page(status: number, title: string, words: string): Response {
  const text = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><style>:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:0;min-height:100vh;display:grid;place-content:center;text-align:center;padding:1rem}h1{font-size:1.1rem}</style></head><body><main><h1>${title}</h1><p>${escaped(words)}</p></main></body></html>`
  return new Response(text, { status, headers: { 'content-type': 'text/html; charset=utf-8' } })
}

/** What a program says is text, whatever is in it. */
function escaped(words: string): string {
  return words.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
}
