import type { InstalledPackage } from '../resolve/resolveTree.ts'
import type { RegistryMirror } from '../registryMirror.ts'
import { withTries } from '../withTries.ts'
import type { Wait } from '../withTries.ts'

const ARCHIVE_TRIES = 6

/** The archive of a package: fetched when it is not there yet, and of the promised checksum. */
export type OpenArchive = (
  installed: Pick<InstalledPackage, 'registryName' | 'file'>,
) => ReturnType<RegistryMirror['tarball']>

/** Archives as a mirror has them; a registry that does not answer is asked again. */
export function packageArchives(mirror: Pick<RegistryMirror, 'tarball'>, wait: Wait): OpenArchive {
  return ({ registryName, file }) => withTries(ARCHIVE_TRIES, () => mirror.tarball(registryName, file), wait)
}
