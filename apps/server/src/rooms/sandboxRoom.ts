import type { FromRoom, RoomPerson, ToRoom } from '@boxyard/api'
import type { AcceptedOperation } from '@boxyard/ot'
import { isUnstorable } from '../database/database.ts'
import type { DocumentStore } from './documentStore.ts'
import { RoomChannels } from './roomChannels.ts'
import { RoomDocument } from './roomDocument.ts'

export type Selection = NonNullable<Extract<ToRoom, { type: 'select' }>['selection']>

type DocumentRequest = Exclude<Extract<ToRoom, { document: string }>, { type: 'select' }>

/** One open page. */
export interface Visitor {
  person: RoomPerson
  userId: string | null
  access: 'read' | 'write'
  send(message: FromRoom): void
  /** Ends the connection. The page comes back, and is told everything again. */
  dismiss(): void
}

const COLORS = ['#FFE500', '#7BD88F', '#78C2FF', '#FFB86C', '#D6A2FF', '#FF9AA2']
const VISITOR_COLOR = '#FF0000'

/** Everybody who has one sandbox open, and the texts that they edit. */
export class SandboxRoom {
  readonly #store: DocumentStore
  readonly #onFailure: (error: unknown) => void
  readonly #visitors = new Map<string, Visitor>()
  readonly #documents = new Map<string, Promise<RoomDocument | null>>()
  /** Of each text, where each page has its carets. */
  readonly #selections = new Map<string, Map<string, Selection>>()
  readonly #channels = new RoomChannels()

  constructor(store: DocumentStore, onFailure: (error: unknown) => void) {
    this.#store = store
    this.#onFailure = onFailure
  }

  get isEmpty(): boolean {
    return this.#visitors.size === 0
  }

  get visitors(): Iterable<Visitor> {
    return this.#visitors.values()
  }

