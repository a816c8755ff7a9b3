import type { DiffLine } from './diffLines.ts'

export interface LinePlace {
  line: number
  side: 'LEFT' | 'RIGHT'
}

/** Where a comment on a line of a patch is; null on the lines between its parts, which bear none. */
export function linePlace({ kind, left, right }: DiffLine): LinePlace | null {
  if (kind === 'hunk') return null
  return right === null ? { line: left!, side: 'LEFT' } : { line: right, side: 'RIGHT' }
}

/** Git hosts say no side for what is on the new one. */
export function isOn(place: LinePlace | null, said: { line: number | null; side: string | null }): boolean {
  return place !== null && said.line === place.line && (said.side ?? 'RIGHT') === place.side
}
