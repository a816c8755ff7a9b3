import { OperationBuilder } from './operation-builder.ts'
import { OperationError } from './operation-error.ts'
import { OperationReader } from './operation-reader.ts'
import { baseLength, type TextOperation } from './operation.ts'
import {
  belongsTo,
  flip,
  isVisible,
  isWanted,
  knownText,
  NO_STEPS,
  placeRun,
  plainRun,
  RunWriter,
  split,
  type PendingStep,
  type Place,
  type Run,
  type UndoGroup,
} from './run.ts'

/**
 * The local text together with everything that is needed to tell whose each part is: what the local author has inserted
 * but not yet got acknowledged, and what the local author deleted and may bring back, at the place where it was.
 *
 * All views are read from the same list of runs: the server's text, the text with the step in flight, the local text.
 * Operations for the wire are derived from it, so undo is not the inverse of an operation but a change of what is shown,
 * and there is nothing to rebase. A call passes over all runs (plain text in between is one run) and rebuilds those that
 * it changes.
 */
export class TrackedText {
  #runs: Run[]
  #serverLength: number
  #localLength: number

  constructor(length: number) {
    this.#runs = length === 0 ? [] : [plainRun(length)]
    this.#serverLength = length
    this.#localLength = length
  }

  get serverLength(): number {
    return this.#serverLength
  }

  get localLength(): number {
    return this.#localLength
  }

