import { encode } from '@boxyard/protocol'
import type { Client, NotificationName, NotificationParams, Permissions } from '@boxyard/protocol'

/** One client of the back end. */
export class Connection {
  readonly permissions: Permissions
  readonly watches = new Map<string, { path: string; isRecursive: boolean }>()
  readonly searches = new Set<string>()
  readonly #send: (frame: Uint8Array) => void
  client: Client
  isJoined = false

  constructor(client: Client, permissions: Permissions, send: (frame: Uint8Array) => void) {
    this.client = client
    this.permissions = permissions
    this.#send = send
  }

  send(message: object): void {
    this.#send(encode(message))
  }

  notify<N extends NotificationName>(method: N, params: NotificationParams<N>): void {
    this.send({ method, params })
  }
}
