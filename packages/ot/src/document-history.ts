import { LazyText } from './lazy-text.ts'
import { OperationError } from './operation-error.ts'
import { baseLength, MAXIMUM_DOCUMENT_LENGTH, noop, targetLength } from './operation.ts'
import type { TextOperation } from './operation.ts'
import { transform } from './transform.ts'

/** Who sent an operation: a key for the client (one open document of one session) and its own count, 1, 2, 3 and so on. */
export interface OperationAuthor {
  client: string
  sequence: number
}

/** An operation in the order the server gave it. `revision` is the document's revision after it. */
export interface AcceptedOperation {
  operation: TextOperation
  revision: number
  author?: OperationAuthor
}

/** The answer to a received operation. A duplicate was accepted before: `revision` is the one it was given then. */
export interface Reception {
  operation: TextOperation
  revision: number
  duplicate: boolean
}

/** Everything needed to go on with a document in another process. `operations` end at `revision`. */
export interface DocumentSnapshot {
  text: string
  revision: number
  operations?: readonly AcceptedOperation[]
  /** The last accepted operation of each client, the oldest first. */
  lastAccepted?: readonly { client: string; sequence: number; revision: number }[]
}

/** How much a document keeps for rebasing and replay. */
export interface HistoryLimits {
  /** Operations kept even when every open client has acknowledged them, for clients that come back. */
  window: number
  /** Operations kept at most, however far a client lags behind. */
  maximum: number
  /** Inserted text kept at most, in UTF-16 code units. */
  maximumText: number
  /** Clients whose last accepted operation is remembered. */
  clients: number
}

const DEFAULT_LIMITS: HistoryLimits = { window: 512, maximum: 4096, maximumText: 16_000_000, clients: 1024 }

/**
 * The server's side of a document: its text, its revision (the number of accepted operations) and the accepted operations
 * that clients may still be behind. Gives every received operation its place in one order.
 */
export class DocumentHistory {
  readonly #limits: HistoryLimits
  readonly #operations: AcceptedOperation[]
  readonly #acknowledged = new Map<string, number>()
  readonly #lastAccepted = new Map<string, { sequence: number; revision: number }>()
  #revision: number
  #retainedText = 0
  readonly #text: LazyText

