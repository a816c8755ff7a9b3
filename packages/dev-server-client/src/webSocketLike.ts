/** A handler property that accepts the richer event types of each platform. */
type Handler<E> = { handle(event: E): unknown }['handle'] | null

/** The part of a WebSocket that the client uses: the platform's own and the one of the `ws` package both fit. */
export interface WebSocketLike {
  binaryType: string
  /** 0 connecting, 1 open, 2 closing, 3 closed */
  readonly readyState: number
  onopen: Handler<unknown>
  onmessage: Handler<{ data: unknown }>
  onclose: Handler<{ code: number; reason: string; wasClean: boolean }>
  onerror: Handler<object>
  send(data: string | Uint8Array<ArrayBuffer>): void
  close(code?: number, reason?: string): void
}

export const SOCKET_OPEN = 1
