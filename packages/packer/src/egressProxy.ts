import { chmod, mkdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { dirname } from 'node:path'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { PackerError } from './errors.ts'
import { parseRegistryPath } from './packageName.ts'
import { publicLookup } from './publicAddress.ts'
import type { RegistryMirror } from './registryMirror.ts'

export interface EgressProxyOptions {
  mirror: RegistryMirror
  /** Host names a box may reach directly, by CONNECT to port 443. Exact names, or `*.` and a domain. */
  allowedHosts: readonly string[]
  /** Answers requests of a box below a path of its own, such as those of git. */
  services?: readonly EgressService[]
  /** Told of every refused address, for the log. */
  onRefused?: (boxId: string, address: string) => void
}

export interface EgressService {
  /** What addresses of the service begin with; a slash first. */
  path: string
  answer: (boxId: string, request: IncomingMessage, response: ServerResponse) => Promise<void>
}

/** The path under which the registry mirror answers. */
export const REGISTRY_PATH = '/npm/'

/**
 * The only way out of a box: an HTTP proxy on one unix socket a box. It serves the registry mirror itself and passes CONNECT to
 * allowed public hosts. Everything else is refused with a reason that the program in the box can show.
 */
export class EgressProxy {
  private readonly options: EgressProxyOptions
  private readonly servers = new Map<string, Server>()
  private readonly sockets = new Set<Duplex>()

  constructor(options: EgressProxyOptions) {
    this.options = options
  }

  /** Listens for one box on `socketPath`, which must not be reachable from other boxes. Once it listens, further calls change nothing. */
  async open(boxId: string, socketPath: string): Promise<void> {
    if (this.servers.has(boxId)) return
    await mkdir(dirname(socketPath), { recursive: true })
    await rm(socketPath, { force: true })
    const server = createServer((request, response) => void this.answer(boxId, request, response))
    server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.tunnel(boxId, request, socket, head),
    )
    server.on('connection', (socket: Socket) => this.keep(socket))
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(socketPath, resolve)
    })
    // The box runs as another user than the server; the folder around the socket is what keeps others out.
    await chmod(socketPath, 0o666)
    this.servers.set(boxId, server)
  }

  async close(boxId: string): Promise<void> {
    const server = this.servers.get(boxId)
    if (!server) return
    this.servers.delete(boxId)
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }

  async dispose(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    await Promise.all([...this.servers.keys()].map((boxId) => this.close(boxId)))
  }

  private keep(socket: Duplex): void {
    this.sockets.add(socket)
    socket.on('close', () => this.sockets.delete(socket))
    // A box that goes away in the middle of a transfer is no news.
    socket.on('error', () => socket.destroy())
  }

  private async answer(boxId: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = request.url ?? ''
      const service = this.options.services?.find(({ path }) => url.startsWith(path))
      if (service) {
        await service.answer(boxId, request, response)
        return
      }
      if (!url.startsWith(REGISTRY_PATH)) {
        this.options.onRefused?.(boxId, url)
        throw new PackerError('NOT_ALLOWED', url.slice(0, 200))
      }
      if (request.method !== 'GET' && request.method !== 'HEAD') throw new PackerError('METHOD_NOT_ALLOWED')
      const wanted = parseRegistryPath(url.slice(REGISTRY_PATH.length))
      if (!wanted) throw new PackerError('BAD_REQUEST', url.slice(0, 200))
      if (wanted.kind === 'metadata') {
        const body = await this.options.mirror.metadata(wanted.name)
        response.writeHead(200, {
          'content-type': 'application/json',
          'content-encoding': 'gzip',
          'content-length': body.length,
          'cache-control': 'public, max-age=300',
        })
        response.end(request.method === 'HEAD' ? undefined : body)
        return
      }
      const { size, stream, etag } = await this.options.mirror.tarball(wanted.name, wanted.file)
      response.writeHead(200, {
        'content-type': 'application/octet-stream',
        'content-length': size,
        'cache-control': 'public, max-age=31536000, immutable',
        etag,
      })
      if (request.method === 'HEAD') response.end()
      else await pipeline(stream(), response)
    } catch (error) {
      refuse(response, error)
    }
  }

  private tunnel(boxId: string, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const match = /^([a-z0-9.-]{1,253}):(\d{1,5})$/i.exec(request.url ?? '')
    const host = match?.[1]?.toLowerCase()
    if (!host || match?.[2] !== '443' || !this.allows(host)) {
      this.options.onRefused?.(boxId, request.url ?? '')
      socket.end(
        `HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n${new PackerError('NOT_ALLOWED', request.url?.slice(0, 200)).message}\n`,
      )
      return
    }
    const upstream = connect({ host, port: 443, lookup: publicLookup })
    this.keep(upstream)
    upstream.once('connect', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      upstream.write(head)
      upstream.pipe(socket)
      socket.pipe(upstream)
    })
    upstream.once('error', () => {
      if (socket.writable) socket.end('HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n')
    })
    upstream.on('close', () => socket.destroy())
    socket.on('close', () => upstream.destroy())
  }

  private allows(host: string): boolean {
    return this.options.allowedHosts.some((allowed) =>
      allowed.startsWith('*.') ? host.endsWith(allowed.slice(1)) : host === allowed,
    )
  }
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const known = error instanceof PackerError ? error : new PackerError('UPSTREAM', (error as Error).message)
  // npm shows the member `error` of a refusal.
  const body = JSON.stringify({ error: known.message, code: known.code })
  response.writeHead(known.status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
}
