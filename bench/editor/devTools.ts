import { once } from 'node:events'
import { WebSocket } from 'ws'

interface Reply {
  id?: number
  result?: unknown
  error?: { message: string }
}

/** Chromium's own protocol for tools, without anything switched on that is not asked for. */
export class DevTools {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  #lastId = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data: Buffer) => {
      const { id, result, error } = JSON.parse(data.toString()) as Reply
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
      this.#waiting.set(id, { resolve: (result) => resolve(result as T), reject })
      this.#socket.send(JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) }))
    })
  }

  close(): void {
    this.#socket.close()
  }
}
