import {
  diff,
  DocumentHistory,
  isNoop,
  OperationError,
  parseOperation,
  transform,
  transformSelection,
} from '@boxyard/ot'
import type { TextOperation } from '@boxyard/ot'
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
import type { DocumentMessage, Room } from './room.ts'
import { serverAway } from './restStorage.ts'
import { SharedText } from './sharedText.ts'
import type { OutgoingMessage } from './sharedText.ts'
import type { UnsentText, UnsentTexts } from './storage.ts'
import type { FileNode } from './tree.ts'

/** Refusals in a row after which an edit is not sent again. */
const MOST_REFUSALS = 3

interface OpenFile {
  node: FileNode
  /** Null for a binary file. */
  history: DocumentHistory | null
  content: Uint8Array<ArrayBuffer> | null
  openers: Map<Connection, Selection[] | null>
}

/** A text that somebody edits, here or elsewhere. */
interface LiveText {
  node: FileNode
  shared: SharedText
  /** Where others have their carets, by their id in the room. */
  selections: Map<string, Selection[]>
  /** Where the last editor of this page has its carets; told when the room has the text that they are in. */
  ownSelection: { selection: Selection[] | null } | null
  saves: { resolve(): void; reject(error: Error): void; isSent: boolean }[]
  refusals: number
}

export interface DocumentsOptions {
  files: Files
  room: Room
  unsent: UnsentTexts
  /** False: the room would not take what is typed, which waits until the texts are somebody's own. */
  mayTell: boolean
  /** What an earlier page typed and the room may not have. */
  left: ReadonlyMap<string, UnsentText>
  /** The text of a file is another one now, saved or not. */
  onText(node: FileNode, text: string): void
  /** Editors opened or left a file. */
  onOpened(): void
  /** The room does not take what was typed. */
  onRefused(node: FileNode, message: string): void
}

/**
 * Files that are edited. Editors of this page talk to a history of its own; that talks to the room, where those of other pages meet.
 * An operation is on this device's disk before it is answered and told to others, until the room has it on its own.
 */
export class Documents {
  readonly #options: DocumentsOptions
  #room: Room
  #unsent: UnsentTexts
  #mayTell: boolean
  readonly #open = new Map<string, OpenFile>()
  /** By shortid. */
  readonly #live = new Map<string, LiveText>()
  /** Shortids of the texts on this device's disk. */
  readonly #kept: Set<string>
  /** Operations keep their order from arrival to answer. */
  #work: Promise<unknown> = Promise.resolve()

  constructor(options: DocumentsOptions) {
    this.#options = options
    this.#room = options.room
    this.#unsent = options.unsent
    this.#mayTell = options.mayTell
    this.#kept = new Set(options.left.keys())
    for (const node of options.files.tree.files()) {
      const unsent = options.left.get(node.shortid)
      if (unsent && !node.isBinary) this.#begin(node, new SharedText(node.shortid, { unsent }))
    }
  }

  /** The text of a file as its editors have it. */
  textOf(node: FileNode): string {
    return this.#live.get(node.shortid)?.shared.text ?? node.code
  }

