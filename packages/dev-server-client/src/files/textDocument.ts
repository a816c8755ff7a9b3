import { ClientDocument, diff, isNoop, OperationError, parseOperation, transformSelection } from '@boxyard/ot'
import type { TextOperation, UndoAction } from '@boxyard/ot'
import { OPERATION_FROM_DISK, ProtocolError } from '@boxyard/protocol'
import type { FileObject, NotificationParams, Selection } from '@boxyard/protocol'
import type { RemoteReason, TextFile, TextSyncState, UndoGroup } from '../api.ts'
import { isConnectionFailure } from '../areaSync.ts'
import type { AreaContext } from '../areaSync.ts'
import { DevServerClientError } from '../errors.ts'
import { Emitter } from '../event.ts'
import { timings } from '../timings.ts'
import { DirtyState } from './dirtyState.ts'
import { DocumentAcks } from './documentAcks.ts'
import { isNoRoom } from './isNoRoom.ts'
import { OwnSelection } from './ownSelection.ts'
import { OWN, replayOf } from './resyncAnswer.ts'

/** Refusals in a row, without an edit accepted between them, after which a person has to decide. */
const MAXIMUM_REFUSALS = 3

export interface TextDocumentHost {
  context: AreaContext
  /** The present path of a file, as long as the tree knows it. */
  pathOf(id: string): string | undefined
  /** The dev server knows the file by another id now. */
  renamed(from: string, to: string): void
  disposed(): void
}

/** One open text: edits out, operations in, in the order of the dev server's revisions. */
export class TextDocument implements TextFile {
  readonly kind = 'text'
  readonly #host: TextDocumentHost
  readonly #dirty: DirtyState
  readonly #ownSelection: OwnSelection
  readonly #acks: DocumentAcks
  readonly #selections = new Map<string, readonly Selection[]>()
  readonly #remoteEmitter = new Emitter<{ operation: TextOperation; reason: RemoteReason }>()
  readonly #resyncEmitter = new Emitter<void>()
  readonly #saveEmitter = new Emitter<{ savedHash: string }>()
  readonly #dirtyEmitter = new Emitter<boolean>()
  readonly #syncEmitter = new Emitter<TextSyncState>()
  readonly #selectionsEmitter = new Emitter<void>()
  #document: ClientDocument
  #id: string
  #path: string
  /** Who this client was when the text was last in step. */
  #clientId: string | undefined
  #refusals = 0
  #isHalted = false
  #isResyncing = false
  #syncState: TextSyncState = 'SYNCED'
  #waiting: { run(): void; reject(error: Error): void; isSave: boolean }[] = []
  /** The disk was full when the last edit was sent. */
  #hasNoRoom = false
  #cancelRetry: (() => void) | undefined

  readonly onDidApplyRemote = this.#remoteEmitter.event
  readonly onDidResync = this.#resyncEmitter.event
  readonly onDidSave = this.#saveEmitter.event
  readonly onDidChangeDirty = this.#dirtyEmitter.event
  readonly onDidChangeSync = this.#syncEmitter.event
  readonly onDidChangeSelections = this.#selectionsEmitter.event

  constructor(host: TextDocumentHost, path: string, file: FileObject, text: string) {
    this.#host = host
    this.#id = file.id
    this.#path = path
    this.#clientId = host.context.connection.joined?.client.clientId
    this.#document = documentOf(file, text)
    this.#dirty = new DirtyState(
      { text: () => this.#document.text, length: () => this.#document.length },
      file.savedHash,
    )
    this.#ownSelection = new OwnSelection(host.context)
    this.#acks = new DocumentAcks(host.context)
    this.#takeSelections(file.document?.clients ?? {})
  }

  get id(): string {
    return this.#id
  }

  get path(): string {
    this.#path = this.#host.pathOf(this.#id) ?? this.#path
    return this.#path
  }

  get text(): string {
    return this.#document.text
  }

  get savedHash(): string {
    return this.#dirty.savedHash
  }

  get isDirty(): boolean {
    return this.#dirty.isDirty
  }

  get syncState(): TextSyncState {
    return this.#syncState
  }

