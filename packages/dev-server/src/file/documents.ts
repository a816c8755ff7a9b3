import { createHash } from 'node:crypto'
import { diff, OperationError, parseOperation, transform } from '@boxyard/ot'
import {
  MAX_TEXT_LENGTH,
  OPERATION_BY_USER,
  OPERATION_FROM_DISK,
  ProtocolError,
  SELECTION_CLIENT_LEFT,
  SELECTION_MOVED,
  type FileObject,
  type Selection,
} from '@boxyard/protocol'
import type { Connection, Connections } from '../area.ts'
import { fsError, hasCode, toProtocolError, withErrno } from '../fs/errno.ts'
import type { Workspace } from '../fs/workspace.ts'
import type { Journal } from '../journal/journal.ts'
import { encodeRecord, type JournalRecord } from '../journal/records.ts'
import type { StoredDocument } from '../journal/storedState.ts'
import type { Log } from '../log.ts'
import { SerialQueue } from '../serialQueue.ts'
import { writeInPlace } from '../writeInPlace.ts'
import { readDiskFile, tooLong } from './diskFile.ts'
import { FileNotices } from './fileNotices.ts'
import { describeFile, replayState } from './fileObject.ts'
import { TextDocument, type BinaryFile, type OpenFile } from './openFile.ts'
import { readText } from './textDetection.ts'

/** Closed and saved files are kept for clients that come back and ask for what they missed. */
const MAX_IDLE = 100

/** The longest text that is given to somebody who only looks, in UTF-16 units and in bytes. */
const MAX_PASSING_TEXT = 100_000

/** Ids of files outside the tree. */
const PATH_ID = 'path:'
const MAX_ID_LENGTH = 200

export interface DocumentsOptions {
  journal: Journal
  workspace: Workspace
  connections: Connections
  /** What an earlier process left in the journal. */
  stored: Iterable<StoredDocument>
  /** Revisions of new documents start here: higher than any revision that a client may remember of an earlier document. */
  firstRevision: number
  log: Log
}

/**
 * All open and unsaved files. An operation is applied when it arrives, so that the next one can be rebased over it, and becomes
 * visible when the journal has it: then its author hears the answer and the others hear the operation, in the order of revisions.
 */
export class Documents {
  readonly #journal: Journal
  readonly #workspace: Workspace
  readonly #connections: Connections
  readonly #notices: FileNotices
  readonly #log: Log
  readonly #files = new Map<string, OpenFile>()
  readonly #longPaths = new Map<string, string>()
  readonly #loading = new SerialQueue()
  readonly #textListeners = new Set<(path: string) => void>()
  readonly #typingListeners = new Set<() => void>()
  #nextRevision: number

  constructor(options: DocumentsOptions) {
    this.#journal = options.journal
    this.#workspace = options.workspace
    this.#connections = options.connections
    this.#notices = new FileNotices(options.connections)
    this.#nextRevision = options.firstRevision
    this.#log = options.log
    for (const one of options.stored) {
      this.#files.set(one.id, new TextDocument(one))
      this.#nextRevision = Math.max(this.#nextRevision, one.history.revision + 1)
    }
    this.#workspace.onContent((path) => this.#contentChanged(path))
    this.#workspace.onMove(() => this.#followMoves())
  }

