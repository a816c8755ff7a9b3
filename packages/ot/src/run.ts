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
  /** Where the author's selections were before the group. */
  selections: readonly { anchor: Place; head: Place }[]
}

/** A place in the text that moves with it, also while the text around it is deleted. Lives as long as its group. */
export interface Place {
  readonly group: UndoGroup
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
export interface Run {
  length: number
  /** Known for what the local author inserted or deleted; undefined for text that is simply there. */
  text: string | undefined
  onServer: boolean
  steps: readonly PendingStep[]
  insertedBy: UndoGroup | undefined
  /** The local group that deleted it last. Text that somebody else deleted has no run: it never comes back from here. */
  deletedBy: UndoGroup | undefined
  /** Set for a run of no length that only marks a place. */
  place?: Place
}

export const NO_STEPS: readonly PendingStep[] = []

/** Collects runs from left to right, joins neighbours with the same history and leaves out what can never be seen again. */
export class RunWriter {
  readonly runs: Run[] = []

  push(run: Run): void {
    if (run.place) {
      if (!isOver(run.place.group)) this.runs.push(run)
      return
    }
    if (run.length === 0) return
    if (run.steps.length === 0) {
      if (!run.onServer && isLost(run)) return
      if (run.insertedBy?.state === 'settled') run.insertedBy = undefined
      if (run.deletedBy?.state === 'discarded') run.deletedBy = undefined
      if (run.onServer && !run.insertedBy && !run.deletedBy) run.text = undefined
    }
    const last = this.runs.at(-1)
    if (last && !last.place && haveSameHistory(last, run)) {
      last.length += run.length
      if (last.text !== undefined && run.text !== undefined) last.text += run.text
    } else {
      this.runs.push(run)
    }
  }
}

export function plainRun(length: number): Run {
  return { length, text: undefined, onServer: true, steps: NO_STEPS, insertedBy: undefined, deletedBy: undefined }
}

export function placeRun(place: Place): Run {
  return {
    length: 0,
    text: '',
    onServer: false,
    steps: NO_STEPS,
    insertedBy: undefined,
    deletedBy: undefined,
    place,
  }
}

/** Cuts a run after `count` units. The first part may be changed; the rest is undefined when nothing is left. */
export function split(run: Run, count: number): [Run, Run | undefined] {
  if (count >= run.length) return [run, undefined]
  const { text } = run
  return [
    { ...run, length: count, text: text?.slice(0, count) },
    { ...run, length: run.length - count, text: text?.slice(count) },
  ]
}

/** Shows what was hidden and the other way round: takes back an unsent flip of the same group, else adds the step. */
export function flip(run: Run, step: PendingStep): void {
  const last = run.steps.at(-1)
  if (last && !last.sent && last.group === step.group) run.steps = run.steps.slice(0, -1)
  else run.steps = [...run.steps, step]
}

export function isVisible(run: Run): boolean {
  return run.onServer === (run.steps.length % 2 === 0)
}

export function belongsTo(run: Run, group: UndoGroup): boolean {
  return run.insertedBy === group || run.deletedBy === group
}

/** Whether a run is to be seen, given the states of its groups (with one of them taken as `state`). */
export function isWanted(run: Run, group?: UndoGroup, state?: UndoGroup['state']): boolean {
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

export function knownText(run: Run): string {
  if (run.text === undefined) throw new Error('A hidden stretch of text has lost its text.')
  return run.text
}

function isOver(group: UndoGroup): boolean {
  return group.state === 'settled' || group.state === 'discarded'
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
