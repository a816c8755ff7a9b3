import { decode, encode } from '@boxyard/protocol'
import type { SocketClose, WebSocketLike } from '../webSocketLike.ts'

export interface SentRequest {
  id: number
  method: string
  params: Record<string, unknown>
}

interface Listeners {
  open: (() => void)[]
  message: ((event: { data: unknown }) => void)[]
  close: ((event: SocketClose) => void)[]
  error: ((event: object) => void)[]
}

/** The client's end of a socket without a network; the test plays the other end. */
export class FakeSocket implements WebSocketLike {
  readonly url: string
  binaryType = 'blob'
  readyState = 0
  readonly requests: SentRequest[] = []
  pings = 0
  onRequest: (request: SentRequest) => void = () => {}
  readonly #listeners: Listeners = { open: [], message: [], close: [], error: [] }

  constructor(url: string) {
    this.url = url
  }

  addEventListener<K extends keyof Listeners>(type: K, listener: Listeners[K][number]): void {
    const listeners = this.#listeners[type] as Listeners[K][number][]
    listeners.push(listener)
  }

  send(data: string | Uint8Array<ArrayBuffer>): void {
    if (this.readyState !== 1) throw new Error('The fake socket is not open')
    if (typeof data === 'string') {
      this.pings += 1
      return
    }
    const request = decode(data) as SentRequest
    this.requests.push(request)
    this.onRequest(request)
  }

  close(): void {
    this.end(1000, '', true)
  }

  open(): void {
    this.readyState = 1
    for (const listener of this.#listeners.open) listener()
  }

  end(code: number, reason = '', wasClean = false): void {
    if (this.readyState === 3) return
    this.readyState = 3
    for (const listener of this.#listeners.close) listener({ code, reason, wasClean })
  }

  pong(): void {
    this.#deliver('')
  }

  respond({ id, method }: SentRequest, result: unknown): void {
    this.sendRaw({ id, method, status: 0, result })
  }

  refuse({ id, method }: SentRequest, code: number, message: string, data?: unknown): void {
    this.sendRaw({ id, method, status: 1, error: { code, message, data } })
  }

  notify(method: string, params: unknown): void {
    this.sendRaw({ method, params })
  }

  sendRaw(message: unknown): void {
    this.#deliver(encode(message).slice().buffer)
  }

  #deliver(data: unknown): void {
    for (const listener of this.#listeners.message) listener({ data })
  }
}
