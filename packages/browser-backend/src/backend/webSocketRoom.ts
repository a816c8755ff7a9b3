import { fromRoomSchema } from '@boxyard/api'
import type { FromRoom, ToRoom } from '@boxyard/api'
import type { RoomLink } from './room.ts'

const FIRST_RETRY_MS = 250
const LONGEST_RETRY_MS = 10_000
const BEAT_MS = 15_000

export interface WebSocketRoomOptions {
  createSocket?: (url: string) => WebSocket
  timers?: Pick<typeof globalThis, 'setTimeout' | 'clearTimeout'>
  /** Calls back when the device is online again. */
  onOnline?: (listener: () => void) => void
}

/** The room over a WebSocket of the platform. A lost one is opened again, at once when the device is back on the net. */
export class WebSocketRoom implements RoomLink {
  readonly #url: string
  readonly #createSocket: (url: string) => WebSocket
  readonly #timers: Pick<typeof globalThis, 'setTimeout' | 'clearTimeout'>
  #events: { message(message: FromRoom): void; lost(): void } | undefined
  #socket: WebSocket | undefined
  #delay = FIRST_RETRY_MS
  #retry: ReturnType<typeof setTimeout> | undefined
  #beat: ReturnType<typeof setTimeout> | undefined
  #isHeard = true

  constructor(url: string, { createSocket, timers, onOnline }: WebSocketRoomOptions = {}) {
    this.#url = url
    this.#createSocket = createSocket ?? ((address) => new WebSocket(address))
    this.#timers = timers ?? globalThis
    const listen = onOnline ?? ((listener) => globalThis.addEventListener?.('online', listener))
    listen(() => {
      if (this.#retry === undefined) return
      this.#timers.clearTimeout(this.#retry)
      this.#connect()
    })
  }

  begin(events: { message(message: FromRoom): void; lost(): void }): void {
    this.#events = events
    this.#connect()
  }

  send(message: ToRoom): void {
    if (this.#socket?.readyState === 1) this.#socket.send(JSON.stringify(message))
  }

  close(): void {
    this.#timers.clearTimeout(this.#retry)
    this.#timers.clearTimeout(this.#beat)
    const socket = this.#socket
    this.#socket = undefined
    socket?.close()
  }

  #connect(): void {
    this.#retry = undefined
    const socket = this.#createSocket(this.#url)
    this.#socket = socket
    socket.addEventListener('open', () => {
      if (this.#socket !== socket) return
      this.#isHeard = true
      this.#listenToBeat(socket)
    })
    socket.addEventListener('message', ({ data }) => {
      if (this.#socket !== socket) return
      this.#isHeard = true
      if (typeof data !== 'string' || data === '') return
      this.#delay = FIRST_RETRY_MS
      this.#events!.message(fromRoomSchema.parse(JSON.parse(data)))
    })
    // An error is followed by a close.
    socket.addEventListener('close', () => this.#lost(socket))
  }

  /** A connection that says nothing for a whole beat is dead, whatever the system thinks of it. */
  #listenToBeat(socket: WebSocket): void {
    this.#beat = this.#timers.setTimeout(() => {
      if (this.#socket !== socket) return
      if (!this.#isHeard) {
        this.#lost(socket)
        socket.close()
        return
      }
      this.#isHeard = false
      socket.send('')
      this.#listenToBeat(socket)
    }, BEAT_MS)
  }

  #lost(socket: WebSocket): void {
    if (this.#socket !== socket) return
    this.#socket = undefined
    this.#timers.clearTimeout(this.#beat)
    this.#events!.lost()
    this.#retry = this.#timers.setTimeout(() => this.#connect(), this.#delay)
    this.#delay = Math.min(this.#delay * 2, LONGEST_RETRY_MS)
  }
}
