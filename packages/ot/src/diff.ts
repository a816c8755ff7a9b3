import { OperationBuilder } from './operation-builder.ts'
import type { TextOperation } from './operation.ts'

/** Largest number of changed units (or lines) that the search for a smallest difference follows. */
const MAXIMUM_DISTANCE = 512
/** Comparisons after which the search gives up, so that a hostile pair of texts costs milliseconds, not minutes. */
const MAXIMUM_WORK = 4_000_000

/** A replaced stretch: `before[beforeStart, beforeEnd)` becomes `after[afterStart, afterEnd)`. */
interface Change {
  beforeStart: number
  beforeEnd: number
  afterStart: number
  afterEnd: number
}

/**
 * The operation that turns one text into the other: the smallest one when the texts are close, else one that replaces
 * whole changed lines, else everything between the common start and the common end. Never splits a surrogate pair.
 */
export function diff(before: string, after: string): TextOperation {
  const builder = new OperationBuilder()
  let position = 0
  for (const change of wholePairs(changes(before, after), before, after)) {
    builder.retain(change.beforeStart - position)
    builder.insert(after.slice(change.afterStart, change.afterEnd))
    builder.delete(change.beforeEnd - change.beforeStart)
    position = change.beforeEnd
  }
  return builder.retain(before.length - position).build()
}

function changes(before: string, after: string): Change[] {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1
  let common = 0
  while (
    common < shorter - start &&
    before.charCodeAt(before.length - 1 - common) === after.charCodeAt(after.length - 1 - common)
  ) {
    common += 1
  }
  const whole: Change = {
    beforeStart: start,
    beforeEnd: before.length - common,
    afterStart: start,
    afterEnd: after.length - common,
  }
  if (whole.beforeStart === whole.beforeEnd && whole.afterStart === whole.afterEnd) return []
  return byUnits(before, after, whole) ?? byLines(before, after, whole) ?? [whole]
}

/** The smallest changes inside a replaced stretch, or undefined when it is too different. */
function byUnits(before: string, after: string, whole: Change): Change[] | undefined {
  const found = shortestEdit(
    whole.beforeEnd - whole.beforeStart,
    whole.afterEnd - whole.afterStart,
    (i, j) => before.charCodeAt(whole.beforeStart + i) === after.charCodeAt(whole.afterStart + j),
  )
  return found?.map((change) => ({
    beforeStart: whole.beforeStart + change.beforeStart,
    beforeEnd: whole.beforeStart + change.beforeEnd,
    afterStart: whole.afterStart + change.afterStart,
    afterEnd: whole.afterStart + change.afterEnd,
  }))
}

/** The changed lines inside a replaced stretch, each narrowed down by units where that is cheap. */
function byLines(before: string, after: string, whole: Change): Change[] | undefined {
  const numbers = new Map<string, number>()
  const oldLines = readLines(before, whole.beforeStart, whole.beforeEnd, numbers)
  const newLines = readLines(after, whole.afterStart, whole.afterEnd, numbers)
  const found = shortestEdit(
    oldLines.numbers.length,
    newLines.numbers.length,
    (i, j) => oldLines.numbers[i] === newLines.numbers[j],
  )
  return found?.flatMap((change) => {
    const lines: Change = {
      beforeStart: oldLines.starts[change.beforeStart]!,
      beforeEnd: oldLines.starts[change.beforeEnd]!,
      afterStart: newLines.starts[change.afterStart]!,
      afterEnd: newLines.starts[change.afterEnd]!,
    }
    return byUnits(before, after, lines) ?? [lines]
  })
}

/** Each line's number (equal lines have equal numbers) and the offset of each line's start, with the end as the last. */
function readLines(
  text: string,
  start: number,
  end: number,
  known: Map<string, number>,
): { numbers: number[]; starts: number[] } {
  const numbers: number[] = []
  const starts = [start]
  let position = start
  while (position < end) {
    const newline = text.indexOf('\n', position)
    const next = newline === -1 || newline >= end ? end : newline + 1
    const line = text.slice(position, next)
    let number = known.get(line)
    if (number === undefined) {
      number = known.size
      known.set(line, number)
    }
    numbers.push(number)
    starts.push(next)
    position = next
  }
  return { numbers, starts }
}

/** Myers' greedy O(ND) search, bounded in distance and work. Undefined when a bound is met. */
function shortestEdit(
  oldLength: number,
  newLength: number,
  same: (i: number, j: number) => boolean,
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
  let work = 0
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
      work += i - start + 1
      furthest[centre + diagonal] = i
      if (i >= oldLength && j >= newLength) return backtrack(trace, oldLength, newLength)
    }
    if (work > MAXIMUM_WORK) return undefined
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

/** Widens changes that begin or end inside a surrogate pair: half a pair does not survive an encoding to UTF-8. */
function wholePairs(found: readonly Change[], before: string, after: string): Change[] {
  const result: Change[] = []
  for (const { ...change } of found) {
    if (splitsPair(before, change.beforeStart) || splitsPair(after, change.afterStart)) {
      change.beforeStart -= 1
      change.afterStart -= 1
    }
    if (splitsPair(before, change.beforeEnd) || splitsPair(after, change.afterEnd)) {
      change.beforeEnd += 1
      change.afterEnd += 1
    }
    const last = result.at(-1)
    if (last && last.beforeEnd >= change.beforeStart) {
      last.beforeEnd = change.beforeEnd
      last.afterEnd = change.afterEnd
    } else {
      result.push(change)
    }
  }
  return result
}

function splitsPair(text: string, offset: number): boolean {
  return (
    offset > 0 &&
    offset < text.length &&
    (text.charCodeAt(offset - 1) & 0xfc00) === 0xd800 &&
    (text.charCodeAt(offset) & 0xfc00) === 0xdc00
  )
}
