import { changedCharacters } from './changed-characters.ts'
import { ClientDocument } from './client-document.ts'
import type { OutgoingOperation } from './client-document.ts'
import { DocumentHistory } from './document-history.ts'
import { apply, type TextOperation } from './operation.ts'
import { OwnershipOracle, type GroupContent } from './ownership-oracle.ts'
import type { Selection } from './position.ts'
import { randomEdit } from './random-edit.ts'
import { seededRandom } from './seeded-random.ts'
import { transform } from './transform.ts'

/** How a client comes back after a lost connection; `never` keeps all connections. */
export type Reconnection = 'never' | 'replay' | 'text-told' | 'text-guessed'

export interface SimulationOptions {
  seed: number
  steps: number
  reconnection: Reconnection
}

type Notification = { kind: 'operation'; operation: TextOperation } | { kind: 'ack'; revision: number }

interface Participant {
  name: string
  document: ClientDocument
  /** What the editor of this client shows: every operation that the document hands out is applied to it. */
  editor: string
  /** Whether edits say which group they belong to; without keys only the server's order is judged. */
  hasKeys: boolean
  key: number
  groups: Map<unknown, GroupContent>
  connected: boolean
  toServer: OutgoingOperation[]
  toClient: Notification[]
}

/**
 * Several clients edit, undo and redo one document over connections that deliver in random order and break, then each
 * takes back all its work. Every typed character is unique, so that the oracle can tell whose each one is.
 * Throws with the broken rule. The same options always run the same way.
 */
export class Simulation {
  readonly #random: () => number
  readonly #sendRate: number
  readonly #options: SimulationOptions
  readonly #server: DocumentHistory
  readonly #oracle: OwnershipOracle
  readonly #participants: Participant[]
  #nextCharacter = 0x200
  undos = 0

