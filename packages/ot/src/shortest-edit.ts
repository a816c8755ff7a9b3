/** Largest number of changed units (or lines) that the search for a smallest difference follows. */
const MAXIMUM_DISTANCE = 512
/** Comparisons after which a search gives up, so that a hostile pair of texts costs milliseconds, not minutes. */
export const MAXIMUM_WORK = 4_000_000

/** Comparisons that one search, or several together, may still make. */
export interface Budget {
  comparisons: number
}

/** A replaced stretch: `before[beforeStart, beforeEnd)` becomes `after[afterStart, afterEnd)`. */
export interface Change {
  beforeStart: number
  beforeEnd: number
  afterStart: number
  afterEnd: number
}

/** Myers' greedy O(ND) search, bounded in distance and work. Undefined when a bound is met. */
export function shortestEdit(
  oldLength: number,
  newLength: number,
  same: (i: number, j: number) => boolean,
  budget: Budget,
): Change[] | undefined {
  if (oldLength === 0 || newLength === 0) {
    return [{ beforeStart: 0, beforeEnd: oldLength, afterStart: 0, afterEnd: newLength }]
  }
  const limit = Math.min(oldLength + newLength, MAXIMUM_DISTANCE)
  if (Math.abs(oldLength - newLength) > limit) return undefined
  // furthest[centre + k] is the furthest old index reached on diagonal k = i - j.
  const centre = limit + 1
  const furthest = new Int32Array(2 * limit + 3)
  const trace: Int32Array[] = []
  for (let distance = 0; distance <= limit; distance += 1) {
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      const fromInsert = furthest[centre + diagonal + 1]!
      const fromDelete = furthest[centre + diagonal - 1]!
      let i = diagonal === -distance || (diagonal !== distance && fromDelete < fromInsert) ? fromInsert : fromDelete + 1
      let j = i - diagonal
      const start = i
      while (i < oldLength && j < newLength && same(i, j)) {
        i += 1
        j += 1
      }
      budget.comparisons -= i - start + 1
      furthest[centre + diagonal] = i
      if (i >= oldLength && j >= newLength) return backtrack(trace, oldLength, newLength)
    }
    if (budget.comparisons < 0) return undefined
    trace.push(furthest.slice(centre - distance, centre + distance + 1))
  }
  return undefined
}

/** Reads the path of a finished search from its end and joins its steps to changes. */
function backtrack(trace: readonly Int32Array[], oldLength: number, newLength: number): Change[] {
  const found: Change[] = []
  let i = oldLength
  let j = newLength
  for (let distance = trace.length; distance > 0; distance -= 1) {
    const reached = trace[distance - 1]!
    const diagonal = i - j
    const at = diagonal + distance - 1
    const inserted = diagonal === -distance || (diagonal !== distance && reached[at - 1]! < reached[at + 1]!)
    const previousDiagonal = inserted ? diagonal + 1 : diagonal - 1
    const beforeStart = reached[previousDiagonal + distance - 1]!
    const afterStart = beforeStart - previousDiagonal
    const beforeEnd = inserted ? beforeStart : beforeStart + 1
    const afterEnd = inserted ? afterStart + 1 : afterStart
    const next = found.at(-1)
    if (next && next.beforeStart === beforeEnd && next.afterStart === afterEnd) {
      next.beforeStart = beforeStart
      next.afterStart = afterStart
    } else {
      found.push({ beforeStart, beforeEnd, afterStart, afterEnd })
    }
    i = beforeStart
    j = afterStart
  }
  return found.toReversed()
}
