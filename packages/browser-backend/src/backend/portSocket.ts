import type { WebSocketLike } from '@boxyard/dev-server-client'
import type { SandboxServer } from './sandboxServer.ts'

const CLOSE = 'close'

/** A message port as the socket that a dev-server client talks through. */
export class PortSocket implements WebSocketLike {
  binaryType = 'arraybuffer'
  readyState = 0
  readonly #port: MessagePort
  readonly #listeners = new Map<string, ((event: never) => void)[]>()

  constructor(port: MessagePort) {
    this.#port = port
    port.onmessage = ({ data }: MessageEvent<Uint8Array>) => this.#fire('message', { data: data.slice().buffer })
    queueMicrotask(() => {
      if (this.readyState !== 0) return
      this.readyState = 1
      this.#fire('open', {})
    })
  }

  addEventListener(type: string, listener: (event: never) => void): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener])
  }

  send(data: string | Uint8Array<ArrayBuffer>): void {
    if (this.readyState !== 1) return
    // A text is a ping: a port is there as long as its page is.
    if (typeof data === 'string') queueMicrotask(() => this.#fire('message', { data }))
    else this.#port.postMessage(data)
  }

  close(code = 1000, reason = ''): void {
    if (this.readyState === 3) return
    this.readyState = 3
    this.#port.postMessage(CLOSE)
    this.#port.close()
    queueMicrotask(() => this.#fire('close', { code, reason, wasClean: true }))
  }

  #fire(type: string, event: object): void {
    for (const listener of this.#listeners.get(type) ?? []) listener(event as never)
  }
}

/** The other end: hands what comes through a port to the server. */
export function servePort(server: SandboxServer, port: MessagePort): void {
  const end = server.accept((frame) => port.postMessage(frame))
  port.onmessage = ({ data }: MessageEvent<Uint8Array | typeof CLOSE>) => {
    if (data === CLOSE) return end.closed()
    return end.receive(data)
  }
}
