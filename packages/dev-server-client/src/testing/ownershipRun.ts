import { changedCharacters, OwnershipOracle, randomEdit, seededRandom } from '@boxyard/ot/testing'
import type { GroupContent } from '@boxyard/ot/testing'
import type { TextFile } from '../api.ts'
import type { DevServerClient } from '../devServerClient.ts'
import type { Author } from './author.ts'
import type { Gate } from './gate.ts'

/** One of those who edit, on a connection of their own. */
export interface Seat {
  readonly name: string
  readonly client: DevServerClient
  readonly gate: Gate
  readonly file: TextFile
  readonly author: Author
  /** Connects again after a loss. */
  reconnect(): Promise<void>
}

export interface OwnershipRunOptions {
  seed: number
  steps: number
  /** Whether connections break on the way. */
  breaks: boolean
  seats: readonly Seat[]
  /** Somebody who only looks, and is told of everything. */
  observer: Pick<Seat, 'file' | 'gate'>
  /** New text: every character that a run types occurs once. */
  type(count: number): string
}

interface Participant extends Seat {
  groups: Map<unknown, GroupContent>
  isConnected: boolean
}

/**
 * Several people edit, undo and redo one text of a real dev server, with real clients, over connections that deliver late and break. Then each takes
 * back everything. Whose each character is, is judged from the order of the dev server alone. Throws with the rule that is broken.
 */
export class OwnershipRun {
  readonly #options: OwnershipRunOptions
  readonly #random: () => number
  readonly #sendRate: number
  readonly #oracle: OwnershipOracle
  readonly #participants: Participant[]
  undos = 0
  losses = 0

