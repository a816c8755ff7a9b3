import {
  encode,
  permissionsFor,
  type AccessLevel,
  type Client,
  type NotificationName,
  type NotificationParams,
  type Permissions,
  type Subscriptions,
} from '@boxyard/protocol'
import type { Connection, Connections } from './area.ts'
import type { FrameWriter } from './frameWriter.ts'

/** A joined client on its socket. */
export class ClientConnection implements Connection {
  readonly client: Client
  readonly subscriptions: Subscriptions
  readonly #writer: FrameWriter
  readonly #close: () => void
  #access: AccessLevel
  #permissions: Permissions

  constructor(options: {
    client: Client
    access: AccessLevel
    subscriptions: Subscriptions
    writer: FrameWriter
    close: () => void
  }) {
    this.client = options.client
    this.#access = options.access
    this.#permissions = permissionsFor(options.access)
    this.subscriptions = options.subscriptions
    this.#writer = options.writer
    this.#close = options.close
  }

  get access(): AccessLevel {
    return this.#access
  }

  get permissions(): Permissions {
    return this.#permissions
  }

  /** Lets the client do more, or less, from now on, and tells it. */
  changeAccess(access: AccessLevel): void {
    this.#access = access
    this.#permissions = permissionsFor(access)
    this.notify('client/permissions', { isProtected: false, permissions: this.permissions })
  }

  notify<N extends NotificationName>(name: N, params: NotificationParams<N>): void {
    this.send(encode({ method: name, params }))
  }

  /** Sends a notification that is already encoded. */
  send(frame: Uint8Array): void {
    this.#writer.notify(frame)
  }

  get bufferedBytes(): number {
    return this.#writer.bufferedBytes
  }

  drained(): Promise<void> {
    return this.#writer.drained()
  }

  /** Ends the socket; the areas hear of it as of any other end. */
  close(): void {
    this.#close()
  }
}

/** All joined clients by their id. */
export class ConnectionRegistry implements Connections {
  readonly #byId = new Map<string, ClientConnection>()

  all(): Iterable<ClientConnection> {
    return this.#byId.values()
  }

  get(clientId: string): ClientConnection | undefined {
    return this.#byId.get(clientId)
  }

  add(connection: ClientConnection): void {
    this.#byId.set(connection.client.clientId, connection)
  }

  remove(connection: ClientConnection): void {
    if (this.#byId.get(connection.client.clientId) === connection) this.#byId.delete(connection.client.clientId)
  }

  broadcast<N extends NotificationName>(
    name: N,
    params: NotificationParams<N>,
    options: { except?: Connection; only?: (connection: Connection) => boolean } = {},
  ): void {
    let frame: Uint8Array | undefined
    for (const connection of this.#byId.values()) {
      if (connection === options.except || options.only?.(connection) === false) continue
      frame ??= encode({ method: name, params })
      connection.send(frame)
    }
  }
}
