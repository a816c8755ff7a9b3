import { diff, isNoop, transform, type TextOperation } from '@boxyard/ot'

/** Edits of one file that a page had when it went, and the box had not accepted. */
export interface LostEdit {
  box: string
  /** Absolute path in the box. */
  path: string
  /** The text as the box was known to have it. */
  known: string
  /** The same with what was on its way: the box may have that or not. */
  sent: string
  /** The text of the page. */
  text: string
  /** Milliseconds since the epoch. */
  at: number
}

/**
 * What the edit means on the text that the box has now, whatever others have done since; undefined when the box has it all. How much of
 * it has arrived is told by the nearest text.
 */
export function operationOf(
  { known, sent, text }: Pick<LostEdit, 'known' | 'sent' | 'text'>,
  present: string,
): TextOperation | undefined {
  const distances = [known, sent, text].map((each) => distance(each, present))
  const base = [known, sent, text][distances.indexOf(Math.min(...distances))]!
  const [typed] = transform(diff(base, text), diff(base, present))
  return isNoop(typed) ? undefined : typed
}

/** Units that differ between two texts. */
function distance(before: string, after: string): number {
  let units = 0
  for (const component of diff(before, after)) {
    if (typeof component === 'string') units += component.length
    else if (component < 0) units -= component
  }
  return units
}
