import type { DiffLine } from './diffLines.ts'
import { isOn, linePlace } from './linePlace.ts'

/** Those of the comments that stand on no line of a patch: their lines have changed since they were written. */
export function commentsElsewhere<Comment extends { line: number | null; side: string | null }>(
  lines: readonly DiffLine[],
  comments: readonly Comment[],
): Comment[] {
  const places = lines.map(linePlace)
  return comments.filter((comment) => !places.some((place) => isOn(place, comment)))
}
