import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { STATUS_CODES } from 'node:http'
import type { HostKind, PreviewTarget } from './hosts.ts'

/** Serves `{id}-{port}.preview.BASE`. Nothing of such a request touches the app. */
export interface PreviewHandler {
  request(request: IncomingMessage, response: ServerResponse, target: PreviewTarget): void
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, target: PreviewTarget): void
}

/** Serves the previews of those boxes that it takes. */
export interface ChosenPreviews extends PreviewHandler {
  takes(target: PreviewTarget): Promise<boolean>
}

/** Takes a WebSocket upgrade on the app's host. The Origin was checked already; the handler authenticates. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer, url: URL) => void

/**
 * The one place where connections come in. Looks at the host name first: previews go to their handler before anything parses
 * them, the app's hosts go to Fastify, every other host gets 421.
 */
export class Gateway {
  readonly #match: (host: string | undefined) => HostKind
  readonly #appOrigin: string
  readonly #upgrades: { matches: (path: string) => boolean; handler: UpgradeHandler }[] = []
  readonly #sockets = new Set<Socket>()
  #previews: PreviewHandler | null = null
  #chosenPreviews: ChosenPreviews | null = null
  #editorFrames: RequestListener | null = null
  #closed = false

  constructor(match: (host: string | undefined) => HostKind, appOrigin: string) {
    this.#match = match
    this.#appOrigin = appOrigin
  }

  servePreviews(handler: PreviewHandler): void {
    if (this.#previews) throw new Error('Previews have a handler already')
    this.#previews = handler
  }

  /** Serves the pages of the editor's frames, on origins where nothing else is. */
  serveEditorFrames(handler: RequestListener): void {
    if (this.#editorFrames) throw new Error('The frames of the editor have a handler already')
    this.#editorFrames = handler
  }

  /** Serves some previews in another way than the rest. */
  servePreviewsOf(handler: ChosenPreviews): void {
    if (this.#chosenPreviews) throw new Error('Chosen previews have a handler already')
    this.#chosenPreviews = handler
  }

  /** Who serves a preview, and null where nobody does. When that can't be found out the one for the rest explains it. */
  async #previewsOf(target: PreviewTarget): Promise<PreviewHandler | null> {
    const isChosen = (await this.#chosenPreviews?.takes(target).catch(() => false)) ?? false
    return isChosen ? this.#chosenPreviews : this.#previews
  }

  /** Routes upgrades on the app's hosts whose path `matches` to `handler`. */
  serveUpgrades(matches: (path: string) => boolean, handler: UpgradeHandler): void {
    this.#upgrades.push({ matches, handler })
  }

  /**
   * Ends every connection, upgraded ones too, and takes no new one: an open editor would keep the server from stopping, or start its
   * machine again meanwhile.
   */
  close(): void {
    this.#closed = true
    for (const socket of this.#sockets) socket.destroy()
  }

  hostOf(request: IncomingMessage): HostKind {
    return this.#match(request.headers.host)
  }

  /** Whether anybody is connected. */
  get isUsed(): boolean {
    return this.#sockets.size > 0
  }

  createServer(handler: RequestListener): Server {
    const server = createServer((request, response) => {
      const host = this.hostOf(request)
      if (host.kind === 'app' || host.kind === 'base') handler(request, response)
      else if (host.kind === 'preview') void this.#preview(request, response, host.target)
      else if (host.kind === 'editorFrame' && this.#editorFrames) this.#editorFrames(request, response)
      else refuseRequest(response, 421)
    })
    server.on('connection', (socket) => {
      if (this.#closed) return socket.destroy()
      this.#sockets.add(socket)
      return socket.once('close', () => this.#sockets.delete(socket))
    })
    server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head))
    return server
  }

  async #preview(request: IncomingMessage, response: ServerResponse, target: PreviewTarget): Promise<void> {
    const handler = await this.#previewsOf(target)
    if (handler) handler.request(request, response, target)
    else refuseRequest(response, 421)
  }

  async #upgradePreview(request: IncomingMessage, socket: Duplex, head: Buffer, target: PreviewTarget): Promise<void> {
    const handler = await this.#previewsOf(target)
    if (handler) handler.upgrade(request, socket, head, target)
    else refuseUpgrade(socket, 421)
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // A socket that dies before its handler takes it must not end the process.
    socket.on('error', () => socket.destroy())
    const host = this.hostOf(request)
    if (host.kind === 'preview') return void this.#upgradePreview(request, socket, head, host.target)
    if (host.kind !== 'app' && host.kind !== 'base') return refuseUpgrade(socket, 421)
    const { origin } = request.headers
    if (origin !== undefined && origin !== this.#appOrigin) return refuseUpgrade(socket, 403)
    const url = parseUrl(request.url)
    if (!url) return refuseUpgrade(socket, 400)
    const upgrade = this.#upgrades.find((candidate) => candidate.matches(url.pathname))
    if (!upgrade) return refuseUpgrade(socket, 404)
    upgrade.handler(request, socket, head, url)
  }
}

function parseUrl(target: string | undefined): URL | null {
  const path = target ?? '/'
  return path.startsWith('/') && URL.canParse(path, 'http://host') ? new URL(path, 'http://host') : null
}

function refuseRequest(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
  response.end('This host name is not served here. Check the address, or BOXYARD_BASE in the settings of the server.\n')
}

/** Answers an upgrade with a plain HTTP status and closes the connection. */
export function refuseUpgrade(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}