  constructor(options: OwnershipRunOptions) {
    this.#options = options
    this.#random = seededRandom(options.seed)
    this.#sendRate = this.#pick([0.3, 0.2, 0.08, 0.02])
    this.#oracle = new OwnershipOracle(options.observer.file.text)
    const count = Math.min(options.seats.length, 2 + this.#below(4))
    this.#participants = options.seats
      .slice(0, count)
      .map((seat) => ({ ...seat, groups: new Map(), isConnected: true }))
  }

  async run(): Promise<void> {
    for (const { gate } of this.#participants) gate.shut()
    for (let step = 0; step < this.#options.steps; step += 1) await this.#step(this.#pick(this.#participants))
    await this.#settle()
    for (const participant of this.#participants) await this.#takeEverythingBack(participant)
    this.#oracle.checkOriginal(this.#text)
    for (const { gate } of this.#participants) gate.open()
  }

  /** The text of the dev server. */
  get #text(): string {
    return this.#options.observer.file.text
  }

  async #step(participant: Participant): Promise<void> {
    const choice = this.#random()
    if (choice < 0.3) this.#edit(participant)
    else if (choice < 0.4) this.#undo(participant)
    else if (choice < 0.46) this.#redo(participant)
    else if (choice < 0.46 + this.#sendRate) await this.#serve(participant)
    else if (choice < 0.96 || !this.#options.breaks) participant.gate.letIn()
    else if (participant.isConnected) await this.#disconnect(participant)
    else await this.#reconnect(participant)
    this.#compare(participant)
  }

  #edit({ author, groups }: Participant): void {
    const before = author.text
    const operation = randomEdit(before.length, this.#random, (count) => this.#options.type(count))
    const { inserted, deleted } = changedCharacters(operation, before)
    const key = author.edit(operation, this.#random() < 0.6)
    const content = groups.get(key) ?? { inserted: new Set(), deleted: new Set() }
    groups.set(key, content)
    for (const character of inserted) content.inserted.add(character)
    for (const character of deleted) content.deleted.add(character)
  }

  #undo({ author, groups }: Participant): boolean {
    const before = author.text
    const done = author.undo()
    if (!done) return false
    this.undos += 1
    const { inserted, deleted } = changedCharacters(done.operation, before)
    if (done.key !== undefined) this.#oracle.checkUndo(groups.get(done.key)!, inserted, deleted)
    return true
  }

  #redo({ author, groups }: Participant): boolean {
    const before = author.text
    const done = author.redo()
    if (!done) return false
    const { inserted, deleted } = changedCharacters(done.operation, before)
    if (done.key !== undefined) this.#oracle.checkUndo(groups.get(done.key)!, deleted, inserted)
    return true
  }

  /** Lets one operation on to the dev server, and waits until everybody has been told of it. */
  async #serve({ name, gate }: Participant): Promise<boolean> {
    const { observer } = this.#options
    const before = this.#text
    const known = observer.gate.told
    if (!gate.letOut()) return false
    await gate.until(() => gate.answered > known)
    const revision = gate.answered
    if (revision !== known + 1) throw new Error(`Revision ${revision} follows ${known}.`)
    const told = [observer, ...this.#participants.filter(({ isConnected }) => isConnected)]
    await Promise.all(told.map((one) => one.gate.until(() => one.gate.told >= revision)))
    const { inserted, deleted } = changedCharacters(observer.gate.operations.get(revision)!, before)
    this.#oracle.observe(name, inserted, deleted)
    return true
  }

  async #disconnect(participant: Participant): Promise<void> {
    const { gate, client } = participant
    while (gate.outgoing > 0 && this.#random() < 0.5) await this.#serve(participant)
    while (gate.incoming > 0 && this.#random() < 0.5) gate.letIn()
    participant.isConnected = false
    this.losses += 1
    const lost = new Promise<void>((resolve) => {
      const states = client.connection.onDidChangeState(({ kind }) => {
        if (kind !== 'DISCONNECTED') return
        states.dispose()
        resolve()
      })
    })
    gate.cut()
    await lost
  }

  async #reconnect(participant: Participant): Promise<void> {
    const { gate, file } = participant
    gate.open()
    const resynced = new Promise<void>((resolve) => {
      const resyncs = file.onDidResync(() => {
        resyncs.dispose()
        gate.shut()
        resolve()
      })
    })
    await participant.reconnect()
    await resynced
    if (!gate.hasReplay) throw new Error('The dev server did not replay.')
    participant.isConnected = true
  }

  #compare({ name, author, file }: Participant): void {
    if (author.text !== file.text) throw new Error(`The editor and the file of ${name} differ.`)
  }

  /** Delivers everything until all have the same. */
  async #settle(): Promise<void> {
    for (const participant of this.#participants) if (!participant.isConnected) await this.#reconnect(participant)
    for (let isBusy = true; isBusy;) {
      isBusy = false
      for (const participant of this.#participants) {
        if (await this.#serve(participant)) isBusy = true
        while (participant.gate.letIn()) isBusy = true
      }
    }
    for (const participant of this.#participants) {
      this.#compare(participant)
      const { name, file } = participant
      if (file.text !== this.#text) throw new Error(`Convergence: ${name} has another text than the dev server.`)
      if (file.syncState !== 'SYNCED') throw new Error(`Convergence: ${name} is ${file.syncState}.`)
    }
  }

  async #takeEverythingBack(participant: Participant): Promise<void> {
    const texts: string[] = []
    for (const act of [this.#undo, this.#redo, this.#undo, this.#redo, this.#undo]) {
      while (act.call(this, participant)) {
        this.#compare(participant)
        if (this.#random() < 0.5) await this.#serve(participant)
        if (this.#random() < 0.5) participant.gate.letIn()
      }
      await this.#settle()
      texts.push(this.#text)
    }
    if (texts[0] !== texts[2] || texts[0] !== texts[4])
      throw new Error('R: undoing everything again gives another text.')
    if (texts[1] !== texts[3]) throw new Error('R: redoing everything again gives another text.')
    this.#oracle.checkAllUndone(participant.name, this.#text)
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#below(list.length)]!
  }
}
