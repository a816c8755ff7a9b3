import { OperationBuilder } from './operation-builder.ts'
import { OperationError } from './operation-error.ts'
import { OperationReader } from './operation-reader.ts'
import { baseLength, type TextOperation } from './operation.ts'

/**
 * One undo action of the local author.
 * - `applied`: in force, can be undone. `undone`: not in force, can be redone.
 * - `settled`: in force for good. `discarded`: not in force for good.
 */
export interface UndoGroup {
  readonly key: unknown
  /** Groups made later have a larger number. */
  readonly sequence: number
  state: 'applied' | 'undone' | 'settled' | 'discarded'
}

/** One unacknowledged operation of the local author: a part of a group, its undo or its redo. */
export interface PendingStep {
  readonly group: UndoGroup
  readonly kind: 'do' | 'undo'
  /** Whether it has been handed out for sending; then it changes no more, except that the server rebases it. */
  sent: boolean
}

/**
 * A stretch of text with one history. It is in the server's text (at the client's revision) when `onServer`; each step in
 * `steps` flips that, in the order the steps are sent; the local text shows it when all are counted.
 */
interface Run {
  length: number
  /** Known for what the local author inserted or deleted; undefined for text that is simply there. */
  text: string | undefined
  onServer: boolean
  steps: readonly PendingStep[]
  insertedBy: UndoGroup | undefined
  /** The local group that deleted it last. Text that somebody else deleted has no run: it never comes back from here. */
  deletedBy: UndoGroup | undefined
}

const NO_STEPS: readonly PendingStep[] = []

/**
 * The local text together with everything that is needed to tell whose each part is: what the local author has inserted
 * but not yet got acknowledged, and what the local author deleted and may bring back, at the place where it was.
 *
 * All views are read from the same list of runs: the server's text, the text with the step in flight, the local text.
 * Operations for the wire are derived from it, so undo is not the inverse of an operation but a change of what is shown,
 * and there is nothing to rebase. Every call is linear in the number of runs (plain text in between is one run).
 */
export class TrackedText {
  #runs: Run[]
  #serverLength: number

  constructor(length: number) {
    this.#runs = length === 0 ? [] : [plainRun(length)]
    this.#serverLength = length
  }

  /** Number of runs: the measure of what each call costs. */
  get runCount(): number {
    return this.#runs.length
  }

  get serverLength(): number {
    return this.#serverLength
  }

  /**
   * Records a local edit. `operation` fits the local text, `readText` gives that text. New text goes directly right of the
   * visible text before it, left of everything deleted there.
   */
  edit(operation: TextOperation, step: PendingStep, readText: () => string): void {
    const reader = new OperationReader(operation)
    const writer = new RunWriter()
    let position = 0
    const insert = () => {
      const length = reader.remaining
      const text = reader.take(length)
      writer.push({ length, text, onServer: false, steps: [step], insertedBy: step.group, deletedBy: undefined })
    }
    if (reader.kind === 'insert') insert()
    for (const whole of this.#runs) {
      if (!isVisible(whole)) {
        writer.push(whole)
        continue
      }
      let rest: Run | undefined = whole
      while (rest) {
        const count: number = Math.min(rest.length, reader.remaining)
        const [part, next]: [Run, Run | undefined] = split(rest, count)
        if (reader.kind === 'delete') {
          part.text ??= readText().slice(position, position + count)
          part.deletedBy = step.group
          flip(part, step)
        }
        writer.push(part)
        position += count
        reader.skip(count)
        if (reader.kind === 'insert') insert()
        rest = next
      }
    }
    this.#runs = writer.runs
  }

  /** The operation on the local text that would bring the runs of a group to its state, if it had that state. */
  preview(group: UndoGroup, state: 'applied' | 'undone'): TextOperation {
    const builder = new OperationBuilder()
    for (const run of this.#runs) {
      const visible = isVisible(run)
      const wanted = belongsTo(run, group) ? isWanted(run, group, state) : visible
      if (visible && wanted) builder.retain(run.length)
      else if (visible) builder.delete(run.length)
      else if (wanted) builder.insert(knownText(run))
    }
    return builder.build()
  }

  /** Brings the runs of a group to the group's state as part of `step`, or by taking back what was not sent yet. */
  show(group: UndoGroup, step: PendingStep): void {
    const writer = new RunWriter()
    for (const run of this.#runs) {
      if (belongsTo(run, group) && isVisible(run) !== isWanted(run)) flip(run, step)
      writer.push(run)
    }
    this.#runs = writer.runs
  }

