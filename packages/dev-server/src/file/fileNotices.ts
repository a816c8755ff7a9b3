import type { TextOperation } from '@boxyard/ot'
import type { Selection } from '@boxyard/protocol'
import type { Connection, Connections } from '../area.ts'
import type { OpenFile, TextDocument } from './openFile.ts'

/** What clients are told of open files. */
export class FileNotices {
  readonly #connections: Connections

  constructor(connections: Connections) {
    this.#connections = connections
  }

  /** An accepted operation, to everybody but its author. */
  operation(
    document: TextDocument,
    operation: TextOperation,
    revision: number,
    reason: number,
    author?: Connection,
  ): void {
    document.moveSelections(operation)
    this.#connections.broadcast(
      'file/documentOperation',
      { id: document.id, operation: [...operation], revision, reason },
      {
        ...(author && { except: author }),
        only: (one) => document.openers.has(one) && one.subscriptions.file?.ot === true,
      },
    )
  }

  /** What the file holds now, to everybody, the saver too. */
  saved(file: OpenFile): void {
    const content = file.isBinary ? file.content : file.savedText
    this.#connections.broadcast(
      'file/save',
      { id: file.id, isBinary: file.isBinary, content, savedHash: file.savedHash },
      { only: (one) => file.openers.has(one) },
    )
  }

  selection(file: OpenFile, author: Connection, selection: Selection[] | null, reason: number): void {
    this.#connections.broadcast(
      'file/documentSelection',
      { id: file.id, selections: { [author.client.clientId]: selection }, reason },
      { except: author, only: (one) => file.openers.has(one) && one.subscriptions.file?.selection === true },
    )
  }

  presence(name: 'file/join' | 'file/leave', file: OpenFile, { client }: Connection): void {
    this.#connections.broadcast(
      name,
      { id: file.id, isBinary: file.isBinary, clientId: client.clientId, username: client.username },
      { only: (one) => one.client.clientId !== client.clientId && one.subscriptions.file?.status === true },
    )
  }
}
