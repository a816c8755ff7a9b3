import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { refuseUpgrade } from '../http/gateway.ts'
import type { TokenHolder } from '../tokens/tokens.ts'
import type { ChannelKind } from './channel.ts'
import { serializerOf } from './frames.ts'
import { PhoenixConnection } from './phoenixConnection.ts'

export const isSocketPath = (path: string): boolean => /^\/socket\/websocket\/?$/.test(path)

const LARGEST_FRAME = 2 * 1024 * 1024
/** Clients send a heartbeat at least every thirty seconds; one that is silent for a whole round is gone. */
const SILENCE_MS = 60_000
const GOING_AWAY = 1001

export interface PhoenixSocketOptions {
  /** Whom a token of the socket is for, else null. */
  verify: (token: string) => Promise<TokenHolder | null>
  /** Cuts the connection when the session ends that its token came from. */
  hold: (sessionId: string | null, socket: Duplex) => void
  kinds: readonly ChannelKind[]
  onFailure: (error: unknown) => void
}

/** The real-time socket, as the client of Phoenix speaks it. */
export class PhoenixSocket {
  readonly #options: PhoenixSocketOptions
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: LARGEST_FRAME, perMessageDeflate: false })
  readonly #connections = new Map<string, Set<PhoenixConnection>>()
  readonly #round: NodeJS.Timeout

  constructor(options: PhoenixSocketOptions) {
    this.#options = options
    this.#round = setInterval(() => this.#dropSilent(), SILENCE_MS)
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, url: URL): void {
    this.#accept(request, socket, head, url).catch((error: unknown) => {
      this.#options.onFailure(error)
      refuseUpgrade(socket, 503)
    })
  }

  /** Ends the connections of someone who is signed out or gone. */
  endOf(userId: string): void {
    for (const connection of this.#connections.get(userId) ?? []) connection.end(GOING_AWAY, 'Signed out')
  }

  close(): void {
    clearInterval(this.#round)
    for (const connections of this.#connections.values()) {
      for (const connection of connections) connection.end(GOING_AWAY, 'The server stops')
    }
  }

  async #accept(request: IncomingMessage, socket: Duplex, head: Buffer, url: URL): Promise<void> {
    const serializer = serializerOf(url.searchParams.get('vsn'))
    if (!serializer) return refuseUpgrade(socket, 400)
    const { verify, hold, kinds, onFailure } = this.#options
    const holder = await verify(url.searchParams.get('guardian_token') ?? '')
    if (holder === null) return refuseUpgrade(socket, 403)
    const { userId, sessionId } = holder
    this.#server.handleUpgrade(request, socket, head, (accepted) => {
      hold(sessionId, socket)
      const connection = new PhoenixConnection({ socket: accepted, serializer, userId, kinds, onFailure })
      const connections = this.#connections.get(userId) ?? new Set()
      this.#connections.set(userId, connections.add(connection))
      accepted.once('close', () => {
        connections.delete(connection)
        if (connections.size === 0) this.#connections.delete(userId)
      })
    })
  }

  #dropSilent(): void {
    for (const connections of this.#connections.values()) {
      for (const connection of connections) {
        if (!connection.heard) connection.terminate()
        connection.heard = false
      }
    }
  }
}
