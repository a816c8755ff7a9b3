import { parse, Range, rcompare } from 'semver'
import type { SemVer } from 'semver'
import { PackerError } from '../errors.ts'
import type { PackageIndex } from './packageIndex.ts'

interface Choices {
  /** Looking through thousands of versions begins where most ranges end. */
  newestFirst: readonly { version: string; parsed: SemVer }[]
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
  const known = choices.get(index) ?? { newestFirst: sorted(index), byRange: new Map<string, string | null>() }
  choices.set(index, known)
  const chosen = known.byRange.get(wanted)
  if (chosen !== undefined) return chosen
  const range = parseRange(wanted)
  const comparisons = range?.set.flat().length ?? 0
  const found = known.newestFirst.find(({ parsed }) => {
    if (!range) return false
    looked(comparisons)
    return range.test(parsed)
  })
  if (known.byRange.size >= MAX_RANGES) known.byRange.clear()
  known.byRange.set(wanted, found?.version ?? null)
  return found?.version ?? null
}

function sorted(index: PackageIndex): Choices['newestFirst'] {
  return [...index.versions.keys()]
    .flatMap((version) => {
      const parsed = parse(version)
      return parsed ? [{ version, parsed }] : []
    })
    .toSorted((one, other) => rcompare(one.parsed, other.parsed))
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
