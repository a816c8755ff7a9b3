import type { TreeNode, TreeOperation } from '@boxyard/protocol'
import type { FileTree, TreeChange } from '../api.ts'
import { AreaSync } from '../areaSync.ts'
import type { AreaContext } from '../areaSync.ts'
import { DevServerClientError } from '../errors.ts'
import { Emitter } from '../event.ts'
import { TreeModel } from './treeModel.ts'
import { relativePath } from './workspacePath.ts'

/** An own operation that the confirmed tree does not have yet. */
interface PendingOperation {
  operation: TreeOperation
  /** Takes it back off the tree; undefined while it does not fit. */
  revert: (() => void) | undefined
}

/** Where an entry is; undefined when it is nowhere. */
interface Place {
  path: string | undefined
  nodeType: 0 | 1 | undefined
}

/**
 * The tree that the dev server confirmed, up to `clock`, with own operations on top. Confirmed operations are applied strictly in
 * the order of their clock; to do so, the own ones are lifted off and put back.
 */
export class SyncedTree implements FileTree {
  readonly #context: AreaContext
  readonly #sync: AreaSync
  readonly #model = new TreeModel()
  readonly #changeEmitter = new Emitter<readonly TreeChange[]>()
  /** Confirmed operations that wait for the ones before them. `own` leaves the pending list when its turn comes. */
  readonly #waiting = new Map<number, { operation: TreeOperation; own: PendingOperation | undefined }>()
  #pending: PendingOperation[] = []
  #clock = 0
  #isLoaded = false
  #lastSent: Promise<unknown> = Promise.resolve()

  readonly onDidChange = this.#changeEmitter.event

  constructor(context: AreaContext) {
    this.#context = context
    const { connection } = context
    this.#sync = new AreaSync(context, 'fs', () =>
      connection.request(
        'fs/read',
        {},
        { onResult: ({ treeNodes, clock }) => this.#reset(Array.isArray(treeNodes) ? treeNodes : [], clock) },
      ),
    )
    connection.onNotification('fs/operations', ({ operations }) => {
      for (const { operation, clock } of operations) this.#waiting.set(clock, { operation, own: undefined })
      this.#catchUp()
    })
  }

  get ready(): Promise<void> {
    return this.#sync.ready
  }

  get clock(): number {
    return this.#clock
  }

  get(id: string): TreeNode | undefined {
    return this.#model.get(id)
  }

  pathOf(id: string): string | undefined {
    return this.#model.pathOf(id)
  }

  idOf(path: string): string | undefined {
    const relative = relativePath(path, this.#context.connection.instance?.workspacePath)
    return relative === undefined ? undefined : this.#model.idOf(relative)
  }

  children(id: string): TreeNode[] {
    return this.#model.children(id)
  }

  async operation(operation: TreeOperation): Promise<boolean> {
    const before = this.#pathsOf(operation)
    this.#refuseUnfit(operation)
    const pending: PendingOperation = { operation, revert: this.#model.apply(operation) }
    this.#pending.push(pending)
    this.#fire([this.#changeOf(operation, before)])
    const sent = this.#lastSent.then(() => this.#send(pending))
    this.#lastSent = sent.catch(() => undefined)
    return sent
  }

  async #send(pending: PendingOperation): Promise<boolean> {
    const { operation } = pending
    try {
      const { code } = await this.#context.connection.request(
        'fs/operation',
        { operation },
        {
          onResult: (answer) => {
            if (answer.code !== 0) return
            this.#waiting.set(answer.clock, { operation, own: pending })
            this.#catchUp()
          },
        },
      )
      if (code === 1) this.#rollBack(pending)
      return code === 0
    } catch (error) {
      this.#rollBack(pending)
      throw error
    }
  }