  /**
   * Takes over an operation of somebody else, made for the server's text, and returns it for the local text.
   * Its text goes right of all local text at the same place. What it deletes is deleted for good, also where the local
   * author deleted it too: the server put the other deletion first.
   * @throws OperationError LENGTH_MISMATCH; nothing is changed then
   */
  remote(operation: TextOperation, inFlight: PendingStep | undefined): TextOperation {
    if (operation.length > 0 && baseLength(operation) !== this.#serverLength) {
      throw new OperationError('LENGTH_MISMATCH', `It needs ${baseLength(operation)} units, not ${this.#serverLength}.`)
    }
    const reader = new OperationReader(operation.length === 0 ? [this.#serverLength] : operation)
    const writer = new RunWriter()
    const local = new OperationBuilder()
    const insert = () => {
      const length = reader.remaining
      local.insert(reader.take(length))
      writer.push(plainRun(length))
      this.#serverLength += length
    }
    for (const whole of this.#runs) {
      const visible = isVisible(whole)
      if (!whole.onServer) {
        writer.push(whole)
        if (visible) local.retain(whole.length)
        continue
      }
      let rest: Run | undefined = whole
      while (rest) {
        if (reader.kind === 'insert') insert()
        const count: number = Math.min(rest.length, reader.remaining)
        const [part, next]: [Run, Run | undefined] = split(rest, count)
        if (reader.kind === 'delete') {
          if (visible) local.delete(count)
          this.#serverLength -= count
        } else {
          writer.push(part)
          if (visible) local.retain(count)
        }
        reader.skip(count)
        rest = next
      }
    }
    if (reader.kind === 'insert') insert()
    this.#runs = writer.runs
    if (inFlight) this.#putInWireOrder(inFlight)
    return local.build()
  }

  /** Makes the first step ready to be sent: from here on its runs stand in the order that the wire gives them. */
  send(step: PendingStep): void {
    step.sent = true
    this.#putInWireOrder(step)
  }

  /** The operation of the first step, made for the server's text. A noop when the step has nothing left to do. */
  operationOf(step: PendingStep): TextOperation {
    const builder = new OperationBuilder()
    for (const run of this.#runs) {
      const flipped = run.steps[0] === step
      if (run.onServer) {
        if (flipped) builder.delete(run.length)
        else builder.retain(run.length)
      } else if (flipped) {
        builder.insert(knownText(run))
      }
    }
    return builder.build()
  }

  /** The server has accepted the first step: its effect is now part of the server's text. */
  acknowledge(step: PendingStep): void {
    const writer = new RunWriter()
    for (const run of this.#runs) {
      if (run.steps[0] === step) {
        run.steps = run.steps.length === 1 ? NO_STEPS : run.steps.slice(1)
        run.onServer = !run.onServer
        this.#serverLength += run.onServer ? run.length : -run.length
      }
      writer.push(run)
    }
    this.#runs = writer.runs
  }

  /** The server's text at the client's revision, given the local text. */
  serverText(localText: string): string {
    const parts: string[] = []
    let position = 0
    for (const run of this.#runs) {
      const visible = isVisible(run)
      if (run.onServer) parts.push(visible ? localText.slice(position, position + run.length) : knownText(run))
      if (visible) position += run.length
    }
    return parts.join('')
  }

  /** Drops what no group can bring back any more. Call after groups were settled or discarded. */
  sweep(): void {
    const writer = new RunWriter()
    for (const run of this.#runs) writer.push(run)
    this.#runs = writer.runs
  }

  /**
   * On the wire, text that an operation inserts stands left of text that it deletes at the same place. Between two stretches
   * that survive the step, this puts its insertions left and its deletions right, and everything else on the side of what
   * it can be visible together with: text that is visible only before the step goes with the deletions, text that is
   * visible only after it with the insertions (the other way round for an undo). As the local text shows only one of the
   * two sides, it does not change.
   */
  #putInWireOrder(step: PendingStep): void {
    let start = 0
    for (let index = 0; index <= this.#runs.length; index += 1) {
      const run = this.#runs[index]
      if (run && !(run.onServer && run.steps[0] !== step)) continue
      this.#putStretchInWireOrder(step, start, index)
      start = index + 1
    }
  }

  #putStretchInWireOrder(step: PendingStep, start: number, end: number): void {
    let firstDeletion = -1
    let lastInsertion = -1
    for (let index = start; index < end; index += 1) {
      const run = this.#runs[index]!
      if (run.steps[0] !== step) continue
      if (!run.onServer) lastInsertion = index
      else if (firstDeletion === -1) firstDeletion = index
    }
    if (firstDeletion === -1 || lastInsertion < firstDeletion) return
    const stretch = this.#runs.slice(firstDeletion, lastInsertion + 1)
    const left = stretch.filter((run) => standsLeft(run, step))
    const right = stretch.filter((run) => !standsLeft(run, step))
    this.#runs.splice(firstDeletion, stretch.length, ...left, ...right)
  }
}

function standsLeft(run: Run, step: PendingStep): boolean {
  if (run.steps[0] === step) return !run.onServer
  const { group } = step
  const author = run.insertedBy
  const withGroup =
    author !== undefined &&
    (group.state === 'discarded' ? author.state === 'discarded' : author.sequence >= group.sequence)
  return step.kind === 'do' ? withGroup : !withGroup
}

/** Collects runs from left to right, joins neighbours with the same history and leaves out what can never be seen again. */
class RunWriter {
  readonly runs: Run[] = []

