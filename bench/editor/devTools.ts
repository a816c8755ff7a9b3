import { once } from 'node:events'
import { WebSocket } from 'ws'

interface Reply {
  id?: number
  method?: string
  params?: unknown
  sessionId?: string
  result?: unknown
  error?: { message: string }
}

/** The page that was asked has made way for another one of the same tab. */
export class PageGoneError extends Error {}

export interface ToolEvent {
  method: string
  params: unknown
  sessionId: string | undefined
}

/** Chromium's own protocol for tools, without anything switched on that is not asked for. */
export class DevTools {
  readonly #socket: WebSocket
  readonly #waiting = new Map<
    number,
    { resolve(result: unknown): void; reject(error: Error): void; sessionId: string | undefined }
  >()
  readonly #listeners = new Set<(event: ToolEvent) => void>()
  #lastId = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data: Buffer) => {
      const { id, method, params, sessionId, result, error } = JSON.parse(data.toString()) as Reply
      if (method === 'Target.detachedFromTarget') this.#rejectAll((params as { sessionId: string }).sessionId)
      if (method !== undefined) for (const listener of this.#listeners) listener({ method, params, sessionId })
      const waiting = id === undefined ? undefined : this.#waiting.get(id)
      if (id === undefined || !waiting) return
      this.#waiting.delete(id)
      if (error) waiting.reject(new Error(error.message))
      else waiting.resolve(result)
    })
    socket.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('The browser has gone'))
    })
  }

  static async connect(address: string): Promise<DevTools> {
    const socket = new WebSocket(address, { perMessageDeflate: false })
    await once(socket, 'open')
    return new DevTools(socket)
  }

  send<T>(method: string, params: object, sessionId?: string): Promise<T> {
    const id = (this.#lastId += 1)
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: (result) => resolve(result as T), reject, sessionId })
      this.#socket.send(JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) }))
    })
  }

  #rejectAll(of: string): void {
    for (const [id, { reject, sessionId }] of this.#waiting) {
      if (sessionId !== of) continue
      this.#waiting.delete(id)
      reject(new PageGoneError())
    }
  }

  /** The answer ends it. */
  listen(listener: (event: ToolEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close(): void {
    this.#socket.close()
  }
}