  /** The files that editors of this page have open. */
  *opened(): Iterable<FileNode> {
    for (const { node, openers } of this.#open.values()) if (openers.size > 0) yield node
  }

  async open(
    node: FileNode,
    connection: Connection,
    sinceRevision: number | undefined,
    reply: (file: FileObject) => void,
  ): Promise<FileObject> {
    const content = node.isBinary ? await this.#options.files.contentOf(node) : null
    const live = node.isBinary ? null : this.#share(node)
    const file = this.#open.get(node.id) ?? {
      node,
      history: live && new DocumentHistory({ text: live.shared.text, revision: 0 }),
      content,
      openers: new Map<Connection, Selection[] | null>(),
    }
    // A binary file may have been written since somebody else opened it.
    file.content = content
    this.#open.set(node.id, file)
    if (!file.openers.has(connection)) {
      for (const other of file.openers.keys()) other.notify('file/join', presence(file, connection))
      file.openers.set(connection, null)
      if (file.openers.size === 1) this.#options.onOpened()
    }
    const openers = [...file.openers]
    const others = [...(live?.selections ?? [])].map(([id, selection]) => [id, selection] as const)
    const usernames = others.map(([id]) => [id, { username: this.#room.person(id)?.username ?? '' }] as const)
    const answer: FileObject = {
      id: node.id,
      isBinary: node.isBinary,
      content: file.history?.text ?? file.content ?? '',
      savedHash: savedHash(node.code),
      clients: Object.fromEntries([
        ...openers.map(([{ client }]) => [client.clientId, { username: client.username }] as const),
        ...usernames,
      ]),
      document: file.history && {
        revision: file.history.revision,
        clients: Object.fromEntries([
          ...openers.map(([{ client }, selection]) => [client.clientId, selection] as const),
          ...others,
        ]),
        ...replayOf(file.history, connection, sinceRevision),
      },
    }
    reply(answer)
    return answer
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
    reply: (answer: { id: string; revision: number }) => void,
  ): Promise<{ id: string; revision: number }> {
    const file = this.#opened(id, connection)
    const { history, node } = file
    if (!history) throw new ProtocolError('INVALID_ID', 'A binary file can not be edited as text')
    const client = connection.client.clientId
    const sequence = (history.lastAccepted(client)?.sequence ?? 0) + 1
    const accepted = refusing(() => history.receive(parseOperation(wire), revision, { client, sequence }))
    const live = this.#share(node)
    live.shared.edit(accepted.operation)
    moveSelections(live, accepted.operation)
    const { text } = live.shared
    const answer = { id, revision: accepted.revision }
    return this.#send(live, () => {
      reply(answer)
      this.#options.onText(node, text)
      this.#tell(file, accepted.operation, accepted.revision, OPERATION_BY_USER, connection)
      return answer
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
    const live = this.#live.get(file.node.shortid)
    if (!live) return
    live.ownSelection = { selection }
    this.#advance(live)
  }

  async save(id: string, write: boolean, connection: Connection): Promise<void> {
    const file = this.#opened(id, connection)
    const live = this.#live.get(file.node.shortid)
    if (!live || !write || (live.shared.text === file.node.code && live.shared.isSynchronized)) return this.#saved(file)
    await this.#store(live)
  }

  /** Something else than an editor writes a text: as if it had been typed at the same time, and stored. */
  async write(node: FileNode, text: string): Promise<void> {
    if (this.#room.isLost) throw serverAway()
    const live = this.#share(node)
    const [operation] = transform(diff(node.code, text), diff(node.code, live.shared.text))
    live.shared.edit(operation)
    this.#apply(live, operation, OPERATION_FROM_DISK)
    await this.#send(live, () => undefined)
    await this.#store(live)
  }

  removed(node: FileNode): void {
    if (this.#open.delete(node.id)) this.#options.onOpened()
    const live = this.#live.get(node.shortid)
    this.#live.delete(node.shortid)
    for (const save of live?.saves.splice(0) ?? []) save.reject(fileError('FILE_NOT_FOUND'))
    void this.#do(() => this.#keep(node, null))
  }

  /**
   * The files are those of a copy that is this person's own. Texts come along as they are shown here, with what is not saved; what this
   * device kept is kept for the copy before it is forgotten.
   */
  async moveTo({ room, unsent }: { room: Room; unsent: UnsentTexts }): Promise<void> {
    const before = this.#unsent
    const kept = [...this.#kept]
    this.#room = room
    this.#unsent = unsent
    this.#mayTell = true
    this.#kept.clear()
    for (const live of this.#live.values()) {
      const { shortid, code } = live.node
      const { text } = live.shared
      const fresh = { client: crypto.randomUUID(), sequence: 0, revision: null, base: code, inFlight: null, text }
      live.shared = new SharedText(shortid, text === code ? { text } : { unsent: fresh })
      live.refusals = 0
      await this.#do(() => this.#keep(live.node, live.shared.unsent()))
    }
    for (const shortid of kept) await before.delete(shortid)
  }

  /** The room is there: it is asked for every text that is edited. */
  joined(): void {
    for (const live of this.#live.values()) {
      live.refusals = 0
      this.#room.send(live.shared.question)
    }
  }

  /** Texts that others edit, so that the preview shows them too. */
  follow(shortids: readonly string[]): void {
    for (const shortid of shortids) {
      const node = this.#options.files.byShortid(shortid)
      if (node && !node.isBinary) this.#share(node)
    }
  }

  lost(): void {
    for (const live of this.#live.values()) {
      live.shared.lost()
      for (const id of live.selections.keys()) this.#selected(live, id, null)
      for (const save of live.saves.splice(0)) save.reject(serverAway())
    }
  }

  personLeft(id: string): void {
    for (const live of this.#live.values()) if (live.selections.has(id)) this.#selected(live, id, null)
  }

  /** What the room says of a text. */
  hear(message: DocumentMessage): void {
    const room = this.#room
    const { files } = this.#options
    const node = files.byShortid(message.document)
    if (message.type === 'saved' && node) files.stored(node, message.text)
    const live = this.#live.get(message.document)
    // Somebody begins to edit what nobody here has looked at; the question is answered with everything up to then.
    if (!live) return void (message.type !== 'selection' && this.follow([message.document]))
    switch (message.type) {
      case 'document': {
        const local = live.shared.opened(message)
        if (local === null) return room.send(live.shared.question)
        this.#apply(live, local, OPERATION_BY_USER)
        for (const [id, selection] of Object.entries(message.selections)) this.#selected(live, id, selection)
        this.#advance(live)
        return
      }
      case 'operation':
        return this.#following(live, () => {
          this.#apply(live, live.shared.remote(message.operation, message.revision), OPERATION_BY_USER)
          this.#advance(live)
        })
      case 'accepted':
        return this.#following(live, () => {
          live.shared.accepted(message.revision)
          live.refusals = 0
          this.#advance(live)
        })
      case 'saved':
        for (const save of live.saves.filter(({ isSent }) => isSent)) save.resolve()
        live.saves = live.saves.filter(({ isSent }) => !isSent)
        return this.#saved(this.#open.get(live.node.id))
      case 'selection':
        return this.#selected(live, message.person, message.selection)
      case 'failed':
        if (message.of === 'save') {
          for (const save of live.saves.splice(0)) save.reject(new ProtocolError('CRITICAL_ERROR', message.message))
          return
        }
        return this.#askAgain(live, message.message)
    }
  }

  #share(node: FileNode): LiveText {
    return this.#live.get(node.shortid) ?? this.#begin(node, new SharedText(node.shortid, { text: this.textOf(node) }))
  }

  #begin(node: FileNode, shared: SharedText): LiveText {
    const live: LiveText = { node, shared, selections: new Map(), ownSelection: null, saves: [], refusals: 0 }
    this.#live.set(node.shortid, live)
    this.#room.send(shared.question)
    return live
  }

  #store(live: LiveText): Promise<void> {
    if (this.#room.isLost) return Promise.reject(serverAway())
    return new Promise((resolve, reject) => {
      live.saves.push({ resolve, reject, isSent: false })
      this.#advance(live)
    })
  }

  /** Goes on with what waits for the room: the next operation, and then saves and carets. */
  #advance(live: LiveText): void {
    const room = this.#room
    if (!room.self) return
    const { shared, node } = live
    if (!shared.isSynchronized) {
      const outgoing = this.#mayTell ? shared.takeOutgoing() : null
      if (outgoing) void this.#post(live, outgoing, () => undefined)
      return
    }
    if (this.#kept.has(node.shortid)) void this.#do(() => this.#keep(node, live.shared.unsent()))
    for (const save of live.saves.filter(({ isSent }) => !isSent)) {
      save.isSent = true
      room.send({ type: 'save', document: node.shortid })
    }
    if (!live.ownSelection) return
    room.send({ type: 'select', document: node.shortid, selection: live.ownSelection.selection })
    live.ownSelection = null
  }

  /** Writes to this device's disk what the room does not have; then it is answered, and then it goes to the room. */
  #send<T>(live: LiveText, answer: () => T): Promise<T> {
    return this.#post(live, this.#room.self ? live.shared.takeOutgoing() : null, answer)
  }

