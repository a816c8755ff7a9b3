import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { BoxTokenClaims } from '@boxyard/protocol'
import type { MachineGateway } from './machineGateway.ts'
import { refuseUpgrade } from '../http/gateway.ts'
import { joinConnections } from './joinConnections.ts'

export interface DevServerSocketOptions {
  machines: MachineGateway
  /** The claims of a valid token for this box, else null. */
  verify: (token: string, boxId: string) => Promise<BoxTokenClaims | null>
  /** Cuts the connection when the session that asked for its token ends, or when its holder may do less. */
  hold: (claims: BoxTokenClaims, socket: Duplex) => void
  /** Hears of each connection that reached the dev server. */
  onOpen: (claims: BoxTokenClaims, socket: Duplex) => void
  onError: (error: unknown, boxId: string) => void
}

const PATH = /^\/box\/([a-z0-9][a-z0-9-]{0,39})(?:\/vscode\/(500\d\d|50100)|\/?)$/

export const isDevServerPath = (path: string): boolean => PATH.test(path)

/**
 * Passes a WebSocket of an editor on to the dev server of a box. The token is checked once, here, and again by the dev server;
 * after that the bytes are not looked at.
 */
export class DevServerSocket {
  private readonly options: DevServerSocketOptions

  constructor(options: DevServerSocketOptions) {
    this.options = options
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, url: URL): void {
    const [, boxId, port] = PATH.exec(url.pathname) ?? []
    if (boxId === undefined) return refuseUpgrade(socket, 404)
    const passed =
      port === undefined
        ? this.pass(request, socket, head, boxId, url)
        : this.passToExtensions(request, socket, head, { boxId, port: Number(port) }, url)
    passed.catch((error: unknown) => {
      this.options.onError(error, boxId)
      refuseUpgrade(socket, 502)
    })
  }

  private async pass(request: IncomingMessage, socket: Duplex, head: Buffer, boxId: string, url: URL): Promise<void> {
    const { machines, verify } = this.options
    const claims = await verify(url.searchParams.get('token') ?? '', boxId)
    if (!claims) return refuseUpgrade(socket, 401)
    // Before anything else is waited for: a right that is lost from here on cuts this socket.
    this.options.hold(claims, socket)
    const epoch = machines.epochOf(boxId)
    // A token of an earlier run: the client asks for a new one and comes back.
    if (epoch === undefined || epoch !== claims.epoch) return refuseUpgrade(socket, 410)
    const connection = await machines.connect(boxId)
    if (socket.destroyed) {
      connection.destroy()
      return
    }
    const letGo = machines.hold(boxId)
    connection.once('close', letGo)
    connection.write(rawUpgrade(request, url))
    if (head.length > 0) connection.write(head)
    joinConnections(socket, connection)
    this.options.onOpen(claims, socket)
  }

  /**
   * Passes a connection to the VS Code server of the box. Only who may run programs there is let through. It keeps no box awake: the socket of the
   * editor does, and without one nobody uses its extensions.
   */
  private async passToExtensions(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    { boxId, port }: { boxId: string; port: number },
    url: URL,
  ): Promise<void> {
    const { machines, verify, hold } = this.options
    const claims = await verify(url.searchParams.get('token') ?? '', boxId)
    if (!claims) return refuseUpgrade(socket, 401)
    if (claims.access !== 'write') return refuseUpgrade(socket, 403)
    hold(claims, socket)
    if (machines.epochOf(boxId) !== claims.epoch) return refuseUpgrade(socket, 410)
    const connection = await machines.dial(boxId, port)
    if (socket.destroyed) {
      connection.destroy()
      return
    }
    connection.write(extensionsUpgrade(request, url))
    if (head.length > 0) connection.write(head)
    joinConnections(socket, connection)
  }
}

/** The upgrade as the VS Code server of the box receives it: without our token, which would be good for more than extensions. */
function extensionsUpgrade(request: IncomingMessage, url: URL): string {
  const query = new URLSearchParams(url.searchParams)
  query.delete('token')
  return upgradeLines(request, `/?${query}`)
}

/** The upgrade as the dev server receives it: the client's WebSocket headers and query, and nothing else of the app's origin. */
function rawUpgrade(request: IncomingMessage, url: URL): string {
  return upgradeLines(request, `/${url.search}`)
}

function upgradeLines(request: IncomingMessage, target: string): string {
  const lines = [`GET ${target} HTTP/1.1`, 'Host: dev-server', 'Connection: Upgrade', 'Upgrade: websocket']
  for (const name of [
    'sec-websocket-key',
    'sec-websocket-version',
    'sec-websocket-extensions',
    'sec-websocket-protocol',
  ]) {
    const value = request.headers[name]
    if (typeof value === 'string') lines.push(`${name}: ${value}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n`
}
