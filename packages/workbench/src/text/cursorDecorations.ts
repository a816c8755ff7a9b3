import type { Selection } from '@boxyard/protocol'
import { clientClasses } from './clientStyle.ts'

/** A stretch to mark in the text, by offsets in UTF-16 units. */
export interface CursorDecoration {
  start: number
  end: number
  classes: { selection?: string; caretBefore?: string; caretAfter?: string }
  /** Said when the pointer rests on it. */
  hover: string
}

/** The marks for the selections of one other person: the selected stretch and a caret at its head. */
export function cursorDecorations(
  clientId: string,
  name: string,
  selections: readonly Selection[],
  length: number,
): CursorDecoration[] {
  const { selection: selected, cursor } = clientClasses(clientId)
  return selections.map(({ anchor, head }) => {
    const inside = (offset: number) => Math.max(0, Math.min(offset, length))
    const start = inside(Math.min(anchor, head))
    const end = inside(Math.max(anchor, head))
    return {
      start,
      end,
      classes: {
        ...(start < end && { selection: selected }),
        ...(head < anchor ? { caretBefore: cursor } : { caretAfter: cursor }),
      },
      hover: name,
    }
  })
}
