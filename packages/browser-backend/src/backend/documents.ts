import { diff, DocumentHistory, OperationError, parseOperation, transform } from '@boxyard/ot'
import {
  OPERATION_BY_USER,
  OPERATION_FROM_DISK,
  ProtocolError,
  savedHash,
  SELECTION_CLIENT_LEFT,
} from '@boxyard/protocol'
import type { FileObject, Selection } from '@boxyard/protocol'
import type { Connection } from './connection.ts'
import { fileError } from './errors.ts'
import type { Files } from './files.ts'
import type { UnsavedText, UnsavedTexts } from './storage.ts'
import type { FileNode } from './tree.ts'

interface OpenFile {
  node: FileNode
  /** Null for a binary file. */
  history: DocumentHistory | null
  content: Uint8Array<ArrayBuffer> | null
  openers: Map<Connection, Selection[] | null>
}

export interface DocumentsOptions {
  files: Files
  unsaved: UnsavedTexts
  /** What was typed before this page and never saved. */
  left: ReadonlyMap<string, UnsavedText>
  /** The text of a file is another one now, saved or not. */
  onText(node: FileNode, text: string): void
}

/** Files that are edited. An operation is on this device's disk before it is answered and told to others. */
export class Documents {
  readonly #options: DocumentsOptions
  readonly #open = new Map<string, OpenFile>()
  readonly #left: Map<string, UnsavedText>
  /** Operations keep their order from arrival to answer. */
  #work: Promise<unknown> = Promise.resolve()

  constructor(options: DocumentsOptions) {
    this.#options = options
    this.#left = new Map(options.left)
  }

  /** The text of a file as its editors have it. */
  textOf(node: FileNode): string {
    return this.#open.get(node.id)?.history?.text ?? this.#unsavedText(node)
  }

  async open(node: FileNode, connection: Connection, sinceRevision: number | undefined): Promise<FileObject> {
    const content = node.isBinary ? await this.#options.files.contentOf(node) : null
    const file = this.#open.get(node.id) ?? {
      node,
      history: node.isBinary ? null : new DocumentHistory({ text: this.#unsavedText(node), revision: 0 }),
      content,
      openers: new Map<Connection, Selection[] | null>(),
    }
    this.#open.set(node.id, file)
    if (!file.openers.has(connection)) {
      for (const other of file.openers.keys()) other.notify('file/join', presence(file, connection))
      file.openers.set(connection, null)
    }
    const openers = [...file.openers]
    return {
      id: node.id,
      isBinary: node.isBinary,
      content: file.history?.text ?? file.content ?? '',
      savedHash: savedHash(node.code),
      clients: Object.fromEntries(openers.map(([{ client }]) => [client.clientId, { username: client.username }])),
      document: file.history && {
        revision: file.history.revision,
        clients: Object.fromEntries(openers.map(([{ client }, selection]) => [client.clientId, selection])),
        ...replayOf(file.history, connection, sinceRevision),
      },
    }
  }

  close(id: string, connection: Connection): void {
    const file = this.#opened(id, connection)
    this.#leave(file, connection)
  }

  left(connection: Connection): void {
    for (const file of this.#open.values()) if (file.openers.has(connection)) this.#leave(file, connection)
  }

  receive(
    id: string,
    wire: readonly (number | string)[],
    revision: number,
    connection: Connection,
  ): Promise<{ id: string; revision: number }> {
    const file = this.#opened(id, connection)
    const { history, node } = file
    if (!history) throw new ProtocolError('INVALID_ID', 'A binary file can not be edited as text')
    const client = connection.client.clientId
    const sequence = (history.lastAccepted(client)?.sequence ?? 0) + 1
    const accepted = refusing(() => history.receive(parseOperation(wire), revision, { client, sequence }))
    const { text } = history
    return this.#do(async () => {
      await this.#keep(node, text)
      this.#options.onText(node, text)
      const params = { id, operation: [...accepted.operation], revision: accepted.revision, reason: OPERATION_BY_USER }
      for (const other of file.openers.keys()) if (other !== connection) other.notify('file/documentOperation', params)
      return { id, revision: accepted.revision }
    })
  }

  acknowledge(id: string, revision: number, connection: Connection): void {
    const { history } = this.#opened(id, connection)
    if (history) refusing(() => history.acknowledge(connection.client.clientId, revision))
  }

