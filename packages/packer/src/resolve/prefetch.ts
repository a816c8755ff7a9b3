import { PackerError } from '../errors.ts'
import { METADATA_AT_ONCE, sideBySide } from '../sideBySide.ts'
import type { PackageIndexes } from './packageIndex.ts'

/** More than the largest real projects have; a package that depends on more is meant to do harm. */
export const MAX_PACKAGES = 3000

/**
 * Asks for all of them side by side. What failed, by name: it fails where it is needed, without being asked for once more, and nowhere when
 * nobody needs it.
 */
export async function prefetch(
  indexes: PackageIndexes,
  given: readonly string[],
): Promise<ReadonlyMap<string, unknown>> {
  const names = new Set(given)
  // Each would be a question to the registry, before the first of them is counted as a package.
  if (names.size > MAX_PACKAGES) throw new PackerError('TOO_LARGE', `more than ${MAX_PACKAGES} packages`)
  const failed = new Map<string, unknown>()
  await sideBySide(METADATA_AT_ONCE, names, async (name) => {
    await indexes.get(name).catch((error: unknown) => failed.set(name, error))
  })
  return failed
}