  /** The colour for somebody who arrives: one that nobody else has, as long as there are enough. */
  freeColor(isSignedIn: boolean): string {
    if (!isSignedIn) return VISITOR_COLOR
    const taken = new Set([...this.#visitors.values()].map(({ person }) => person.color))
    return COLORS.find((color) => !taken.has(color)) ?? COLORS[this.#visitors.size % COLORS.length]!
  }

  /** Somebody is here. They take the place of the page that had their id: it is the same one, whose connection was lost. They hear everything from now on, and first who is here, then what is not saved. */
  async join(visitor: Visitor): Promise<void> {
    const { person, access } = visitor
    const before = this.#visitors.get(person.id)
    if (before) {
      this.leave(before)
      before.dismiss()
    }
    const people = [...this.#visitors.values()].map((other) => other.person)
    visitor.send({ type: 'joined', self: person, access, people })
    this.#tellAll({ type: 'arrived', person })
    this.#visitors.set(person.id, visitor)
    // After this page hears of every edit: a text that is edited meanwhile is either in here or told.
    visitor.send({ type: 'state', ...(await this.#store.state()) })
  }

  leave(visitor: Visitor): void {
    const { id } = visitor.person
    if (this.#visitors.get(id) !== visitor) return
    this.#visitors.delete(id)
    this.#channels.leave(visitor)
    for (const selections of this.#selections.values()) selections.delete(id)
    this.#tellAll({ type: 'left', id })
  }

  async receive(message: ToRoom, visitor: Visitor): Promise<void> {
    if ('channel' in message) return this.#channels.receive(message, visitor)
    if (message.type === 'select') return this.#select(message.document, message.selection, visitor)
    return this.#edit(message, visitor)
  }

  async #edit(message: DocumentRequest, visitor: Visitor): Promise<void> {
    const { document } = message
    const fail = (of: 'open' | 'operation' | 'save', text: string) =>
      visitor.send({ type: 'failed', document, of, message: text })
    if (message.type !== 'open' && visitor.access !== 'write')
      return fail(message.type, 'You may look at this sandbox and not change it. Fork it to change your own copy.')
    try {
      const text = await this.#document(document)
      if (!text) return fail(message.type, 'This file is not there any more.')
      if (message.type === 'open') await this.#answer(text, message, visitor)
      else if (message.type === 'save') await text.save()
      else {
        const { operation, revision, author } = message
        await text.receive({
          operation,
          revision,
          author,
          sender: visitor,
          accepted: (at) => visitor.send({ type: 'accepted', document, revision: at }),
          refused: (reason) => fail('operation', reason),
        })
      }
    } catch (error) {
      if (isUnstorable(error)) fail(message.type, 'The text has characters that no file can hold, such as NUL.')
      this.#fail(error)
    }
  }

  /** Files came, changed or went. */
  async filesChanged(change: Omit<Extract<FromRoom, { type: 'files' }>, 'type'>, by: string | null): Promise<void> {
    for (const { person, send } of this.#visitors.values()) if (person.id !== by) send({ type: 'files', ...change })
    for (const shortid of change.removedModules) this.#documents.delete(shortid)
    await Promise.all(change.modules.map(({ shortid }) => this.refresh(shortid)))
  }

  /** Another process, or somebody who knows nothing of texts, has changed a file. */
  async refresh(shortid: string): Promise<void> {
    try {
      await (await this.#documents.get(shortid))?.refresh()
    } catch (error) {
      this.#fail(error)
    }
  }

  /** What was not stored did not happen: everybody comes back and goes on from what the database has. */
  #fail(error: unknown): void {
    this.#onFailure(error)
    this.#documents.clear()
    for (const visitor of this.#visitors.values()) visitor.dismiss()
  }

  async #answer(text: RoomDocument, message: Extract<ToRoom, { type: 'open' }>, visitor: Visitor): Promise<void> {
    const { document, since, inFlight } = message
    await text.refresh()
    await text.read((history) => {
      const knows = since !== undefined && since >= history.oldestRevision && since <= history.revision
      const state = knows
        ? {
            operations: history.operationsSince(since).map(({ operation, revision, author }) => ({
              operation: [...operation],
              revision,
              author: author ?? null,
            })),
          }
        : {
            text: history.text,
            hasInFlight:
              inFlight !== undefined && inFlight.sequence <= (history.lastAccepted(inFlight.client)?.sequence ?? 0),
          }
      const others = [...(this.#selections.get(document) ?? [])].filter(([id]) => id !== visitor.person.id)
      const selections = Object.fromEntries(others)
      visitor.send({ type: 'document', document, revision: history.revision, state, selections })
    })
  }

  #select(document: string, selection: Selection | null, { person: { id } }: Visitor): void {
    const selections = this.#selections.get(document) ?? new Map<string, Selection>()
    this.#selections.set(document, selections)
    if (selection) selections.set(id, selection)
    else selections.delete(id)
    this.#tellAll({ type: 'selection', document, person: id, selection }, id)
  }

  #document(shortid: string): Promise<RoomDocument | null> {
    const known = this.#documents.get(shortid)
    if (known) return known
    const opened = RoomDocument.open(this.#store, shortid, {
      operation: ({ operation, revision }: AcceptedOperation, except) => {
        const message: FromRoom = { type: 'operation', document: shortid, revision, operation: [...operation] }
        for (const visitor of this.#visitors.values()) if (visitor !== except) visitor.send(message)
      },
      saved: (text) => this.#tellAll({ type: 'saved', document: shortid, text }),
      gone: () => this.#documents.delete(shortid),
    })
    this.#documents.set(shortid, opened)
    const forget = () => {
      if (this.#documents.get(shortid) === opened) this.#documents.delete(shortid)
    }
    opened.then((text) => text ?? forget(), forget)
    return opened
  }

  #tellAll(message: FromRoom, except?: string): void {
    for (const { person, send } of this.#visitors.values()) if (person.id !== except) send(message)
  }
}