  constructor(snapshot: DocumentSnapshot, limits: Partial<HistoryLimits> = {}) {
    this.#limits = { ...DEFAULT_LIMITS, ...limits }
    this.#text = new LazyText(snapshot.text)
    this.#revision = snapshot.revision
    this.#operations = [...(snapshot.operations ?? [])]
    for (const accepted of this.#operations) this.#retainedText += insertedLength(accepted.operation)
    for (const { client, sequence, revision } of snapshot.lastAccepted ?? []) {
      this.#lastAccepted.set(client, { sequence, revision })
    }
  }

  get text(): string {
    return this.#text.read()
  }

  /** Length of the text in UTF-16 code units; cheaper than reading the text. */
  get length(): number {
    return this.#text.length
  }

  /** Number of operations accepted so far. */
  get revision(): number {
    return this.#revision
  }

  /** The oldest revision that an operation may be based on and that can be replayed from. */
  get oldestRevision(): number {
    return this.#revision - this.#operations.length
  }

  /**
   * Accepts an operation made at `revision`: rebases it over everything accepted since and applies it.
   * An operation with the author's last accepted sequence is a resend: it changes nothing and is answered as before.
   * `operation` must be canonical (see `parseOperation`).
   * @throws OperationError LENGTH_MISMATCH, DOCUMENT_TOO_LARGE, SEQUENCE_TOO_OLD and what `operationsSince` throws;
   *   the document is unchanged then
   */
  receive(operation: TextOperation, revision: number, author?: OperationAuthor): Reception {
    const last = author && this.#lastAccepted.get(author.client)
    if (author && last) {
      if (author.sequence === last.sequence) {
        return { operation: noop(this.length), revision: last.revision, duplicate: true }
      }
      if (author.sequence < last.sequence) throw new OperationError('SEQUENCE_TOO_OLD')
    }
    let rebased = operation
    for (const accepted of this.operationsSince(revision)) [rebased] = transform(rebased, accepted.operation)
    if (rebased.length === 0) rebased = noop(this.length)
    if (baseLength(rebased) !== this.length) {
      throw new OperationError('LENGTH_MISMATCH', `It needs ${baseLength(rebased)} units, not ${this.length}.`)
    }
    const length = targetLength(rebased)
    if (length > MAXIMUM_DOCUMENT_LENGTH && length > this.length) throw new OperationError('DOCUMENT_TOO_LARGE')

    this.#revision += 1
    this.#text.change(rebased)
    this.#operations.push({ operation: rebased, revision: this.#revision, ...(author && { author }) })
    this.#retainedText += insertedLength(rebased)
    if (author) this.#remember(author)
    this.#trim()
    return { operation: rebased, revision: this.#revision, duplicate: false }
  }

  /**
   * The operations accepted after `revision`, oldest first.
   * @throws OperationError REVISION_INVALID, REVISION_AHEAD, REVISION_TOO_OLD
   */
  operationsSince(revision: number): readonly AcceptedOperation[] {
    if (!Number.isSafeInteger(revision) || revision < 0) throw new OperationError('REVISION_INVALID')
    if (revision > this.#revision) throw new OperationError('REVISION_AHEAD')
    if (revision < this.oldestRevision) throw new OperationError('REVISION_TOO_OLD')
    return this.#operations.slice(revision - this.oldestRevision)
  }

  /** The last operation accepted from a client, or undefined. Tells a returning client whether its operation arrived. */
  lastAccepted(client: string): { sequence: number; revision: number } | undefined {
    return this.#lastAccepted.get(client)
  }

  /**
   * Notes that an open client has everything up to `revision`. Operations that every open client has may be dropped.
   * @throws OperationError REVISION_INVALID, REVISION_AHEAD
   */
  acknowledge(client: string, revision: number): void {
    if (!Number.isSafeInteger(revision) || revision < 0) throw new OperationError('REVISION_INVALID')
    if (revision > this.#revision) throw new OperationError('REVISION_AHEAD')
    this.#acknowledged.set(client, Math.max(revision, this.#acknowledged.get(client) ?? 0))
    this.#trim()
  }

  /** Notes that a client closed the document. Its last accepted operation stays known. */
  leave(client: string): void {
    this.#acknowledged.delete(client)
    this.#trim()
  }

  snapshot(): Required<DocumentSnapshot> {
    return {
      text: this.text,
      revision: this.#revision,
      operations: [...this.#operations],
      lastAccepted: [...this.#lastAccepted].map(([client, last]) => ({ client, ...last })),
    }
  }

  #remember({ client, sequence }: OperationAuthor): void {
    this.#lastAccepted.delete(client)
    this.#lastAccepted.set(client, { sequence, revision: this.#revision })
    for (const oldest of this.#lastAccepted.keys()) {
      if (this.#lastAccepted.size <= this.#limits.clients) break
      this.#lastAccepted.delete(oldest)
    }
  }

  #trim(): void {
    const { window, maximum, maximumText } = this.#limits
    let acknowledgedByAll = this.#revision
    for (const revision of this.#acknowledged.values()) acknowledgedByAll = Math.min(acknowledgedByAll, revision)
    let surplus = 0
    let kept = this.#operations.length
    let text = this.#retainedText
    while (
      kept > maximum ||
      (kept > 0 && text > maximumText) ||
      (kept > window && this.#revision - kept < acknowledgedByAll)
    ) {
      text -= insertedLength(this.#operations[surplus]!.operation)
      surplus += 1
      kept -= 1
    }
    if (surplus === 0) return
    this.#operations.splice(0, surplus)
    this.#retainedText = text
  }
}

function insertedLength(operation: TextOperation): number {
  let length = 0
  for (const component of operation) if (typeof component === 'string') length += component.length
  return length
}
