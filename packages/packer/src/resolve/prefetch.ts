import { PackerError } from '../errors.ts'
import type { PackageIndexes } from './packageIndex.ts'

/** More than the largest real projects have; a package that depends on more is meant to do harm. */
export const MAX_PACKAGES = 3000
/** The answers can be large, and all that are asked for at once are in memory together. */
const ASKED_AT_ONCE = 32

/** Asks for all of them side by side. What fails here fails again, with its reason, where it is needed. */
export async function prefetch(indexes: PackageIndexes, given: readonly string[]): Promise<void> {
  const names = [...new Set(given)]
  // Each would be a question to the registry, before the first of them is counted as a package.
  if (names.length > MAX_PACKAGES) throw new PackerError('TOO_LARGE', `more than ${MAX_PACKAGES} packages`)
  let next = 0
  const ask = async () => {
    for (let name = names[next++]; name !== undefined; name = names[next++])
      await indexes.get(name).catch(() => undefined)
  }
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, ask))
}
