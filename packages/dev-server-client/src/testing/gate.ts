import type { TextOperation } from '@boxyard/ot'
import { classify, decode } from '@boxyard/protocol'
import type { WebSocketLike } from '../webSocketLike.ts'

const METHOD = 'file/documentOperation'
const OPENINGS: ReadonlySet<string | undefined> = new Set(['file/open', 'file/openByPath'])

/**
 * Stands between a client and its real socket. While it is shut, operations and their answers wait in both directions until they are let on one by
 * one; other frames pass, behind what waits. So a run over a real wire goes the same way each time.
 */
export class Gate {
  /** The newest revision that the dev server has told this client, whether the client has heard it yet or not. */
  told = 0
  /** The revision that the last own operation was given. */
  answered = 0
  /** The dev server answered the last opening with the operations that the client had missed. */
  hasReplay = false
  /** What the dev server told, by revision. */
  readonly operations = new Map<number, TextOperation>()
  #failure: Error | undefined
  #file: string | undefined
  #isShut = false
  #outgoing: (() => void)[] = []
  #incoming: (() => void)[] = []
  #watchers: (() => void)[] = []
  #end: (() => void) | undefined

  get outgoing(): number {
    return this.#outgoing.length
  }

  get incoming(): number {
    return this.#incoming.length
  }

  /** The socket that the client is to use. `end` ends the real one as a lost network does. */
  wrap(socket: WebSocketLike, end: () => void): WebSocketLike {
    const listeners: ((event: { data: unknown }) => void)[] = []
    let isCut = false
    this.#end = () => {
      isCut = true
      end()
    }
    socket.addEventListener('message', (event) => {
      if (isCut) return
      this.#arrive(event.data, () => {
        for (const listener of listeners) listener(event)
      })
    })
    socket.addEventListener('close', () => {
      if (!isCut) this.#fail(new Error('The connection was lost'))
    })
    return {
      get binaryType() {
        return socket.binaryType
      },
      set binaryType(type) {
        socket.binaryType = type
      },
      get readyState() {
        return socket.readyState
      },
      addEventListener: (type: string, listener: (event: never) => void) => {
        if (type === 'message') listeners.push(listener as (event: { data: unknown }) => void)
        else socket.addEventListener(type as 'open', listener as () => void)
      },
      send: (data) => {
        const isHeld =
          this.#isShut && typeof data !== 'string' && (decode(data) as { method: string }).method === METHOD
        if (isHeld) this.#outgoing.push(() => socket.send(data))
        else socket.send(data)
      },
      close: (code, reason) => {
        isCut = true
        socket.close(code, reason)
      },
    }
  }

  /** From now on everything is about the file that is opened next. The client may open others again, which it has not closed yet. */
  followNext(): void {
    this.#file = undefined
  }

  shut(): void {
    this.#isShut = true
  }

  open(): void {
    this.#isShut = false
    while (this.letIn() || this.letOut());
  }

  /** @returns false when nothing waits to be sent */
  letOut(): boolean {
    const send = this.#outgoing.shift()
    send?.()
    return send !== undefined
  }

  /** @returns false when nothing waits to be heard */
  letIn(): boolean {
    const deliver = this.#incoming.shift()
    deliver?.()
    return deliver !== undefined
  }

  /** Ends the connection. What waits in either direction is lost. */
  cut(): void {
    this.#outgoing = []
    this.#incoming = []
    this.#end?.()
  }

  /** Resolves when the condition holds; it is looked at after each frame. Rejects when the dev server refuses an operation. */
  until(condition: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = () => {
        if (this.#failure) reject(this.#failure)
        else if (condition()) resolve()
        else this.#watchers.push(check)
      }
      check()
    })
  }

  #arrive(data: unknown, deliver: () => void): void {
    const isOperation = typeof data !== 'string' && this.#read(data as ArrayBuffer)
    if (this.#isShut && (isOperation || this.#incoming.length > 0)) this.#incoming.push(deliver)
    else deliver()
    for (const watch of this.#watchers.splice(0)) watch()
  }

  /** Notes what a frame says. @returns whether it is about an operation */
  #read(data: ArrayBuffer): boolean {
    const { kind, message } = classify(decode(new Uint8Array(data)))
    if (kind === 'result' && OPENINGS.has(message.method)) {
      const { id, document } = message.result as { id: string; document?: { revision: number; replay?: unknown[] } }
      this.#file ??= id
      if (id !== this.#file) return false
      this.hasReplay = document?.replay !== undefined
      this.told = document?.revision ?? 0
      this.answered = 0
    }
    if (message.method !== METHOD) return false
    if (kind === 'error') {
      this.#fail(new Error(`The dev server refuses an operation: ${message.error.message}`))
      return true
    }
    const { revision, operation } = (kind === 'result' ? message.result : message.params) as {
      revision: number
      operation: TextOperation
    }
    this.told = revision
    if (kind === 'result') this.answered = revision
    else this.operations.set(revision, operation)
    return true
  }

  #fail(error: Error): void {
    this.#failure ??= error
    for (const watch of this.#watchers.splice(0)) watch()
  }
}
