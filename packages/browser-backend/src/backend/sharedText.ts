import { ClientDocument, diff, OperationError, parseOperation } from '@boxyard/ot'
import type { TextOperation } from '@boxyard/ot'
import type { FromRoom, ToRoom } from '@boxyard/api'
import type { UnsentText } from './storage.ts'

type Opened = Extract<FromRoom, { type: 'document' }>
export type OutgoingMessage = Extract<ToRoom, { type: 'operation' }>

/** The text of a file as this page has it, on its way to and from the room. */
export class SharedText {
  readonly #shortid: string
  readonly #client: string
  readonly #document: ClientDocument
  /** Of the last operation that was handed out. */
  #sequence: number
  /** False until the room has told its text: the one here is that of the file. */
  #isKnown: boolean

  constructor(shortid: string, given: { text: string } | { unsent: UnsentText }) {
    this.#shortid = shortid
    if ('text' in given) {
      this.#client = crypto.randomUUID()
      this.#sequence = 0
      this.#isKnown = false
      this.#document = new ClientDocument({ text: given.text, revision: 0, client: this.#client })
    } else {
      const { client, sequence, revision, base, inFlight, text } = given.unsent
      this.#client = client
      this.#sequence = sequence
      this.#isKnown = revision !== null
      this.#document = new ClientDocument({ text: base, revision: revision ?? 0, client, sequence })
      if (inFlight !== null) {
        this.#document.local(parseOperation(inFlight), 'in flight')
        this.#sequence = this.#document.takeOutgoing()?.sequence ?? sequence
      }
      this.#document.local(diff(this.#document.text, text), 'unsent')
    }
    this.#document.beginResync()
  }

  get text(): string {
    return this.#document.text
  }

  /** Whether the room has everything. */
  get isSynchronized(): boolean {
    return this.#document.state === 'synchronized'
  }

  edit(operation: TextOperation): void {
    this.#document.local(operation)
  }

  /** What to keep on this device while the room does not have everything; null when it has. */
  unsent(): UnsentText | null {
    const document = this.#document
    if (this.isSynchronized) return null
    const base = document.serverText
    const { text, inFlight, revision } = document
    if (!inFlight && text === base) return null
    return {
      client: this.#client,
      sequence: inFlight ? inFlight.sequence - 1 : this.#sequence,
      revision: this.#isKnown ? revision : null,
      base,
      inFlight: inFlight ? [...inFlight.operation] : null,
      text,
    }
  }

  /** What to ask the room for this text with. */
  get question(): ToRoom {
    const { inFlight, revision } = this.#document
    return {
      type: 'open',
      document: this.#shortid,
      ...(this.#isKnown && { since: revision }),
      ...(inFlight && { inFlight: { client: this.#client, sequence: inFlight.sequence } }),
    }
  }

  /** The next operation for the room; null while one is on its way, or the room's text is not known. */
  takeOutgoing(): OutgoingMessage | null {
    const outgoing = this.#document.takeOutgoing()
    if (!outgoing) return null
    this.#sequence = outgoing.sequence
    const { operation, revision, sequence } = outgoing
    const author = { client: this.#client, sequence }
    return { type: 'operation', document: this.#shortid, revision, operation: [...operation], author }
  }

  /** Edits are taken, and nothing goes out until the room has been asked again. */
  lost(): void {
    this.#document.beginResync()
  }

  /** The room's answer to the question. Returns what changes here; null when the whole text has to be asked for. */
  opened({ state, revision }: Opened): TextOperation | null {
    // The answer to a question that was asked twice.
    if (this.#document.state !== 'resyncing') return []
    if ('text' in state) {
      const local = this.#document.resync({ text: state.text, revision, accepted: state.hasInFlight })
      this.#isKnown = true
      return this.#settled(local)
    }
    try {
      const operations = state.operations.map(({ author, operation, revision: at }) => ({
        operation: parseOperation(operation),
        revision: at,
        ...(author && { author }),
      }))
      return this.#settled(this.#document.resync({ operations }))
    } catch (error) {
      if (!(error instanceof OperationError)) throw error
      this.#isKnown = false
      return null
    }
  }

  /** @throws OperationError when it does not follow on what is known; the room has to be asked again */
  remote(operation: readonly (number | string)[], revision: number): TextOperation {
    const document = this.#document
    if (document.state === 'resyncing' || revision <= document.revision) return []
    if (revision !== document.revision + 1) throw new OperationError('REPLAY_MISMATCH', `At revision ${revision}.`)
    return this.#settled(document.remote(parseOperation(operation)))
  }

  /** @throws OperationError when nothing was on its way; the room has to be asked again */
  accepted(revision: number): void {
    this.#document.ack(revision)
    this.#settled([])
  }

  /** Nobody undoes here: the editor does. */
  #settled(operation: TextOperation): TextOperation {
    if (this.isSynchronized) this.#document.clearUndo()
    return operation
  }
}
