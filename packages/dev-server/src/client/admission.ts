import { randomUUID } from 'node:crypto'
import {
  DEV_SERVER_VERSION,
  encode,
  PROTOCOL_VERSION,
  ProtocolError,
  type Capabilities,
  type JoinResult,
  type Params,
} from '@boxyard/protocol'
import { ClientConnection, type ConnectionRegistry } from '../connection.ts'
import type { Readiness } from '../readiness.ts'
import type { Session } from '../session.ts'
import { clientColor } from './color.ts'
import type { ReconnectTokens } from './reconnectToken.ts'

/** Joins clients: waits until the dev server is ready, gives or restores the identity and answers what the client may do. */
export class Admission {
  readonly #connections: ConnectionRegistry
  readonly #readiness: Readiness
  readonly #tokens: ReconnectTokens
  readonly #workspace: string
  readonly #capabilities: () => Capabilities

  constructor(options: {
    connections: ConnectionRegistry
    readiness: Readiness
    tokens: ReconnectTokens
    workspace: string
    capabilities: () => Capabilities
  }) {
    this.#connections = options.connections
    this.#readiness = options.readiness
    this.#tokens = options.tokens
    this.#workspace = options.workspace
    this.#capabilities = options.capabilities
  }

  async admit(
    session: Session,
    params: Params<'client/join'>,
  ): Promise<{ connection: ClientConnection; isBack: boolean; result: JoinResult }> {
    await this.#waitUntilReady(session, params.asyncProgress === true)
    const { claims, reconnectToken } = session
    const known = reconnectToken === null ? undefined : this.#tokens.read(reconnectToken, claims.sub)
    // The socket that had this identity is dead or about to be: its owner is here.
    if (known !== undefined) this.#connections.get(known)?.close()
    const clientId = known ?? randomUUID()
    const taken = new Set([...this.#connections.all()].map(({ client }) => client.color))
    const connection = new ClientConnection({
      client: {
        clientId,
        username: claims.username,
        name: claims.name,
        avatarUrl: claims.avatarUrl,
        color: clientColor({ clientId, username: claims.username }, taken),
        appId: params.clientInfo.appId,
      },
      access: session.access,
      subscriptions: params.subscriptions,
      writer: session.writer,
      close: () => session.close(),
    })
    return {
      connection,
      isBack: known !== undefined,
      result: {
        client: connection.client,
        workspacePath: this.#workspace,
        version: DEV_SERVER_VERSION,
        protocolVersion: PROTOCOL_VERSION,
        latestPitcherVersion: DEV_SERVER_VERSION,
        capabilities: this.#capabilities(),
        permissions: connection.permissions,
        isProtected: false,
        reconnectToken: this.#tokens.issue(clientId, claims.sub),
      },
    }
  }

  async #waitUntilReady(session: Session, withProgress: boolean): Promise<void> {
    if (this.#readiness.isReady) return
    const report = (): void =>
      session.writer.notify(encode({ method: 'system/initStatus', params: this.#readiness.status }))
    if (withProgress) report()
    const stop = withProgress ? this.#readiness.onStatus(report) : undefined
    try {
      await this.#readiness.whenReady
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new ProtocolError('CRITICAL_ERROR', `The dev server could not start: ${reason}`)
    } finally {
      stop?.()
    }
  }
}
