import type {
  AccessLevel,
  Client,
  MethodName,
  NotificationName,
  NotificationParams,
  Params,
  Permissions,
  Result,
  Subscriptions,
} from '@boxyard/protocol'

/** One joined client. It lives from its join to the end of its socket; a reconnect token gives the next one the same clientId. */
export interface Connection {
  readonly client: Client
  readonly access: AccessLevel
  readonly permissions: Permissions
  readonly subscriptions: Subscriptions
  /** Sends a notification. Frames keep their order; a slow reader is closed rather than buffered without bound. */
  notify<N extends NotificationName>(name: N, params: NotificationParams<N>): void
  /** Bytes that wait to be sent, for flow control. */
  readonly bufferedBytes: number
  /** Resolves when `bufferedBytes` is low again, or when the socket ends. */
  drained(): Promise<void>
}

/** All joined clients. */
export interface Connections {
  all(): Iterable<Connection>
  get(clientId: string): Connection | undefined
  /** Notifies every joined client, except `except`, that passes `only`. */
  broadcast<N extends NotificationName>(
    name: N,
    params: NotificationParams<N>,
    options?: { except?: Connection; only?: (connection: Connection) => boolean },
  ): void
}

/**
 * Answers one method. Params are validated and the permission is checked before it is called. It throws ProtocolError for what
 * a client did wrong; anything else becomes CRITICAL_ERROR and is logged.
 *
 * The returned value is sent a little later than the return. A handler whose answer has its place among notifications calls `reply`
 * instead: it sends the answer at that very moment, and what is returned or thrown behind it is not sent.
 */
export type Handler<M extends MethodName> = (
  params: Params<M>,
  connection: Connection,
  reply: (result: Result<M>) => void,
) => Promise<Result<M>> | Result<M>

export type Handlers<M extends MethodName = MethodName> = { [K in M]: Handler<K> }

/** One area of the protocol: its handlers, and what it does when clients come and go. */
export interface Area {
  readonly handlers: Partial<Handlers>
  /** After the join was answered. */
  joined?(connection: Connection): void
  /** The socket of a client ended. */
  left?(connection: Connection): void
  /** Writes what must not be lost and stops everything the area started. */
  dispose(): Promise<void>
}
