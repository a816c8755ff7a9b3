import { OperationBuilder } from './operation-builder.ts'
import type { TextOperation } from './operation.ts'
import { MAXIMUM_WORK, shortestEdit, type Budget, type Change } from './shortest-edit.ts'

/**
 * The operation that turns one text into the other: the smallest one when the texts are close, else one that replaces
 * what differs between the lines they have in common. Never splits a surrogate pair. The work is bounded.
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
  const all: Change = { beforeStart: 0, beforeEnd: before.length, afterStart: 0, afterEnd: after.length }
  const whole = withoutCommonEnds(before, after, all)
  if (whole.beforeStart === whole.beforeEnd && whole.afterStart === whole.afterEnd) return []
  return byUnits(before, after, whole, { comparisons: MAXIMUM_WORK }) ?? byLines(before, after, whole)
}

function withoutCommonEnds(before: string, after: string, change: Change): Change {
  let { beforeStart, beforeEnd, afterStart, afterEnd } = change
  while (
    beforeStart < beforeEnd &&
    afterStart < afterEnd &&
    before.charCodeAt(beforeStart) === after.charCodeAt(afterStart)
  ) {
    beforeStart += 1
    afterStart += 1
  }
  while (
    beforeStart < beforeEnd &&
    afterStart < afterEnd &&
    before.charCodeAt(beforeEnd - 1) === after.charCodeAt(afterEnd - 1)
  ) {
    beforeEnd -= 1
    afterEnd -= 1
  }
  return { beforeStart, beforeEnd, afterStart, afterEnd }
}

/** The smallest changes inside a replaced stretch, or undefined when it is too different. */
function byUnits(before: string, after: string, stretch: Change, budget: Budget): Change[] | undefined {
  return shortestEdit(
    stretch.beforeEnd - stretch.beforeStart,
    stretch.afterEnd - stretch.afterStart,
    (i, j) => before.charCodeAt(stretch.beforeStart + i) === after.charCodeAt(stretch.afterStart + j),
    budget,
  )?.map((change) => moved(change, stretch))
}

/** The changed lines inside a replaced stretch, each narrowed down where that is cheap. */
function byLines(before: string, after: string, stretch: Change): Change[] {
  const whole = inWholeLines(before, stretch)
  const numbers = new Map<string, number>()
  const oldLines = readLines(before, whole.beforeStart, whole.beforeEnd, numbers)
  const newLines = readLines(after, whole.afterStart, whole.afterEnd, numbers)
  const forLines: Budget = { comparisons: MAXIMUM_WORK }
  const forUnits: Budget = { comparisons: MAXIMUM_WORK }
  const toUnits = (lines: Change): Change => ({
    beforeStart: oldLines.starts[lines.beforeStart]!,
    beforeEnd: oldLines.starts[lines.beforeEnd]!,
    afterStart: newLines.starts[lines.afterStart]!,
    afterEnd: newLines.starts[lines.afterEnd]!,
  })
  return gapsBetweenUniqueLines(oldLines.numbers, newLines.numbers).flatMap((gap) => {
    const found = shortestEdit(
      gap.beforeEnd - gap.beforeStart,
      gap.afterEnd - gap.afterStart,
      (i, j) => oldLines.numbers[gap.beforeStart + i] === newLines.numbers[gap.afterStart + j],
      forLines,
    )
    const changed = found?.map((change) => moved(change, gap)) ?? [gap]
    return changed.flatMap((lines) => {
      const stretch = toUnits(lines)
      const units = byUnits(before, after, stretch, forUnits)
      if (units) return units
      const count = lines.beforeEnd - lines.beforeStart
      if (count !== lines.afterEnd - lines.afterStart) return [withoutCommonEnds(before, after, stretch)]
      // As many lines as before, all changed: most likely each was changed in its place, as a formatter does.
      return Array.from({ length: count }, (_, index) => {
        const [beforeStart, afterStart] = [lines.beforeStart + index, lines.afterStart + index]
        const line = toUnits({ beforeStart, beforeEnd: beforeStart + 1, afterStart, afterEnd: afterStart + 1 })
        return withoutCommonEnds(before, after, line)
      })
    })
  })
}

/** Widens a stretch with common text on both sides to whole lines. */
function inWholeLines(before: string, { beforeStart, beforeEnd, afterStart, afterEnd }: Change): Change {
  const start = beforeStart === 0 ? 0 : before.lastIndexOf('\n', beforeStart - 1) + 1
  const newline = before.indexOf('\n', beforeEnd)
  const end = newline === -1 ? before.length : newline + 1
  return {
    beforeStart: start,
    beforeEnd: end,
    afterStart: afterStart - (beforeStart - start),
    afterEnd: afterEnd + (end - beforeEnd),
  }
}

/** What lies between the lines that occur once in both texts, in the longest order that they have in common. */
function gapsBetweenUniqueLines(oldLines: readonly number[], newLines: readonly number[]): Change[] {
  const oldPlaces = uniquePlaces(oldLines)
  const newPlaces = uniquePlaces(newLines)
  const common: { before: number; after: number }[] = []
  for (const [line, before] of oldPlaces) {
    const after = newPlaces.get(line)
    if (before !== undefined && after !== undefined) common.push({ before, after })
  }
  const gaps: Change[] = []
  let beforeStart = 0
  let afterStart = 0
  for (const { before, after } of [...longestIncreasing(common), { before: oldLines.length, after: newLines.length }]) {
    if (before > beforeStart || after > afterStart) {
      gaps.push({ beforeStart, beforeEnd: before, afterStart, afterEnd: after })
    }
    beforeStart = before + 1
    afterStart = after + 1
  }
  return gaps
}

/** The index of each line that occurs once, and undefined for each that occurs more often; in order of first occurrence. */
function uniquePlaces(lines: readonly number[]): Map<number, number | undefined> {
  const places = new Map<number, number | undefined>()
  for (const [index, line] of lines.entries()) places.set(line, places.has(line) ? undefined : index)
  return places
}

/** The longest part of a list in ascending `before` that is ascending in `after`, too. */
function longestIncreasing<T extends { after: number }>(list: readonly T[]): T[] {
  // ends[n] is the index of the smallest last element of an ascending part of length n + 1.
  const ends: number[] = []
  const previous: number[] = []
  for (const [index, { after }] of list.entries()) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (list[ends[middle]!]!.after < after) low = middle + 1
      else high = middle
    }
    previous.push(low === 0 ? -1 : ends[low - 1]!)
    ends[low] = index
  }
  const result: T[] = []
  for (let index = ends.at(-1) ?? -1; index !== -1; index = previous[index]!) result.push(list[index]!)
  return result.toReversed()
}

/** A change inside a stretch, with offsets of the whole. */
function moved(change: Change, stretch: Change): Change {
  return {
    beforeStart: stretch.beforeStart + change.beforeStart,
    beforeEnd: stretch.beforeStart + change.beforeEnd,
    afterStart: stretch.afterStart + change.afterStart,
    afterEnd: stretch.afterStart + change.afterEnd,
  }
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