  get pendingOperations(): number {
    return this.#document.pendingCount
  }

  unaccepted(): { known: string; sent: string; text: string } | undefined {
    const { known, sent } = this.#document.serverTexts
    const { text } = this
    return known === text && sent === text ? undefined : { known, sent, text }
  }

  get selections(): ReadonlyMap<string, readonly Selection[]> {
    return this.#selections
  }

  edit(operation: TextOperation, group?: UndoGroup): void {
    this.#document.local(operation, group)
    this.#changedHere(operation)
  }

  get canUndo(): boolean {
    return this.#document.nextUndo() !== undefined
  }

  get canRedo(): boolean {
    return this.#document.nextRedo() !== undefined
  }

  undo(): TextOperation | undefined {
    return this.#replayHere(this.#document.undo())
  }

  redo(): TextOperation | undefined {
    return this.#replayHere(this.#document.redo())
  }

  nextUndo(): UndoAction | undefined {
    return this.#document.nextUndo()
  }

  nextRedo(): UndoAction | undefined {
    return this.#document.nextRedo()
  }

  closeGroup(): void {
    this.#document.closeGroup()
  }

  setSelection(selections: Selection[]): void {
    this.#ownSelection.set(selections)
    this.#advance()
  }

  save(): Promise<void> {
    if (this.#isHalted) return Promise.reject(this.#outOfSync())
    return new Promise((resolve, reject) => {
      const run = () => {
        this.#host.context.connection.request('file/save', { id: this.#id }).then(() => resolve(), reject)
      }
      this.#waiting.push({ run, reject, isSave: true })
      if (this.#cancelRetry) this.#retry()
      else this.#advance()
    })
  }

  async resolve(keep: 'client' | 'server'): Promise<void> {
    const { connection } = this.#host.context
    await connection.request(
      'file/openByPath',
      { path: this.path, isResync: true },
      {
        onResult: (file) => {
          const { content } = file
          if (typeof content !== 'string') throw this.#outOfSync()
          const mine = this.text
          this.#adopt(file)
          this.#document = documentOf(file, content)
          this.#isHalted = false
          this.#refusals = 0
          if (keep === 'client') this.#document.local(diff(content, mine))
          else this.#applyHere(diff(mine, content), 'RESYNC')
          this.#resyncEmitter.fire()
          this.#advance()
        },
      },
    )
  }

  dispose(): void {
    this.#host.disposed()
  }

  /** Whether nothing typed would be lost by closing the file now. */
  get mayClose(): boolean {
    return this.#isHalted || this.#document.state === 'synchronized'
  }

  /** Calls `run` when nothing is pending any more. */
  whenSynchronized(run: () => void): void {
    this.#waiting.push({ run, reject: () => undefined, isSave: false })
    this.#advance()
  }

  /** The document is closed on the wire; nothing of it goes on. */
  close(): void {
    this.#isHalted = true
    this.#stopRetry()
    for (const waiting of this.#waiting.splice(0)) waiting.reject(this.#outOfSync())
  }

  /** The connection is lost: edits are kept until `resync`. */
  disconnected(): void {
    // The tree may know the file by another id when the connection is back.
    void this.path
    this.#stopRetry()
    this.#document.beginResync()
    this.#isResyncing = false
    this.#clearSelections()
    this.#showSync()
  }

  /** Opens the file again and goes on from what the dev server has. */
  resync(): void {
    if (this.#isResyncing) return
    this.#document.beginResync()
    this.#showSync()
    const { connection } = this.#host.context
    if (connection.state.kind !== 'CONNECTED') return
    this.#isResyncing = true
    const isSame = () => connection.state.kind === 'CONNECTED' && this.#isResyncing
    const take = { onResult: (file: FileObject) => this.#resynced(file) }
    connection
      .request('file/open', { id: this.#id, isResync: true, sinceRevision: this.#document.revision }, take)
      .catch((error: unknown) => {
        // A restarted dev server may have given the file another id.
        if (!(error instanceof ProtocolError) || !isSame()) throw error
        return connection.request('file/openByPath', { path: this.#path, isResync: true }, take)
      })
      .catch((error: Error) => {
        if (isConnectionFailure(error)) return
        this.#isResyncing = false
        this.#halt(error)
      })
  }

  joinedAgain(): void {
    this.#refusals = 0
    this.#isHalted = false
    this.#isResyncing = false
    this.#ownSelection.repeat()
    this.resync()
  }

  receiveOperation({ operation, revision, reason }: NotificationParams<'file/documentOperation'>): void {
    const document = this.#document
    // The answer of a resync has everything up to its revision; until then nothing can be placed.
    if (document.state === 'resyncing' || revision <= document.revision) return
    try {
      if (revision !== document.revision + 1) throw new OperationError('REPLAY_MISMATCH', `At revision ${revision}.`)
      const local = document.remote(parseOperation(operation))
      this.#acks.note(document.revision)
      this.#applyHere(local, reason === OPERATION_FROM_DISK ? 'DISK' : 'USER')
      this.#advance()
    } catch (error) {
      if (!(error instanceof OperationError)) throw error
      this.resync()
    }
  }

  receiveSave(savedHash: string, length: number): void {
    this.#dirty.saved(savedHash, length)
    this.#updateDirty()
    this.#saveEmitter.fire({ savedHash })
  }

  receiveSelections(selections: Record<string, readonly Selection[] | null>): void {
    this.#takeSelections(selections)
    this.#selectionsEmitter.fire()
  }

  left(clientId: string): void {
    if (this.#selections.delete(clientId)) this.#selectionsEmitter.fire()
  }

  #replayHere(action: UndoAction | undefined): TextOperation | undefined {
    if (!action) return undefined
    this.#changedHere(action.operation)
    return action.operation
  }

  #changedHere(operation: TextOperation): void {
    this.#moveSelections(operation)
    this.#updateDirty()
    this.#advance()
  }

  #applyHere(operation: TextOperation, reason: RemoteReason): void {
    if (isNoop(operation)) return
    this.#moveSelections(operation)
    this.#remoteEmitter.fire({ operation, reason })
    this.#updateDirty()
  }

  /** Sends what can be sent now and runs what waited for everything to be accepted. */
  #advance(): void {
    const { connection } = this.#host.context
    if (connection.state.kind === 'CONNECTED') {
      const outgoing = this.#document.takeOutgoing()
      if (outgoing) this.#send(outgoing.operation, outgoing.revision)
    }
    this.#showSync()
    if (this.#document.state !== 'synchronized') return
    for (const waiting of this.#waiting.splice(0)) waiting.run()
    this.#ownSelection.flush(this.#id, () => this.#document.state === 'synchronized')
    this.#acks.flush(this.#id)
  }

  #send(operation: TextOperation, base: number): void {
    const document = this.#document
    this.#host.context.connection
      .request(
        'file/documentOperation',
        { id: this.#id, operation: [...operation], revision: base },
        { onResult: ({ revision }) => document === this.#document && this.#accepted(revision) },
      )
      .catch((error: Error) => {
        if (document !== this.#document || isConnectionFailure(error)) return
        if (isNoRoom(error)) return this.#waitForRoom(error)
        this.#refusals += 1
        const isFinal = error instanceof ProtocolError && error.codeName === 'NO_ACCESS'
        if (isFinal || this.#refusals >= MAXIMUM_REFUSALS) this.#halt(error)
        else this.resync()
      })
  }

  /** Nothing is lost: the edits stay here and are sent again, later or when somebody wants to save. */
  #waitForRoom(error: Error): void {
    this.#document.beginResync()
    this.#hasNoRoom = true
    const saves = this.#waiting.filter(({ isSave }) => isSave)
    this.#waiting = this.#waiting.filter(({ isSave }) => !isSave)
    for (const { reject } of saves) reject(error)
    this.#stopRetry()
    this.#cancelRetry = this.#host.context.connection.clock.schedule(() => this.#retry(), timings.noRoom)
    this.#showSync()
  }

  #retry(): void {
    this.#stopRetry()
    this.resync()
  }

  #stopRetry(): void {
    this.#cancelRetry?.()
    this.#cancelRetry = undefined
  }

  #accepted(revision: number): void {
    // An answer that a resync has overtaken: the replay told it already.
    if (this.#document.state === 'resyncing') return
    try {
      this.#document.ack(revision)
      this.#hasNoRoom = false
      this.#refusals = 0
      this.#acks.note(this.#document.revision)
      this.#advance()
    } catch (error) {
      if (!(error instanceof OperationError)) throw error
      this.resync()
    }
  }

  #resynced(file: FileObject): void {
    const { content } = file
    this.#isResyncing = false
    if (typeof content !== 'string' || !file.document) {
      this.#halt(this.#outOfSync())
      return
    }
    const operations = this.#mayReplay(file) ? replayOf(this.#document, file) : undefined
    const { revision } = file.document
    let local: TextOperation
    try {
      local = this.#document.resync(operations ? { operations } : { text: content, revision })
    } catch (error) {
      if (!operations || !(error instanceof OperationError)) throw error
      local = this.#document.resync({ text: content, revision })
    }
    this.#clientId = this.#host.context.connection.joined?.client.clientId
    this.#adopt(file)
    this.#applyHere(local, 'RESYNC')
    this.#updateDirty()
    this.#resyncEmitter.fire()
    this.#acks.note(this.#document.revision)
    this.#advance()
  }

  /** A dev server that took this client for a new one can't tell which operations are its own. */
  #mayReplay({ id }: FileObject): boolean {
    const isSameClient = this.#clientId === this.#host.context.connection.joined?.client.clientId
    return id === this.#id && (isSameClient || !this.#document.inFlight)
  }

  /** Takes over what an answer says beside the text. */
  #adopt(file: FileObject): void {
    if (file.id !== this.#id) {
      this.#host.renamed(this.#id, file.id)
      this.#id = file.id
    }
    this.#dirty.saved(file.savedHash, undefined)
    this.#selections.clear()
    this.#takeSelections(file.document?.clients ?? {})
    this.#selectionsEmitter.fire()
  }

  #halt(error: Error): void {
    this.#document.beginResync()
    this.#isHalted = true
    this.#showSync()
    for (const waiting of this.#waiting.splice(0)) waiting.reject(this.#outOfSync())
    this.#host.context.reportFailure({ area: 'file', error })
  }

  #outOfSync(): DevServerClientError {
    return new DevServerClientError('FILE_OUT_OF_SYNC', { path: this.#path })
  }

  #updateDirty(): void {
    if (this.#dirty.update()) this.#dirtyEmitter.fire(this.#dirty.isDirty)
  }

  #showSync(): void {
    const isSynced = this.#document.state === 'synchronized'
    if (isSynced) this.#hasNoRoom = false
    const syncing = this.#hasNoRoom ? 'NO_ROOM' : 'SYNCING'
    const state = this.#isHalted ? 'OUT_OF_SYNC' : isSynced ? 'SYNCED' : syncing
    if (state === this.#syncState) return
    this.#syncState = state
    this.#syncEmitter.fire(state)
  }

  #takeSelections(selections: Record<string, readonly Selection[] | null>): void {
    const self = this.#host.context.connection.joined?.client.clientId
    const within = (offset: number) => Math.min(offset, this.#document.length)
    for (const [clientId, each] of Object.entries(selections)) {
      if (clientId === self) continue
      if (!each || each.length === 0) this.#selections.delete(clientId)
      else {
        const inText = each.map(({ anchor, head }) => ({ anchor: within(anchor), head: within(head) }))
        this.#selections.set(clientId, inText)
      }
    }
  }

  #clearSelections(): void {
    if (this.#selections.size === 0) return
    this.#selections.clear()
    this.#selectionsEmitter.fire()
  }

  #moveSelections(operation: TextOperation): void {
    this.#ownSelection.move(operation)
    for (const [clientId, selections] of this.#selections) {
      this.#selections.set(
        clientId,
        selections.map((selection) => transformSelection(selection, operation)),
      )
    }
  }
}

function documentOf(file: FileObject, text: string): ClientDocument {
  return new ClientDocument({ text, revision: file.document?.revision ?? 0, client: OWN })
}