  #refuseUnfit(operation: TreeOperation): void {
    const missing = (id: string | undefined) => id !== undefined && !this.#model.get(id)
    if (operation.type === 'create') {
      const { parentId, newEntry } = operation
      if (missing(parentId)) throw new DevServerClientError('NO_SUCH_ENTRY', { id: parentId })
      if (this.#model.childNamed(parentId, newEntry.name)) {
        throw new DevServerClientError('NAME_EXISTS', { name: newEntry.name })
      }
      return
    }
    const node = this.#model.get(operation.id)
    if (!node) throw new DevServerClientError('NO_SUCH_ENTRY', { id: operation.id })
    if (operation.type === 'delete') return
    const { parentId = node.parentId, name = node.name } = operation
    if (parentId === undefined || missing(parentId)) {
      throw new DevServerClientError('NO_SUCH_ENTRY', { id: parentId ?? operation.id })
    }
    const there = this.#model.childNamed(parentId, name ?? '')
    if (there && there.id !== operation.id) throw new DevServerClientError('NAME_EXISTS', { name: name ?? '' })
  }

  #reset(nodes: readonly TreeNode[], clock: number): void {
    this.#liftPending()
    this.#model.reset(nodes)
    this.#clock = clock
    this.#isLoaded = true
    this.#dropPassed()
    this.#putBackPending()
    this.#changeEmitter.fire([{ type: 'reset' }])
    this.#catchUp()
  }

  #catchUp(): void {
    if (!this.#isLoaded) return
    const changes: (TreeChange | undefined)[] = []
    this.#liftPending()
    this.#dropPassed()
    this.#putBackPending()
    for (;;) {
      const next = this.#waiting.get(this.#clock + 1)
      if (!next) break
      this.#waiting.delete(this.#clock + 1)
      this.#clock += 1
      const before = this.#pathsOf(next.operation)
      this.#liftPending()
      if (next.own) this.#forget(next.own)
      const didFit = this.#model.apply(next.operation) !== undefined
      this.#putBackPending()
      if (didFit && !next.own) changes.push(this.#changeOf(next.operation, before))
    }
    this.#fire(changes)
  }

  /** Forgets operations that the tree has already, because it was read after they were accepted. Pending ones must be lifted. */
  #dropPassed(): void {
    for (const [clock, { own }] of this.#waiting) {
      if (clock > this.#clock) continue
      this.#waiting.delete(clock)
      if (own) this.#forget(own)
    }
  }

  #rollBack(pending: PendingOperation): void {
    if (!this.#pending.includes(pending)) return
    const before = this.#pathsOf(pending.operation)
    const didShow = pending.revert !== undefined
    this.#liftPending()
    this.#forget(pending)
    this.#putBackPending()
    if (didShow) this.#fire([this.#changeBack(pending.operation, before)])
  }

  #forget(pending: PendingOperation): void {
    this.#pending = this.#pending.filter((each) => each !== pending)
  }

  #liftPending(): void {
    for (const pending of this.#pending.toReversed()) pending.revert?.()
  }

  #putBackPending(): void {
    for (const pending of this.#pending) pending.revert = this.#model.apply(pending.operation)
  }

  #fire(changes: (TreeChange | undefined)[]): void {
    const known = changes.filter((change) => change !== undefined)
    if (known.length > 0) this.#changeEmitter.fire(known)
  }

  #idIn(operation: TreeOperation): string {
    return operation.type === 'create' ? operation.newEntry.id : operation.id
  }

  #pathsOf(operation: TreeOperation): Place {
    const id = this.#idIn(operation)
    return { path: this.#model.pathOf(id), nodeType: this.#model.get(id)?.type }
  }

  /** What an operation did, seen from outside; undefined when an own operation hides it. */
  #changeOf(operation: TreeOperation, before: Place): TreeChange | undefined {
    const id = this.#idIn(operation)
    const { path, nodeType } = this.#pathsOf(operation)
    if (path !== undefined && nodeType !== undefined) {
      if (before.path === undefined) return { type: 'create', id, nodeType, path }
      if (before.path !== path) return { type: 'move', id, nodeType, from: before.path, to: path }
    } else if (before.path !== undefined && before.nodeType !== undefined) {
      return { type: 'delete', id, nodeType: before.nodeType, path: before.path }
    }
    return undefined
  }

  #changeBack(operation: TreeOperation, before: Place): TreeChange | undefined {
    // Whatever a deletion took with it comes back at once.
    if (operation.type === 'delete') return { type: 'reset' }
    return this.#changeOf(operation, before)
  }
}
