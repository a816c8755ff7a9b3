import type { FileObject } from '@boxyard/protocol'
import type { FilesArea, FileTree, OpenFile } from '../api.ts'
import { isConnectionFailure, untilAnswered } from '../areaSync.ts'
import type { AreaContext } from '../areaSync.ts'
import { canonicalPath } from '../fs/workspacePath.ts'
import { timings } from '../timings.ts'
import { BinaryDocument } from './binaryDocument.ts'
import { TextDocument } from './textDocument.ts'

/** An open file and how many hold it. */
interface Entry {
  readonly document: TextDocument | BinaryDocument
  holders: number
  cancelClose: (() => void) | undefined
}

/** The files that are open for editing together. */
export class Files implements FilesArea {
  readonly #context: AreaContext
  readonly #tree: FileTree
  readonly #byId = new Map<string, Entry>()
  /** Files that are being opened, by path; a second open of the same one waits for the first. */
  readonly #opening = new Map<string, Promise<Entry>>()
  /** A file that is being closed must not be opened again before the answer. */
  readonly #closing = new Map<string, Promise<void>>()

  constructor(context: AreaContext, tree: FileTree) {
    this.#context = context
    this.#tree = tree
    const { connection } = context
    connection.onDidChangeState(({ kind }) => {
      if (kind !== 'CONNECTED') for (const document of this.#texts()) document.disconnected()
    })
    connection.onDidJoin(() => {
      for (const document of this.#documents()) {
        if (document instanceof TextDocument) document.joinedAgain()
        else this.#readAgain(document)
      }
    })
    connection.onNotification('file/documentOperation', (change) => this.#text(change.id)?.receiveOperation(change))
    connection.onNotification('file/documentSelection', ({ id, selections }) =>
      this.#text(id)?.receiveSelections(selections),
    )
    connection.onNotification('file/leave', ({ id, clientId }) => this.#text(id)?.left(clientId))
    connection.onNotification('client/disconnected', ({ clientId }) => {
      for (const document of this.#texts()) document.left(clientId)
    })
    connection.onNotification('file/save', ({ id, content, savedHash }) => {
      const document = this.#byId.get(id)?.document
      if (document instanceof TextDocument && typeof content === 'string') {
        document.receiveSave(savedHash, content.length)
      } else if (document instanceof BinaryDocument && typeof content !== 'string') {
        document.replace(content, savedHash)
      }
    })
  }

  async open(path: string): Promise<OpenFile> {
    const canonical = canonicalPath(path, this.#context.connection.instance?.workspacePath)
    const known = this.#openAt(canonical)
    if (known) return this.#hold(known)
    let opening = this.#opening.get(canonical)
    if (!opening) {
      opening = this.#request(canonical).finally(() => this.#opening.delete(canonical))
      this.#opening.set(canonical, opening)
    }
    return this.#hold(await opening)
  }

  async #request(path: string): Promise<Entry> {
    await this.#closing.get(path)
    // Opening twice is opening once, so a lost connection only delays it.
    return untilAnswered(this.#context.connection, () => this.#requestOnce(path))
  }

  async #requestOnce(path: string): Promise<Entry> {
    let entry: Entry | undefined
    // The document exists before the next frame is read: its first operation may stand right behind the answer.
    const file = await this.#context.connection.request(
      'file/openByPath',
      { path },
      { onResult: (opened) => (entry = this.#take(path, opened)) },
    )
    return entry ?? this.#take(path, file)
  }

  #take(path: string, file: FileObject): Entry {
    const present = this.#byId.get(file.id)
    if (present) return present
    const entry: Entry = { document: this.#documentOf(path, file), holders: 0, cancelClose: undefined }
    this.#byId.set(file.id, entry)
    return entry
  }

  #documentOf(path: string, file: FileObject): TextDocument | BinaryDocument {
    const { content } = file
    const host = {
      context: this.#context,
      pathOf: (id: string) => this.#tree.pathOf(id),
      renamed: (from: string, to: string) => this.#rename(from, to),
      disposed: () => this.#release(document),
    }
    const document: TextDocument | BinaryDocument =
      typeof content === 'string'
        ? new TextDocument(host, path, file, content)
        : new BinaryDocument(host, path, { ...file, content })
    return document
  }

  #hold(entry: Entry): OpenFile {
    entry.holders += 1
    entry.cancelClose?.()
    entry.cancelClose = undefined
    return entry.document
  }

  #release(document: TextDocument | BinaryDocument): void {
    const entry = this.#byId.get(document.id)
    if (!entry || entry.document !== document || entry.holders === 0) return
    entry.holders -= 1
    if (entry.holders > 0) return
    entry.cancelClose = this.#context.connection.clock.schedule(() => {
      entry.cancelClose = undefined
      this.#closeWhenSafe(entry)
    }, timings.fileClose)
  }

  /** What was typed reaches the dev server before the file is closed. */
  #closeWhenSafe(entry: Entry): void {
    const { document } = entry
    if (entry.holders > 0 || this.#byId.get(document.id) !== entry) return
    if (document instanceof TextDocument) {
      if (!document.mayClose) {
        document.whenSynchronized(() => this.#closeWhenSafe(entry))
        return
      }
      document.close()
    }
    this.#byId.delete(document.id)
    const { connection, reportFailure } = this.#context
    // What a lost connection had open is closed with it.
    if (connection.state.kind !== 'CONNECTED') return
    const { path } = document
    const closing = connection
      .request('file/close', { id: document.id })
      .then(
        () => undefined,
        (error: Error) => {
          if (!isConnectionFailure(error)) reportFailure({ area: 'file', error })
        },
      )
      .finally(() => this.#closing.delete(path))
    this.#closing.set(path, closing)
  }

  #readAgain(document: BinaryDocument): void {
    this.#context.connection
      .request(
        'file/openByPath',
        { path: document.path, isResync: true },
        {
          onResult: ({ content, savedHash }) => {
            if (typeof content !== 'string') document.replace(content, savedHash)
          },
        },
      )
      .catch((error: Error) => {
        if (!isConnectionFailure(error)) this.#context.reportFailure({ area: 'file', error })
      })
  }

  #rename(from: string, to: string): void {
    const entry = this.#byId.get(from)
    if (!entry) return
    this.#byId.delete(from)
    this.#byId.set(to, entry)
  }

  #openAt(path: string): Entry | undefined {
    const id = this.#tree.idOf(path)
    const byId = id === undefined ? undefined : this.#byId.get(id)
    return byId ?? [...this.#byId.values()].find(({ document }) => document.path === path)
  }

  #text(id: string): TextDocument | undefined {
    const document = this.#byId.get(id)?.document
    return document instanceof TextDocument ? document : undefined
  }

  #documents(): (TextDocument | BinaryDocument)[] {
    return [...this.#byId.values()].map(({ document }) => document)
  }

  #texts(): TextDocument[] {
    return this.#documents().filter((document) => document instanceof TextDocument)
  }
}