  constructor(options: SimulationOptions) {
    this.#options = options
    this.#random = seededRandom(options.seed)
    this.#sendRate = this.#pick([0.14, 0.14, 0.05, 0.01])
    const text = this.#type(20)
    this.#server = new DocumentHistory({ text, revision: 0 }, { window: 1_000_000, maximum: 1_000_000 })
    this.#oracle = new OwnershipOracle(text)
    this.#participants = Array.from({ length: 2 + this.#below(4) }, (_, index) => ({
      name: `client ${index}`,
      document: new ClientDocument({ text, revision: 0, client: `client ${index}` }),
      editor: text,
      hasKeys: index !== 1 || options.seed % 7 !== 3,
      key: 0,
      groups: new Map(),
      connected: true,
      toServer: [],
      toClient: [],
    }))
  }

  run(): void {
    for (let step = 0; step < this.#options.steps; step += 1) this.#step(this.#pick(this.#participants))
    this.#settle()
    for (const participant of this.#participants) this.#takeEverythingBack(participant)
    if (this.#judgesOwnership) this.#oracle.checkOriginal(this.#server.text)
  }

  /** A resync by text alone no longer says who deleted what: only convergence is promised then. */
  get #judgesOwnership(): boolean {
    return this.#options.reconnection === 'never' || this.#options.reconnection === 'replay'
  }

  #step(participant: Participant): void {
    const choice = this.#random()
    if (choice < 0.3) this.#edit(participant)
    else if (choice < 0.4) this.#undo(participant)
    else if (choice < 0.46) this.#redo(participant)
    else if (choice < 0.46 + this.#sendRate) this.#send(participant)
    else if (choice < 0.78) this.#serve(participant)
    else if (choice < 0.97 || this.#options.reconnection === 'never') this.#receive(participant)
    else if (participant.connected) this.#disconnect(participant)
    else this.#reconnect(participant)
  }

  #edit(participant: Participant): void {
    const { document } = participant
    const operation = randomEdit(document.length, this.#random, (count) => this.#type(count))
    if (this.#random() < 0.6) participant.key += 1
    const content = participant.groups.get(participant.key) ?? { inserted: new Set(), deleted: new Set() }
    participant.groups.set(participant.key, content)
    const { inserted, deleted } = changedCharacters(operation, participant.editor)
    for (const character of inserted) content.inserted.add(character)
    for (const character of deleted) content.deleted.add(character)
    const selections = [{ anchor: this.#below(document.length + 1), head: this.#below(document.length + 1) }]
    document.local(operation, participant.hasKeys ? participant.key : undefined, this.#random() < 0.5 ? selections : [])
    this.#show(participant, operation)
  }

  #undo(participant: Participant): boolean {
    const before = participant.editor
    const action = participant.document.undo()
    participant.key += 1
    if (!action) return false
    this.undos += 1
    if (this.#judgesOwnership && participant.hasKeys) {
      const { inserted, deleted } = changedCharacters(action.operation, before)
      this.#oracle.checkUndo(participant.groups.get(action.key)!, inserted, deleted)
    }
    this.#show(participant, action.operation, action.selections)
    return true
  }

  #redo(participant: Participant): boolean {
    const before = participant.editor
    const action = participant.document.redo()
    participant.key += 1
    if (!action) return false
    if (this.#judgesOwnership && participant.hasKeys) {
      const { inserted, deleted } = changedCharacters(action.operation, before)
      this.#oracle.checkUndo(participant.groups.get(action.key)!, deleted, inserted)
    }
    this.#show(participant, action.operation, action.selections)
    return true
  }

  #send(participant: Participant): boolean {
    if (!participant.connected) return false
    const outgoing = participant.document.takeOutgoing()
    if (outgoing) participant.toServer.push(outgoing)
    return outgoing !== undefined
  }

  #serve(participant: Participant): boolean {
    const outgoing = participant.toServer.shift()
    if (!outgoing) return false
    const { operation, revision, sequence } = outgoing
    const before = this.#server.text
    const accepted = this.#server.receive(operation, revision, { client: participant.name, sequence })
    if (accepted.duplicate) throw new Error('An operation that the server has was sent again.')
    const { inserted, deleted } = changedCharacters(accepted.operation, before)
    if (this.#judgesOwnership) this.#oracle.observe(participant.name, inserted, deleted)
    for (const other of this.#participants) {
      if (!other.connected) continue
      if (other === participant) other.toClient.push({ kind: 'ack', revision: accepted.revision })
      else other.toClient.push({ kind: 'operation', operation: accepted.operation })
    }
    return true
  }

  #receive(participant: Participant): boolean {
    const notification = participant.toClient.shift()
    if (!notification) return false
    const { document } = participant
    if (notification.kind === 'ack') {
      document.ack(notification.revision)
    } else {
      const inFlight = document.inFlight?.operation
      this.#show(participant, document.remote(notification.operation))
      if (inFlight) {
        const [onWire] = transform(inFlight, notification.operation)
        if (JSON.stringify(document.inFlight?.operation) !== JSON.stringify(onWire)) {
          throw new Error('The operation in flight is not what the server makes of it.')
        }
      }
    }
    return true
  }

  #disconnect(participant: Participant): void {
    while (participant.toServer.length > 0 && this.#random() < 0.5) this.#serve(participant)
    while (participant.toClient.length > 0 && this.#random() < 0.5) this.#receive(participant)
    participant.connected = false
    participant.toServer = []
    participant.toClient = []
    participant.document.beginResync()
  }

  #reconnect(participant: Participant): void {
    const { document, name } = participant
    participant.connected = true
    const { reconnection } = this.#options
    const inFlight = document.inFlight
    const accepted = inFlight !== undefined && this.#server.lastAccepted(name)?.sequence === inFlight.sequence
    const operation =
      reconnection === 'replay'
        ? document.resync({ operations: this.#server.operationsSince(document.revision) })
        : document.resync({
            text: this.#server.text,
            revision: this.#server.revision,
            ...(reconnection === 'text-told' && { accepted }),
          })
    this.#show(participant, operation)
    if (reconnection === 'text-guessed' && accepted !== (document.inFlight === undefined)) {
      // The guess was wrong. A server that dedupes would drop a needed operation, so this client counts on from there.
      participant.name = `${name}'`
    }
  }

  #show(participant: Participant, operation: TextOperation, selections: readonly Selection[] = []): void {
    participant.editor = apply(participant.editor, operation)
    if (participant.editor !== participant.document.text) throw new Error('The editor and the document differ.')
    for (const { anchor, head } of selections) {
      if (!(Math.min(anchor, head) >= 0 && Math.max(anchor, head) <= participant.editor.length)) {
        throw new Error('A selection is outside of the text.')
      }
    }
  }

  /** Delivers everything until all have the same. */
  #settle(): void {
    for (const participant of this.#participants) if (!participant.connected) this.#reconnect(participant)
    let busy = true
    while (busy) {
      busy = false
      for (const participant of this.#participants) {
        for (const action of [this.#send, this.#serve, this.#receive]) {
          if (action.call(this, participant)) busy = true
        }
      }
    }
    for (const { name, document } of this.#participants) {
      if (document.text !== this.#server.text) throw new Error(`Convergence: ${name} has another text than the server.`)
      if (document.state !== 'synchronized') throw new Error(`Convergence: ${name} is still ${document.state}.`)
    }
  }

  #takeEverythingBack(participant: Participant): void {
    const texts: string[] = []
    for (const act of [this.#undo, this.#redo, this.#undo, this.#redo, this.#undo]) {
      while (act.call(this, participant)) {
        if (this.#random() < 0.5) this.#send(participant)
        if (this.#random() < 0.5) this.#serve(participant)
        if (this.#random() < 0.5) this.#receive(participant)
      }
      this.#settle()
      texts.push(this.#server.text)
    }
    if (texts[0] !== texts[2] || texts[0] !== texts[4])
      throw new Error('R: undoing everything again gives another text.')
    if (texts[1] !== texts[3]) throw new Error('R: redoing everything again gives another text.')
    if (this.#judgesOwnership) this.#oracle.checkAllUndone(participant.name, this.#server.text)
  }

  #type(count: number): string {
    let text = ''
    for (let index = 0; index < count; index += 1) {
      text += String.fromCharCode(this.#nextCharacter)
      this.#nextCharacter += 1
    }
    if (this.#nextCharacter >= 0xd800) throw new Error('The simulation is too long for unique characters.')
    return text
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#below(list.length)]!
  }
}