  /** Revisions go on from here or higher: the box was copied, and its original goes on with those of before. */
  renumber(firstRevision: number): void {
    this.#nextRevision = Math.max(this.#nextRevision, firstRevision)
    for (const document of this.#documents()) {
      document.renumber(this.#nextRevision)
      this.#append(document.record())
    }
  }

  /** Goes on with the documents of an earlier process. A copy of a box renumbers them: its original goes on as well. */
  async recover(options: { renumber: boolean }): Promise<void> {
    if (options.renumber) this.renumber(this.#nextRevision)
    for (const document of this.#documents()) {
      await document.disk
        .run(() => this.#finishSave(document))
        .catch((error: unknown) => {
          this.#log.error('A save that a crash interrupted could not be finished', error, { path: document.path })
        })
      await this.#refresh(document)
      this.#retire(document)
    }
    this.#followMoves()
  }

  /** Every document the journal has to know, as records. */
  records(): JournalRecord[] {
    return [...this.#documents()].filter(({ journaled }) => journaled).map((document) => document.record())
  }

  /** The journal could not write: what it does not have did not happen. */
  restore(stored: ReadonlyMap<string, StoredDocument>): void {
    for (const document of this.#documents()) {
      document.restore(stored.get(document.id))
      this.#tellText(document.path)
    }
  }

  /** Calls back when the text of a path changed, or the path was opened or closed. The answer ends it. */
  onText(listener: (path: string) => void): () => void {
    this.#textListeners.add(listener)
    return () => this.#textListeners.delete(listener)
  }

  /** Calls back when somebody edits a text. */
  onTyped(listener: () => void): void {
    this.#typingListeners.add(listener)
  }

  /** Where the file of an id is; undefined for an unknown id. */
  pathOf(id: string): string | undefined {
    return this.#pathOfNode(id) ?? this.#files.get(id)?.path
  }

  /** The text of a path that somebody has open. */
  textAt(path: string): string | undefined {
    for (const document of this.#documents()) {
      if (document.path === path && document.openers.size > 0) return document.history.text
    }
    return undefined
  }

  /** Paths of the texts that somebody has open. */
  openPaths(): string[] {
    return [...this.#documents()].filter(({ openers }) => openers.size > 0).map(({ path }) => path)
  }

  async openByPath(
    path: string,
    connection: Connection,
    sinceRevision: number | undefined,
    reply: (file: FileObject) => void,
  ): Promise<FileObject> {
    return this.open((await this.#workspace.find(path)) ?? this.#outsideId(path), connection, sinceRevision, reply)
  }

  async open(
    id: string,
    connection: Connection,
    sinceRevision: number | undefined,
    reply: (file: FileObject) => void,
  ): Promise<FileObject> {
    const file = await this.#loading.run(() => this.#load(id))
    await this.#refresh(file)
    return this.#answerOpen(file, connection, sinceRevision, reply)
  }

  /** The text at a path without opening it, for whoever only looks; null for anything that is not a short text of the workspace. */
  async shownTextAt(path: string): Promise<string | null> {
    const id = this.#workspace.idAt(path)
    if (id === undefined) return null
    const open = this.#files.get(id)
    if (open) return open.isBinary ? null : shortText(open.history.text)
    try {
      const content = await readDiskFile(path)
      return content === null || content.length > MAX_PASSING_TEXT ? null : readText(path, content)
    } catch (error) {
      if (hasCode(error, 'EFBIG', 'EACCES', 'EISDIR')) return null
      throw error
    }
  }

  close(id: string, connection: Connection): void {
    const file = this.#opened(id, connection)
    this.#leave(file, connection)
    // Closing what was deleted gives it up; losing the connection does not.
    if (file.openers.size === 0 && !file.isBinary && file.missing) this.#forget(file)
  }

  left(connection: Connection): void {
    for (const file of this.#files.values()) if (file.openers.has(connection)) this.#leave(file, connection)
  }

  receive(
    id: string,
    wire: readonly (number | string)[],
    revision: number,
    connection: Connection,
    reply: (answer: { id: string; revision: number }) => void,
  ): Promise<{ id: string; revision: number }> {
    const document = this.#opened(id, connection)
    if (document.isBinary) throw new ProtocolError('INVALID_ID', 'A binary file can not be edited as text')
    for (const tell of this.#typingListeners) tell()
    const { clientId } = connection.client
    const sequence = (document.history.lastAccepted(clientId)?.sequence ?? 0) + 1
    const author = { client: clientId, sequence }
    return new Promise((resolve, reject) => {
      const accepted = refusing(() => {
        const operation = parseOperation(wire)
        this.#introduce(document)
        return document.history.receive(operation, revision, author)
      })
      this.#tellText(document.path)
      const record: JournalRecord = { kind: 'operation', id: document.id, operation: [...accepted.operation], author }
      this.#journal.append(encodeRecord(record), (error) => {
        if (error) return reject(journalError(error))
        const answer = { id, revision: accepted.revision }
        reply(answer)
        this.#notices.operation(document, accepted.operation, accepted.revision, OPERATION_BY_USER, connection)
        resolve(answer)
      })
    })
  }

  acknowledge(id: string, revision: number, connection: Connection): void {
    const file = this.#opened(id, connection)
    if (!file.isBinary) refusing(() => file.history.acknowledge(connection.client.clientId, revision))
  }

  select(id: string, selection: Selection[], reason: number | undefined, connection: Connection): void {
    const file = this.#opened(id, connection)
    file.openers.set(connection, selection)
    this.#notices.selection(file, connection, selection, reason ?? SELECTION_MOVED)
  }

  /** Writes the text to its file; durable when it resolves. Without `write` only looks at what the file holds. */
  save(id: string, write: boolean, connection: Connection): Promise<void> {
    const file = this.#opened(id, connection)
    return file.disk.run(async () => {
      if (file.isBinary) await this.#readBinary(file)
      else {
        await withErrno(() => this.#readDisk(file))
        if (write && (file.missing || file.isDirty)) await this.#write(file)
        this.#notices.saved(file)
      }
    })
  }

  async #write(document: TextDocument): Promise<void> {
    this.#introduce(document)
    const { text } = document.history
    document.saving = text
    // From here to `saved` the journal alone holds the text for sure: the file may be torn.
    await this.#appended({ kind: 'saving', id: document.id })
    await withErrno(() => writeInPlace(document.path, Buffer.from(text)))
    const wasMissing = document.missing
    document.missing = false
    document.savedText = text
    document.saving = null
    await this.#appended({ kind: 'saved', id: document.id })
    if (wasMissing) await this.#workspace.adopt(document.path, document.id)
    this.#retire(document)
  }

  /** Repeats a write that a crash may have cut short. */
  async #finishSave(document: TextDocument): Promise<void> {
    const { saving } = document
    if (saving === null) return
    await writeInPlace(document.path, Buffer.from(saving))
    document.savedText = saving
    document.saving = null
    await this.#appended({ kind: 'saved', id: document.id })
  }

  /**
   * Takes over what something else wrote to the file. On a text without unsaved edits it becomes the text; unsaved edits are kept
   * and stand beside what came from the file, as if both had been typed at the same time.
   */
  async #readDisk(document: TextDocument): Promise<void> {
    const bytes = await readDiskFile(document.path)
    document.missing = bytes === null
    const disk = bytes && readText(document.path, bytes)
    // What is no text, or too long for one, is left alone until somebody saves over it.
    if (disk === null || disk.length > MAX_TEXT_LENGTH || disk === document.savedText) return
    if (disk === document.saving || disk === document.history.text || document.had(disk)) {
      document.savedText = disk
      document.saving = null
      if (document.journaled) await this.#appended({ kind: 'disk', id: document.id, savedText: disk })
      this.#notices.saved(document)
      return
    }
    this.#introduce(document)
    const { history } = document
    const [operation] = transform(diff(document.savedText, disk), diff(document.savedText, history.text))
    const accepted = history.receive(operation, history.revision)
    document.savedText = disk
    this.#tellText(document.path)
    const record: JournalRecord = {
      kind: 'disk',
      id: document.id,
      savedText: disk,
      operation: [...accepted.operation],
    }
    await new Promise<void>((resolve, reject) => {
      this.#journal.append(encodeRecord(record), (error) => {
        if (error) return reject(journalError(error))
        this.#notices.operation(document, accepted.operation, accepted.revision, OPERATION_FROM_DISK)
        this.#notices.saved(document)
        resolve()
      })
    })
  }

  async #readBinary(file: BinaryFile): Promise<void> {
    const content = await readDiskFile(file.path)
    if (content === null) return
    const hash = contentHash(content)
    if (hash === file.savedHash) return
    file.content = content
    file.savedHash = hash
    this.#notices.saved(file)
  }

  async #load(id: string): Promise<OpenFile> {
    const open = this.#files.get(id)
    const path = this.pathOf(id)
    if (path === undefined) throw new ProtocolError('INVALID_ID')
    if (open && (!open.isBinary || open.openers.size > 0)) return open
    // A document that lost its node, because the id could not be remembered, goes on under the node that has its path now.
    const homeless = [...this.#documents()].find((one) => one.path === path && !this.#workspace.pathOf(one.id))
    // Who has it open knows it by its id, and is told of it by that one.
    if (homeless) return homeless.openers.size > 0 ? homeless : this.#rename(homeless, id)
    const content = await withErrno(() => readDiskFile(path))
    if (content === null) throw fsError('ENOENT', path)
    const text = readText(path, content)
    if (text !== null && text.length > MAX_TEXT_LENGTH) throw toProtocolError(tooLong(text))
    const base = { id, path, openers: new Map<Connection, Selection[] | null>(), disk: new SerialQueue() }
    const file: OpenFile =
      text === null
        ? { ...base, isBinary: true, content, savedHash: contentHash(content) }
        : new TextDocument({ id, path, text, revision: this.#nextRevision })
    this.#files.set(id, file)
    return file
  }

  #rename(document: TextDocument, id: string): TextDocument {
    this.#files.delete(document.id)
    if (document.journaled) this.#append({ kind: 'forgotten', id: document.id })
    document.id = id
    if (document.journaled) this.#append(document.record())
    this.#files.set(id, document)
    return document
  }

  /** Looks at the disk; a file that can't be read now keeps what is known. */
  async #refresh(file: OpenFile): Promise<void> {
    await file.disk
      .run(() => (file.isBinary ? this.#readBinary(file) : this.#readDisk(file)))
      .catch((error: unknown) => this.#log.error('A file could not be read again', error, { path: file.path }))
  }

  /** Answers with a state that is durable, at its place among the operations that this client is told from now on. */
  #answerOpen(
    file: OpenFile,
    connection: Connection,
    sinceRevision: number | undefined,
    reply: (file: FileObject) => void,
  ): Promise<FileObject> {
    const state = file.isBinary ? null : replayState(file, connection.client.clientId, sinceRevision)
    return new Promise((resolve, reject) => {
      this.#journal.barrier((error) => {
        if (error) {
          // The document went back to what is durable; so does the answer.
          resolve(this.#answerOpen(file, connection, sinceRevision, reply))
          return
        }
        if (this.#connections.get(connection.client.clientId) !== connection) {
          reject(new ProtocolError('NO_ACCESS', 'The client has left'))
          return
        }
        // An idle file that was dropped in the meantime is open again.
        this.#files.set(file.id, file)
        const joins = !file.openers.has(connection)
        if (joins) {
          file.openers.set(connection, null)
          this.#tellText(file.path)
        }
        const answer = describeFile(file, state)
        reply(answer)
        if (joins) this.#notices.presence('file/join', file, connection)
        resolve(answer)
      })
    })
  }

  #leave(file: OpenFile, connection: Connection): void {
    file.openers.delete(connection)
    if (!file.isBinary) file.history.leave(connection.client.clientId)
    this.#notices.selection(file, connection, null, SELECTION_CLIENT_LEFT)
    this.#notices.presence('file/leave', file, connection)
    this.#tellText(file.path)
    this.#retire(file)
  }

  /** A file that nobody has open and that is saved needs no journal, and not many of them need memory. */
  #retire(file: OpenFile): void {
    if (file.openers.size > 0) return
    if (file.isBinary) this.#files.delete(file.id)
    else if (!file.isDirty && file.saving === null && file.journaled) {
      this.#append({ kind: 'forgotten', id: file.id })
      file.forgotten()
    }
    const idle = [...this.#documents()].filter((one) => one.openers.size === 0 && !one.journaled)
    for (const one of idle.slice(0, Math.max(0, idle.length - MAX_IDLE))) this.#drop(one)
  }

  #forget(document: TextDocument): void {
    if (document.journaled) this.#append({ kind: 'forgotten', id: document.id })
    document.journaled = false
    this.#drop(document)
  }

  #drop(document: TextDocument): void {
    this.#nextRevision = Math.max(this.#nextRevision, document.history.revision + 1)
    if (this.#files.get(document.id) === document) this.#files.delete(document.id)
  }

  /** Writes the whole document to the journal before its first operation. */
  #introduce(document: TextDocument): void {
    if (document.journaled) return
    document.journaled = true
    this.#journal.append(encodeRecord(document.record()), (error) => {
      if (!error) document.initial = null
    })
  }

  #contentChanged(path: string): void {
    for (const file of this.#files.values()) if (file.path === path) void this.#refresh(file)
  }

  #followMoves(): void {
    for (const file of this.#files.values()) {
      const path = this.#workspace.pathOf(file.id)
      if (path === undefined || path === file.path) continue
      const from = file.path
      file.path = path
      for (const moved of [from, path]) this.#tellText(moved)
      if (!file.isBinary && file.journaled) this.#append({ kind: 'path', id: file.id, path })
    }
  }

  #tellText(path: string): void {
    for (const tell of this.#textListeners) tell(path)
  }

  #opened(id: string, connection: Connection): OpenFile {
    const file = this.#files.get(id)
    if (!file?.openers.has(connection)) throw new ProtocolError('INVALID_ID', 'Open the file first')
    return file
  }

  #pathOfNode(id: string): string | undefined {
    if (this.#workspace.isFile(id)) return this.#workspace.pathOf(id)
    if (!id.startsWith(PATH_ID)) return undefined
    return this.#longPaths.get(id) ?? id.slice(PATH_ID.length)
  }

  #outsideId(path: string): string {
    const id = PATH_ID + path
    if (id.length <= MAX_ID_LENGTH) return id
    const short = PATH_ID + createHash('sha256').update(path).digest('base64url')
    this.#longPaths.set(short, path)
    return short
  }

  *#documents(): Iterable<TextDocument> {
    for (const file of this.#files.values()) if (!file.isBinary) yield file
  }

  #append(record: JournalRecord): void {
    this.#journal.append(encodeRecord(record), (error) => {
      if (error) this.#log.error('A record was not written', error, { kind: record.kind })
    })
  }

  async #appended(record: JournalRecord): Promise<void> {
    await this.#journal.appended(encodeRecord(record)).catch((error: Error) => {
      throw journalError(error)
    })
  }
}

/** An operation that does not fit is the client's to resolve: it opens the file again. */
function refusing<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (error instanceof OperationError)
      throw new ProtocolError('INVALID_PARAMS', error.message, { reason: error.code })
    throw error
  }
}

function journalError(error: Error): unknown {
  const known = toProtocolError(error)
  return known instanceof ProtocolError ? known : error
}

const contentHash = (content: Uint8Array): string => createHash('sha256').update(content).digest('base64url')

function shortText(text: string): string | null {
  return text.length > MAX_PASSING_TEXT ? null : text
}
