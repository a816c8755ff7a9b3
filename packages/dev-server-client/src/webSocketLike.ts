/** The part of a WebSocket that the client uses: the platform's own and the one of the `ws` package both fit. */
export interface WebSocketLike {
  binaryType: string
  /** 0 connecting, 1 open, 2 closing, 3 closed */
  readonly readyState: number
  addEventListener(type: 'open', listener: () => void): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  addEventListener(type: 'close', listener: (event: SocketClose) => void): void
  addEventListener(type: 'error', listener: (event: object) => void): void
  send(data: string | Uint8Array<ArrayBuffer>): void
  close(code?: number, reason?: string): void
}

export interface SocketClose {
  code: number
  reason: string
  wasClean: boolean
}

export const SOCKET_OPEN = 1
