import type { Client } from '@boxyard/protocol'
import type { ClientsArea } from './api.ts'
import { AreaSync } from './areaSync.ts'
import type { AreaContext } from './areaSync.ts'
import { Emitter } from './event.ts'

/** Who is joined. */
export class Clients implements ClientsArea {
  readonly #context: AreaContext
  readonly #sync: AreaSync
  readonly #changeEmitter = new Emitter<readonly Client[]>()
  #byId = new Map<string, Client>()

  readonly onDidChange = this.#changeEmitter.event

  constructor(context: AreaContext) {
    this.#context = context
    const { connection } = context
    this.#sync = new AreaSync(context, 'client', () =>
      connection.request('client/list', {}, { onResult: (clients) => this.#replace(clients) }),
    )
    connection.onNotification('client/connected', (client) => this.#put(client))
    connection.onNotification('client/updated', (client) => this.#put(client))
    connection.onNotification('client/disconnected', ({ clientId }) => {
      if (this.#byId.delete(clientId)) this.#changeEmitter.fire(this.all)
    })
  }

  get ready(): Promise<void> {
    return this.#sync.ready
  }

  get self(): Client | undefined {
    return this.#context.connection.joined?.client
  }

  get all(): readonly Client[] {
    return [...this.#byId.values()]
  }

  #replace(clients: readonly Client[]): void {
    this.#byId = new Map(clients.map((client) => [client.clientId, client]))
    this.#changeEmitter.fire(this.all)
  }

  #put(client: Client): void {
    this.#byId.set(client.clientId, client)
    this.#changeEmitter.fire(this.all)
  }
}
