import { parse, Range, SemVer } from 'semver'
import { PackerError } from '../errors.ts'
import type { PackageIndex } from './packageIndex.ts'

interface Choices {
  /** Of the newest ones, those that were looked at: where most ranges end, not all of thousands are. */
  parsed: SemVer[]
  byRange: Map<string, string | null>
}

/** Ranges that are remembered of one package; those of real projects are a handful. */
const MAX_RANGES = 1_000
/** What ranges of an index led to: many packages ask for the same. */
const choices = new WeakMap<PackageIndex, Choices>()

/**
 * The version that a range means: exactly this one, else the one with this tag, else the newest that satisfies it. `looked` is told how many
 * comparisons that took, before they are made, and may throw.
 */
export function pickVersion(
  name: string,
  range: string,
  index: PackageIndex,
  looked: (comparisons: number) => void = () => undefined,
): string {
  const wanted = range.trim() === '' ? '*' : range.trim()
  if (index.versions.has(wanted)) return wanted
  const tagged = Object.hasOwn(index.tags, wanted) ? index.tags[wanted] : undefined
  if (tagged !== undefined && index.versions.has(tagged)) return tagged
  const exact = parse(wanted)?.version
  if (exact !== undefined) {
    if (index.versions.has(exact)) return exact
    throw new PackerError('VERSION_MISSING', { name, range: wanted })
  }
  const newest = newestIn(wanted, index, looked)
  if (newest === null) throw new PackerError('NO_MATCHING_VERSION', { name, range: wanted })
  return newest
}

function newestIn(wanted: string, index: PackageIndex, looked: (comparisons: number) => void): string | null {
  const known = choices.get(index) ?? { parsed: [], byRange: new Map<string, string | null>() }
  choices.set(index, known)
  const chosen = known.byRange.get(wanted)
  if (chosen !== undefined) return chosen
  const range = parseRange(wanted)
  const found = range ? newestOf(range, index.newestFirst, known.parsed, looked) : null
  if (known.byRange.size >= MAX_RANGES) known.byRange.clear()
  known.byRange.set(wanted, found)
  return found
}

function newestOf(
  range: Range,
  newestFirst: readonly string[],
  parsed: SemVer[],
  looked: (comparisons: number) => void,
): string | null {
  const comparisons = range.set.flat().length
  for (const [place, version] of newestFirst.entries()) {
    looked(comparisons)
    const candidate = (parsed[place] ??= new SemVer(version))
    if (range.test(candidate)) return version
  }
  return null
}

/** Undefined for what is no range, which nothing is in. */
function parseRange(wanted: string): Range | undefined {
  try {
    return new Range(wanted)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
