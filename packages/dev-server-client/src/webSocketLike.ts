/** The part of a WebSocket that the client uses: the platform's own and the one of the `ws` package both fit. */
export interface WebSocketLike {
  binaryType: string
  /** 0 connecting, 1 open, 2 closing, 3 closed */
  readonly readyState: number
  onopen: ((event: never) => unknown) | null
  onmessage: ((event: { data: unknown }) => unknown) | null
  onclose: ((event: { code: number; reason: string; wasClean: boolean }) => unknown) | null
  onerror: ((event: { message?: string }) => unknown) | null
  send(data: string | Uint8Array<ArrayBuffer>): void
  close(code?: number, reason?: string): void
}

export const SOCKET_OPEN = 1