  select(id: string, selection: Selection[], reason: number | undefined, connection: Connection): void {
    const file = this.#opened(id, connection)
    file.openers.set(connection, selection)
    const params = {
      id,
      selections: { [connection.client.clientId]: selection },
      ...(reason !== undefined && { reason }),
    }
    for (const other of file.openers.keys()) if (other !== connection) other.notify('file/documentSelection', params)
  }

  async save(id: string, write: boolean, connection: Connection): Promise<void> {
    const file = this.#opened(id, connection)
    if (!file.history || !write) return this.#saved(file)
    const { history, node } = file
    await this.#do(async () => {
      const { text } = history
      if (text !== node.code) await this.#options.files.saveText(node, text)
      // What was typed while it was stored is still unsaved.
      if (history.text === text) await this.#forget(node)
      else await this.#keep(node, history.text)
    })
    this.#saved(file)
  }

  /** Something else has written the file: as if it had been typed at the same time. */
  written(node: FileNode, before: string): void {
    const file = this.#open.get(node.id)
    if (!file?.history || file.history.text === node.code) return
    const { history } = file
    const [operation] = transform(diff(before, node.code), diff(before, history.text))
    const accepted = history.receive(operation, history.revision)
    const params = {
      id: node.id,
      operation: [...accepted.operation],
      revision: accepted.revision,
      reason: OPERATION_FROM_DISK,
    }
    for (const opener of file.openers.keys()) opener.notify('file/documentOperation', params)
    this.#saved(file)
    this.#options.onText(node, history.text)
  }

  removed(node: FileNode): void {
    this.#open.delete(node.id)
    void this.#do(() => this.#forget(node))
  }

  #saved({ node, content, openers }: OpenFile): void {
    const params = {
      id: node.id,
      isBinary: node.isBinary,
      content: content ?? node.code,
      savedHash: savedHash(node.code),
    }
    for (const opener of openers.keys()) opener.notify('file/save', params)
  }

  #unsavedText(node: FileNode): string {
    const left = this.#left.get(node.shortid)
    if (!left || node.isBinary) return node.code
    if (left.base === node.code) return left.text
    // Saved elsewhere meanwhile: both stay, as if they had been typed at the same time.
    const [operation] = transform(diff(left.base, node.code), diff(left.base, left.text))
    const history = new DocumentHistory({ text: left.text, revision: 0 })
    history.receive(operation, 0)
    return history.text
  }

  async #keep(node: FileNode, text: string): Promise<void> {
    if (text === node.code) return this.#forget(node)
    const unsaved = { base: node.code, text }
    await this.#options.unsaved.put(node.shortid, unsaved)
    this.#left.set(node.shortid, unsaved)
  }

  async #forget(node: FileNode): Promise<void> {
    if (!this.#left.has(node.shortid)) return
    await this.#options.unsaved.delete(node.shortid)
    this.#left.delete(node.shortid)
  }

  #leave(file: OpenFile, connection: Connection): void {
    file.openers.delete(connection)
    file.history?.leave(connection.client.clientId)
    for (const other of file.openers.keys()) {
      other.notify('file/documentSelection', {
        id: file.node.id,
        selections: { [connection.client.clientId]: null },
        reason: SELECTION_CLIENT_LEFT,
      })
      other.notify('file/leave', presence(file, connection))
    }
  }

  #opened(id: string, connection: Connection): OpenFile {
    const file = this.#open.get(id)
    if (!file) throw fileError('FILE_NOT_FOUND')
    if (!file.openers.has(connection)) throw new ProtocolError('INVALID_ID', 'Open the file first')
    return file
  }

  #do<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(work)
    this.#work = done.catch(() => undefined)
    return done
  }
}

function presence({ node }: OpenFile, { client }: Connection) {
  return { id: node.id, isBinary: node.isBinary, clientId: client.clientId, username: client.username }
}

function replayOf(history: DocumentHistory, { client }: Connection, sinceRevision: number | undefined) {
  if (sinceRevision === undefined || sinceRevision < history.oldestRevision || sinceRevision > history.revision)
    return {}
  const replay = history.operationsSince(sinceRevision).map(({ operation, revision, author }) => ({
    operation: [...operation],
    revision,
    own: author?.client === client.clientId,
  }))
  return { replay }
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
