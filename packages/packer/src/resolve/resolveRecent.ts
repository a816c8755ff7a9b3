import { PackerError } from '../errors.ts'
import type { PackageSource } from '../scopedMirror.ts'
import type { Wait } from '../withTries.ts'
import { MirrorIndexes } from './mirrorIndexes.ts'
import { resolveTree } from './resolveTree.ts'
import type { InstalledPackage } from './resolveTree.ts'

/**
 * The tree by what was known of its packages in the last day, for which nobody waits: what was chosen is taken for as long. Where that has no
 * version that is wanted, it may have been published since.
 */
export async function resolveRecent(
  roots: Readonly<Record<string, string>>,
  mirror: PackageSource,
  wait: Wait,
): Promise<ReadonlyMap<string, InstalledPackage>> {
  try {
    return await resolveTree(roots, new MirrorIndexes({ index: (name) => mirror.recentIndex(name) }, wait))
  } catch (error) {
    if (!(error instanceof PackerError) || !MISSING.has(error.code)) throw error
    return resolveTree(roots, new MirrorIndexes(mirror, wait))
  }
}

const MISSING: ReadonlySet<PackerError['code']> = new Set(['VERSION_MISSING', 'NO_MATCHING_VERSION'])
