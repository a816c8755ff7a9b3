import { isNoop, type TextOperation } from './operation.ts'
import type { Selection } from './position.ts'
import type { Place, UndoGroup } from './run.ts'
import type { TrackedText } from './tracked-text.ts'

/** What an undo or a redo does next: the group's key and the operation on the local text. */
export interface UndoAction {
  key: unknown
  operation: TextOperation
}

/** A done undo or redo, with where to put the author's selections in the text after it. */
export interface UndoResult extends UndoAction {
  selections: readonly Selection[]
}

/**
 * The undo and redo stacks of one author in one document. A group is what one undo takes back. Edits of other people
 * never enter the stacks: what a group still has to do is read from the tracked text when it is needed.
 */
export class UndoManager {
  readonly #tracked: TrackedText
  #undo: UndoGroup[] = []
  #redo: UndoGroup[] = []
  #isOpen = false
  #sequence = 0

  constructor(tracked: TrackedText) {
    this.#tracked = tracked
  }

  /** The group that an edit with this key belongs to: the newest one while it is open and has this key, else a new one. */
  groupFor(key: unknown, selections: readonly Selection[]): UndoGroup {
    const newest = this.#undo.at(-1)
    if (this.#isOpen && newest?.key === key && newest !== undefined) return newest
    if (this.#redo.length > 0) {
      for (const group of this.#redo) group.state = 'discarded'
      this.#redo = []
      this.#tracked.sweep()
    }
    this.#sequence += 1
    const group: UndoGroup = { key, sequence: this.#sequence, state: 'applied', selections: [] }
    this.#undo.push(group)
    if (selections.length > 0) group.selections = this.#markSelections(selections, group)
    this.#isOpen = true
    return group
  }

  /** The next edit begins a new group, whatever its key. */
  close(): void {
    this.#isOpen = false
  }

  /** Somebody else's edit ends a group that was opened without a key. A key says itself where a group ends. */
  closeUnkeyed(): void {
    if (this.#undo.at(-1)?.key === undefined) this.#isOpen = false
  }

  /** What the next undo does, or undefined when there is nothing left to take back. Changes nothing. */
  nextUndo(): UndoAction | undefined {
    return this.#next(this.#undo, 'undone')
  }

  /** What the next redo does, or undefined when there is nothing left to bring back. Changes nothing. */
  nextRedo(): UndoAction | undefined {
    return this.#next(this.#redo, 'applied')
  }

  /** Takes the newest group that has something to take back off the undo stack; passes over those that have nothing. */
  takeUndo(): { group: UndoGroup; operation: TextOperation } | undefined {
    return this.#take(this.#undo, this.#redo, 'undone')
  }

  /** The same for redo. */
  takeRedo(): { group: UndoGroup; operation: TextOperation } | undefined {
    return this.#take(this.#redo, this.#undo, 'applied')
  }

  /** Forgets all groups: what is done stays done. */
  clear(): void {
    for (const group of this.#undo) group.state = 'settled'
    for (const group of this.#redo) group.state = 'discarded'
    this.#undo = []
    this.#redo = []
    this.#isOpen = false
    this.#tracked.sweep()
  }

  /** Where the author's selections were before a group, in the text as it is now. */
  selectionsBefore(group: UndoGroup): Selection[] {
    if (group.selections.length === 0) return []
    const places = new Set(group.selections.flatMap(({ anchor, head }) => [anchor, head]))
    const offsets = this.#tracked.offsetsOf(places)
    return group.selections.map(({ anchor, head }) => ({ anchor: offsets.get(anchor)!, head: offsets.get(head)! }))
  }

  #markSelections(selections: readonly Selection[], group: UndoGroup): { anchor: Place; head: Place }[] {
    const all = selections.flatMap(({ anchor, head }) => [anchor, head])
    const offsets = [...new Set(all)].toSorted((a, b) => a - b)
    const places = new Map(this.#tracked.mark(offsets, group).map((place, index) => [offsets[index]!, place]))
    return selections.map(({ anchor, head }) => ({ anchor: places.get(anchor)!, head: places.get(head)! }))
  }

  #next(stack: readonly UndoGroup[], state: 'applied' | 'undone'): UndoAction | undefined {
    for (const group of stack.toReversed()) {
      const operation = this.#tracked.preview(group, state)
      if (!isNoop(operation)) return { key: group.key, operation }
    }
    return undefined
  }

  #take(
    from: UndoGroup[],
    to: UndoGroup[],
    state: 'applied' | 'undone',
  ): { group: UndoGroup; operation: TextOperation } | undefined {
    this.#isOpen = false
    for (let group = from.pop(); group; group = from.pop()) {
      const operation = this.#tracked.preview(group, state)
      group.state = state
      to.push(group)
      if (!isNoop(operation)) return { group, operation }
    }
    return undefined
  }
}
