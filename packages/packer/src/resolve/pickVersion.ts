import { maxSatisfying, valid } from 'semver'
import { PackerError } from '../errors.ts'
import type { PackageIndex } from './packageIndex.ts'

/** The version that a range means: exactly this one, else the one with this tag, else the newest that satisfies it. */
export function pickVersion(name: string, range: string, index: PackageIndex): string {
  const wanted = range.trim() === '' ? '*' : range.trim()
  if (index.versions.has(wanted)) return wanted
  const tagged = Object.hasOwn(index.tags, wanted) ? index.tags[wanted] : undefined
  if (tagged !== undefined && index.versions.has(tagged)) return tagged
  const exact = valid(wanted)
  if (exact !== null) {
    if (index.versions.has(exact)) return exact
    throw new PackerError('VERSION_MISSING', { name, range: wanted })
  }
  const newest = maxSatisfying([...index.versions.keys()], wanted)
  if (newest === null) throw new PackerError('NO_MATCHING_VERSION', { name, range: wanted })
  return newest
}