  /**
   * Records a local edit. `operation` fits the local text, `readText` gives that text. New text goes directly right of the
   * visible text before it, left of everything deleted there.
   */
  edit(operation: TextOperation, step: PendingStep, readText: () => string): void {
    const { index: start, reader, passed } = this.#seek(operation, isVisible)
    const writer = this.#writerAt(start)
    let index = start
    let position = passed
    const insert = () => {
      const length = reader.remaining
      const text = reader.take(length)
      writer.push({ length, text, onServer: false, steps: [step], insertedBy: step.group, deletedBy: undefined })
      this.#localLength += length
    }
    if (reader.kind === 'insert') insert()
    for (; index < this.#runs.length && !reader.isAtLastRetain; index += 1) {
      const whole = this.#runs[index]!
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
          this.#localLength -= count
        }
        writer.push(part)
        position += count
        reader.skip(count)
        if (reader.kind === 'insert') insert()
        rest = next
      }
    }
    this.#replace(start, index, writer)
  }

  /** The operation on the local text that would bring the runs of a group to its state, if it had that state. */
  preview(group: UndoGroup, state: 'applied' | 'undone'): TextOperation {
    const builder = new OperationBuilder()
    let retained = 0
    for (const run of this.#runs) {
      const visible = isVisible(run)
      const wanted = belongsTo(run, group) ? isWanted(run, group, state) : visible
      if (visible === wanted) {
        if (visible) retained += run.length
        continue
      }
      builder.retain(retained)
      retained = 0
      if (visible) builder.delete(run.length)
      else builder.insert(knownText(run))
    }
    return builder.retain(retained).build()
  }

  /** Brings the runs of a group to the group's state as part of `step`, or by taking back what was not sent yet. */
  show(group: UndoGroup, step: PendingStep): void {
    this.#update(
      (run) => belongsTo(run, group) && isVisible(run) !== isWanted(run),
      (run) => {
        flip(run, step)
        this.#localLength += isVisible(run) ? run.length : -run.length
      },
    )
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
    const { index: start, reader, passedVisible } = this.#seek(operation, (run) => run.onServer)
    const writer = this.#writerAt(start)
    const local = new OperationBuilder().retain(passedVisible)
    let index = start
    let unread = this.#localLength - passedVisible
    const insert = () => {
      const length = reader.remaining
      local.insert(reader.take(length))
      writer.push(plainRun(length))
      this.#serverLength += length
      this.#localLength += length
    }
    for (; index < this.#runs.length && !reader.isAtLastRetain; index += 1) {
      const whole = this.#runs[index]!
      const visible = isVisible(whole)
      if (visible) unread -= whole.length
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
          if (visible) {
            local.delete(count)
            this.#localLength -= count
          }
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
    this.#replace(start, index, writer)
    if (inFlight) this.#putInWireOrder(inFlight)
    return local.retain(unread).build()
  }

  /** Makes the first step ready to be sent: from here on its runs stand in the order that the wire gives them. */
  send(step: PendingStep): void {
    step.sent = true
    this.#putInWireOrder(step)
  }

  /** The operation of the first step, made for the server's text. A noop when the step has nothing left to do. */
  operationOf(step: PendingStep): TextOperation {
    const builder = new OperationBuilder()
    let retained = 0
    for (const run of this.#runs) {
      if (run.steps[0] !== step) {
        if (run.onServer) retained += run.length
        continue
      }
      builder.retain(retained)
      retained = 0
      if (run.onServer) builder.delete(run.length)
      else builder.insert(knownText(run))
    }
    return builder.retain(retained).build()
  }

  /** The server has accepted the first step: its effect is now part of the server's text. */
  acknowledge(step: PendingStep): void {
    this.#update(
      (run) => run.steps[0] === step,
      (run) => {
        run.steps = run.steps.length === 1 ? NO_STEPS : run.steps.slice(1)
        run.onServer = !run.onServer
        this.#serverLength += run.onServer ? run.length : -run.length
      },
    )
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

  /** Marks places at ascending offsets of the local text, each directly right of the visible text before it. */
  mark(offsets: readonly number[], group: UndoGroup): Place[] {
    const writer = new RunWriter()
    const places: Place[] = []
    let position = 0
    const markHere = () => {
      while (offsets[places.length] === position) {
        const place: Place = { group }
        places.push(place)
        writer.push(placeRun(place))
      }
    }
    markHere()
    for (const whole of this.#runs) {
      let rest: Run | undefined = whole
      while (rest) {
        const offset: number | undefined = isVisible(rest) ? offsets[places.length] : undefined
        const [part, next]: [Run, Run | undefined] = split(rest, offset === undefined ? rest.length : offset - position)
        writer.push(part)
        if (isVisible(part)) {
          position += part.length
          markHere()
        }
        rest = next
      }
    }
    this.#runs = writer.runs
    return places
  }

  /** Offsets of marked places in the local text. */
  offsetsOf(places: ReadonlySet<Place>): Map<Place, number> {
    const offsets = new Map<Place, number>()
    let position = 0
    for (const run of this.#runs) {
      if (run.place && places.has(run.place)) offsets.set(run.place, position)
      else if (isVisible(run)) position += run.length
    }
    return offsets
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
    let firstDeletion = -1
    let lastInsertion = -1
    for (let index = 0; index <= this.#runs.length; index += 1) {
      const run = this.#runs[index]
      if (run?.steps[0] === step) {
        if (!run.onServer) lastInsertion = index
        else if (firstDeletion === -1) firstDeletion = index
      } else if (!run || run.onServer) {
        if (firstDeletion !== -1 && lastInsertion > firstDeletion) {
          const stretch = this.#runs.slice(firstDeletion, lastInsertion + 1)
          const left = stretch.filter((one) => standsLeft(one, step))
          const right = stretch.filter((one) => !standsLeft(one, step))
          for (const [offset, one] of left.concat(right).entries()) this.#runs[firstDeletion + offset] = one
        }
        firstDeletion = -1
        lastInsertion = -1
      }
    }
  }

  /**
   * Finds where an operation begins to change a view: the run with the last unit before the change (or the first run), a
   * reader that has read up to this run, and the lengths before it in the view and in the local text.
   */
  #seek(
    operation: TextOperation,
    isInView: (run: Run) => boolean,
  ): { index: number; reader: OperationReader; passed: number; passedVisible: number } {
    const reader = new OperationReader(operation)
    const unchanged = reader.kind === 'retain' ? reader.remaining : 0
    let index = 0
    let passed = 0
    let passedVisible = 0
    for (; index < this.#runs.length; index += 1) {
      const run = this.#runs[index]!
      const inView = isInView(run)
      if (unchanged === 0 || (inView && passed + run.length >= unchanged)) break
      if (inView) passed += run.length
      if (isVisible(run)) passedVisible += run.length
    }
    if (passed > 0) reader.skip(passed)
    return { index, reader, passed, passedVisible }
  }

  /** A writer for the runs from `start` on that can join them with the run before. */
  #writerAt(start: number): RunWriter {
    const writer = new RunWriter()
    const before = this.#runs[start - 1]
    if (before) writer.push(before)
    return writer
  }

  /** Puts what was written in place of the runs from `start` up to `end`, joined with the run behind. */
  #replace(start: number, end: number, writer: RunWriter): void {
    const behind = this.#runs[end]
    if (behind) writer.push(behind)
    this.#runs = this.#runs.slice(0, Math.max(0, start - 1)).concat(writer.runs, this.#runs.slice(end + 1))
  }

  /** Changes some runs and joins or drops what has become the same or lost by it. */
  #update(isAffected: (run: Run) => boolean, change: (run: Run) => void): void {
    let start = -1
    let end = -1
    for (let index = 0; index < this.#runs.length; index += 1) {
      const run = this.#runs[index]!
      if (!isAffected(run)) continue
      change(run)
      if (start === -1) start = index
      end = index + 1
    }
    if (start === -1) return
    const writer = this.#writerAt(start)
    for (let index = start; index < end; index += 1) writer.push(this.#runs[index]!)
    this.#replace(start, end, writer)
  }
}

function standsLeft(run: Run, step: PendingStep): boolean {
  if (run.steps[0] === step) return !run.onServer
  const { group } = step
  const author = run.insertedBy
  let withGroup = false
  // A place is read when all groups before its own are in force: it goes with those, not with its own.
  if (run.place) withGroup = group.state !== 'discarded' && run.place.group.sequence > group.sequence
  else if (author) {
    withGroup = group.state === 'discarded' ? author.state === 'discarded' : author.sequence >= group.sequence
  }
  return step.kind === 'do' ? withGroup : !withGroup
}