  push(run: Run): void {
    if (run.length === 0) return
    if (run.steps.length === 0) {
      if (!run.onServer && isLost(run)) return
      if (run.insertedBy?.state === 'settled') run.insertedBy = undefined
      if (run.deletedBy?.state === 'discarded') run.deletedBy = undefined
      if (run.onServer && !run.insertedBy && !run.deletedBy) run.text = undefined
    }
    const last = this.runs.at(-1)
    if (last && haveSameHistory(last, run)) {
      last.length += run.length
      if (last.text !== undefined && run.text !== undefined) last.text += run.text
    } else {
      this.runs.push(run)
    }
  }
}

function plainRun(length: number): Run {
  return { length, text: undefined, onServer: true, steps: NO_STEPS, insertedBy: undefined, deletedBy: undefined }
}

/** Cuts a run after `count` units. The first part may be changed; the rest is undefined when nothing is left. */
function split(run: Run, count: number): [Run, Run | undefined] {
  if (count >= run.length) return [run, undefined]
  const { text } = run
  return [
    { ...run, length: count, text: text?.slice(0, count) },
    { ...run, length: run.length - count, text: text?.slice(count) },
  ]
}

/** Shows what was hidden and the other way round: takes back an unsent flip of the same group, else adds the step. */
function flip(run: Run, step: PendingStep): void {
  const last = run.steps.at(-1)
  if (last && !last.sent && last.group === step.group) run.steps = run.steps.slice(0, -1)
  else run.steps = [...run.steps, step]
}

function isVisible(run: Run): boolean {
  return run.onServer === (run.steps.length % 2 === 0)
}

function belongsTo(run: Run, group: UndoGroup): boolean {
  return run.insertedBy === group || run.deletedBy === group
}

/** Whether a run is to be seen, given the states of its groups (with one of them taken as `state`). */
function isWanted(run: Run, group?: UndoGroup, state?: UndoGroup['state']): boolean {
  const inForce = (one: UndoGroup) => {
    const current = one === group && state !== undefined ? state : one.state
    return current === 'applied' || current === 'settled'
  }
  return (!run.insertedBy || inForce(run.insertedBy)) && !(run.deletedBy && inForce(run.deletedBy))
}

/** Whether a run that is nowhere to be seen can never be seen again. */
function isLost(run: Run): boolean {
  return (
    run.insertedBy?.state === 'discarded' ||
    run.deletedBy?.state === 'settled' ||
    (run.insertedBy !== undefined && run.insertedBy === run.deletedBy)
  )
}

function knownText(run: Run): string {
  if (run.text === undefined) throw new Error('A hidden stretch of text has lost its text.')
  return run.text
}

function haveSameHistory(a: Run, b: Run): boolean {
  return (
    a.onServer === b.onServer &&
    a.insertedBy === b.insertedBy &&
    a.deletedBy === b.deletedBy &&
    (a.text === undefined) === (b.text === undefined) &&
    a.steps.length === b.steps.length &&
    a.steps.every((step, index) => step === b.steps[index])
  )
}
