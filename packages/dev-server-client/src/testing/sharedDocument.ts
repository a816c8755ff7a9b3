import { apply, DocumentHistory, parseOperation } from '@boxyard/ot'
import type { TextOperation } from '@boxyard/ot'
import { savedHash } from '@boxyard/protocol'
import type { TextFile } from '../api.ts'
import { settled } from './fakeClock.ts'
import { FakeServer, HOLD } from './fakeServer.ts'
import type { FakeSocket, SentRequest } from './fakeSocket.ts'

/** One document of a simulated dev server that several clients have open. Frames travel only when the test moves them. */
export class SharedDocument {
  readonly history = new DocumentHistory({ text: '', revision: 0 })
  readonly participants: Participant[] = []
  readonly #hasReplay: boolean

  constructor(options: { hasReplay: boolean }) {
    this.#hasReplay = options.hasReplay
  }

  async join(name: string): Promise<Participant> {
    const participant = await Participant.create(name, this)
    this.participants.push(participant)
    return participant
  }

  describe(name: string, sinceRevision: unknown) {
    const { text, revision } = this.history
    const replay =
      this.#hasReplay && typeof sinceRevision === 'number'
        ? this.history.operationsSince(sinceRevision).map((accepted) => ({
            operation: accepted.operation,
            revision: accepted.revision,
            own: accepted.author?.client === name,
          }))
        : undefined
    return {
      id: 'f',
      isBinary: false,
      content: text,
      savedHash: savedHash(''),
      clients: {},
      document: { revision, clients: {}, replay },
    }
  }

  accept(from: Participant, operation: unknown, revision: number): number {
    const sequence = (this.history.lastAccepted(from.name)?.sequence ?? 0) + 1
    const accepted = this.history.receive(parseOperation(operation), revision, { client: from.name, sequence })
    for (const other of this.participants) if (other !== from) other.told(accepted.operation, accepted.revision)
    return accepted.revision
  }
}

export class Participant {
  readonly name: string
  readonly server = new FakeServer()
  readonly #document: SharedDocument
  #toServer: (() => void)[] = []
  #toClient: (() => void)[] = []
  /** The socket on which the dev server has this client as an opener. */
  #openOn: FakeSocket | undefined
  file!: TextFile
  text = ''

  private constructor(name: string, document: SharedDocument) {
    this.name = name
    this.#document = document
  }

  static async create(name: string, document: SharedDocument): Promise<Participant> {
    const participant = new Participant(name, document)
    const { server } = participant
    server.clientId = name
    for (const method of ['file/open', 'file/openByPath', 'file/documentOperation']) {
      server.answers[method] = (request, socket) => participant.#arrive(request, socket)
    }
    server.answers['file/documentAck'] = ({ params }) => ({ revision: params['revision'] })
    const client = await server.connectedClient()
    const opening = client.files.open('f.txt')
    await settled()
    await participant.deliverAll()
    const file = await opening
    if (file.kind !== 'text') throw new Error('Not a text')
    participant.file = file
    participant.text = file.text
    file.onDidApplyRemote(({ operation }) => participant.show(operation))
    return participant
  }

  get waiting(): number {
    return this.#toServer.length + this.#toClient.length
  }

  show(operation: TextOperation | undefined): void {
    if (operation) this.text = apply(this.text, operation)
  }

  type(operation: TextOperation, group: number): void {
    this.show(operation)
    this.file.edit(operation, group)
  }

  told(operation: TextOperation, revision: number): void {
    const socket = this.#openOn
    if (!socket) return
    this.#send(socket, () => socket.notify('file/documentOperation', { id: 'f', operation, revision, reason: 0 }))
  }

  async deliver(direction: 'server' | 'client'): Promise<void> {
    const queue = direction === 'server' ? this.#toServer : this.#toClient
    queue.shift()?.()
    await settled()
  }

  async deliverAll(): Promise<void> {
    while (this.waiting > 0) {
      await this.deliver('server')
      await this.deliver('client')
    }
  }

  /** Cuts the connection. What was on its way to the dev server arrives or does not; what was on its way back is lost. */
  async cut(arrives: boolean): Promise<void> {
    const { socket } = this.server
    if (socket.readyState !== 1) return
    if (arrives) for (const arrive of this.#toServer) arrive()
    this.#toServer = []
    this.#toClient = []
    this.#openOn = undefined
    socket.end(1006)
    await settled()
  }

  #arrive(request: SentRequest, socket: FakeSocket): typeof HOLD {
    this.#toServer.push(() => this.#handle(request, socket))
    return HOLD
  }

  #handle(request: SentRequest, socket: FakeSocket): void {
    const { operation, revision, sinceRevision } = request.params
    if (request.method !== 'file/documentOperation') {
      this.#openOn = socket
      const answer = this.#document.describe(this.name, sinceRevision)
      this.#send(socket, () => socket.respond(request, answer))
      return
    }
    const accepted = this.#document.accept(this, operation, Number(revision))
    this.#send(socket, () => socket.respond(request, { id: 'f', revision: accepted }))
  }

  #send(socket: FakeSocket, frame: () => void): void {
    this.#toClient.push(() => socket.readyState === 1 && frame())
  }
}
