import { diff, OperationError, parseOperation, transform } from '@boxyard/ot'
import type { AcceptedOperation, DocumentHistory, OperationAuthor } from '@boxyard/ot'
import type { DocumentStore, LockedText } from './documentStore.ts'

/** An operation that somebody sent, until it is answered. */
interface Incoming {
  operation: readonly (number | string)[]
  revision: number
  author: OperationAuthor
  accepted(revision: number): void
  refused(message: string): void
  /** Who hears the answer in place of the operation. */
  sender: unknown
}

/** Whom a text tells what happened to it, in the order of its revisions. */
export interface DocumentAudience {
  operation(accepted: AcceptedOperation, except: unknown): void
  saved(text: string): void
  gone(): void
}

/**
 * The text of one file as everybody edits it. An operation is a row of the database before its author hears that it was accepted and
 * the others hear of it; those that come while a transaction runs share the next one. Other processes may do the same: the row of the
 * text is locked, and what they added is taken in first.
 */
export class RoomDocument {
  readonly #store: DocumentStore
  readonly #shortid: string
  readonly #audience: DocumentAudience
  readonly #incoming: Incoming[] = []
  #history: DocumentHistory
  #saved: string
  #work: Promise<unknown> = Promise.resolve()

  static async open(store: DocumentStore, shortid: string, audience: DocumentAudience): Promise<RoomDocument | null> {
    const stored = await store.load(shortid)
    return stored && new RoomDocument(store, shortid, audience, stored)
  }

  private constructor(
    store: DocumentStore,
    shortid: string,
    audience: DocumentAudience,
    { history, saved }: { history: DocumentHistory; saved: string },
  ) {
    this.#store = store
    this.#shortid = shortid
    this.#audience = audience
    this.#history = history
    this.#saved = saved
  }

  /** Reads the text when everything before has been told. */
  read<T>(work: (history: DocumentHistory) => T): Promise<T> {
    return this.#do(async () => work(this.#history))
  }

  receive(incoming: Incoming): Promise<void> {
    this.#incoming.push(incoming)
    if (this.#incoming.length > 1) return this.#work.then(() => undefined)
    return this.#do(() => this.#accept())
  }

  /** Stores the text as the file. */
  save(): Promise<void> {
    return this.#do(async () => {
      const told = await this.#change(
        async (locked) => {
          const taken = await this.#takeIn(locked)
          await this.#store.save(locked.tx, this.#shortid, this.#history)
          return taken
        },
        { isSave: true },
      )
      if (!told) return
      this.#saved = this.#history.text
      this.#tell(told)
      this.#audience.saved(this.#saved)
    })
  }

  /** Takes in what other processes did, and what was written to the file past the text. */
  refresh(): Promise<void> {
    return this.#do(async () => {
      const before = this.#saved
      const told = await this.#change((locked) => this.#takeIn(locked))
      if (!told) return
      this.#tell(told)
      if (this.#saved !== before) this.#audience.saved(this.#saved)
    })
  }

  async #accept(): Promise<void> {
    const incoming = this.#incoming.splice(0)
    const answers: (() => void)[] = []
    const told = await this.#change(async (locked) => {
      const taken = await this.#catchUp(locked)
      const rows: AcceptedOperation[] = []
      for (const one of incoming) {
        try {
          const { author, sender } = one
          const { operation, revision, duplicate } = this.#history.receive(
            parseOperation(one.operation),
            one.revision,
            author,
          )
          if (!duplicate) rows.push({ operation, revision, author })
          answers.push(() => {
            one.accepted(revision)
            if (!duplicate) this.#audience.operation({ operation, revision, author }, sender)
          })
        } catch (error) {
          if (!(error instanceof OperationError)) throw error
          answers.push(() => one.refused(error.message))
        }
      }
      if (rows.length > 0) await this.#store.append(locked.tx, this.#shortid, rows, this.#history)
      return taken
    })
    if (!told) return
    this.#tell(told)
    for (const answer of answers) answer()
  }

  /** Operations of other processes. */
  async #catchUp({ tx, revision }: LockedText): Promise<AcceptedOperation[]> {
    if (revision <= this.#history.revision) return []
    const taken = await this.#store.operationsSince(tx, this.#shortid, this.#history.revision)
    for (const { operation, author } of taken) this.#history.receive(operation, this.#history.revision, author)
    return taken
  }

  /** Operations of other processes, and what else was written to the file: as if it had been typed at the same time. */
  async #takeIn(locked: LockedText): Promise<AcceptedOperation[]> {
    const { tx } = locked
    const taken = await this.#catchUp(locked)
    const saved = await this.#store.saved(tx, this.#shortid)
    this.#saved = saved
    const code = await this.#store.module(tx, this.#shortid)
    if (code === null || code === saved) return taken
    if (code !== this.#history.text) {
      const [operation] = transform(diff(saved, code), diff(saved, this.#history.text))
      const accepted = this.#history.receive(operation, this.#history.revision)
      await this.#store.append(tx, this.#shortid, [accepted], this.#history)
      taken.push(accepted)
    }
    await this.#store.setSaved(tx, this.#shortid, code)
    this.#saved = code
    return taken
  }

  /** Null when the file is gone. */
  async #change<T>(work: (locked: LockedText) => Promise<T>, options?: { isSave: boolean }): Promise<T | null> {
    const done = await this.#store.change(this.#shortid, work, options)
    if (done === null) this.#audience.gone()
    return done
  }

  #tell(taken: readonly AcceptedOperation[]): void {
    for (const accepted of taken) this.#audience.operation(accepted, null)
  }

  #do<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(work)
    this.#work = done.catch(() => undefined)
    return done
  }
}