  #post<T>({ node, shared }: LiveText, outgoing: OutgoingMessage | null, answer: () => T): Promise<T> {
    const room = this.#room
    const { session } = room
    const unsent = shared.unsent()
    return this.#do(async () => {
      try {
        await this.#keep(node, unsent)
        return answer()
      } finally {
        // After a lost connection the room is asked first what it has.
        if (outgoing && session === room.session) room.send(outgoing)
      }
    })
  }

  /** Takes in what comes from elsewhere. */
  #apply(live: LiveText, operation: TextOperation, reason: number): void {
    if (isNoop(operation)) return
    moveSelections(live, operation)
    const { node, shared } = live
    const file = this.#open.get(node.id)
    const accepted = file?.history?.receive(operation, file.history.revision)
    const { text } = shared
    void this.#do(async () => {
      if (file && accepted) this.#tell(file, accepted.operation, accepted.revision, reason, null)
      this.#options.onText(node, text)
    })
  }

  #tell(
    { node, openers }: OpenFile,
    operation: TextOperation,
    revision: number,
    reason: number,
    except: Connection | null,
  ): void {
    const params = { id: node.id, operation: [...operation], revision, reason }
    for (const opener of openers.keys()) if (opener !== except) opener.notify('file/documentOperation', params)
  }

  /** What does not follow on what is known is asked for again. */
  #following(live: LiveText, work: () => void): void {
    try {
      work()
    } catch (error) {
      if (!(error instanceof OperationError)) throw error
      this.#askAgain(live, error.message)
    }
  }

  /** Not for ever: what the room does not take in is kept here, and it is said. */
  #askAgain(live: LiveText, reason: string): void {
    live.refusals += 1
    live.shared.lost()
    if (live.refusals < MOST_REFUSALS) return this.#room.send(live.shared.question)
    for (const save of live.saves.splice(0)) save.reject(new ProtocolError('CRITICAL_ERROR', reason))
    this.#options.onRefused(live.node, reason)
  }

  #selected(live: LiveText, person: string, selection: Selection[] | null): void {
    if (selection) live.selections.set(person, selection)
    else if (!live.selections.delete(person)) return
    const params = {
      id: live.node.id,
      selections: { [person]: selection },
      ...(selection === null && { reason: SELECTION_CLIENT_LEFT }),
    }
    const openers = this.#open.get(live.node.id)?.openers.keys() ?? []
    // Behind the operations that it stands on.
    void this.#do(async () => {
      for (const opener of openers) opener.notify('file/documentSelection', params)
    })
  }

  #saved(file: OpenFile | undefined): void {
    if (!file) return
    const { node, content, openers } = file
    const params = {
      id: node.id,
      isBinary: node.isBinary,
      content: content ?? node.code,
      savedHash: savedHash(node.code),
    }
    for (const opener of openers.keys()) opener.notify('file/save', params)
  }

  async #keep({ shortid }: FileNode, unsent: UnsentText | null): Promise<void> {
    if (unsent) {
      await this.#unsent.put(shortid, unsent)
      this.#kept.add(shortid)
    } else if (this.#kept.has(shortid)) {
      await this.#unsent.delete(shortid)
      this.#kept.delete(shortid)
    }
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
    if (file.openers.size > 0) return
    this.#options.onOpened()
    const live = this.#live.get(file.node.shortid)
    if (!live) return
    live.ownSelection = { selection: null }
    this.#advance(live)
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

function moveSelections({ selections }: LiveText, operation: TextOperation): void {
  for (const [id, selection] of selections)
    selections.set(
      id,
      selection.map((one) => transformSelection(one, operation)),
    )
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
