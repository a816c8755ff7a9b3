import { mkdir, readdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { InstalledPackage } from '../resolve/resolveTree.ts'
import { ARCHIVES_AT_ONCE, sideBySide } from '../sideBySide.ts'
import type { PackageFolders } from './packageFolders.ts'
import type { Lease } from './packStore.ts'
import { TreeRoom } from './treeRoom.ts'

/**
 * Makes `folder/node_modules` of links to unpacked packages. A package with others inside is a real folder of links, as the shared
 * copy of it is the same for everybody and never changed. All of it stays as long as the lease.
 */
export async function layOut(
  packages: ReadonlyMap<string, InstalledPackage>,
  folder: string,
  folders: Pick<PackageFolders, 'folderOf'>,
  lease: Pick<Lease, 'hold'>,
  room = new TreeRoom(),
): Promise<void> {
  const wanted = places(packages, join(folder, 'node_modules'))
  await sideBySide(ARCHIVES_AT_ONCE, wanted, async ({ installed, path }) => {
    const { path: source, ...size } = await folders.folderOf(installed, lease)
    // A package in two places is read twice.
    room.take(size)
    await mkdir(dirname(path), { recursive: true })
    if (installed.children.size === 0) return symlink(source, path)
    await mkdir(path, { recursive: true })
    for (const entry of await readdir(source)) await symlink(join(source, entry), join(path, entry))
  })
}

function* places(
  packages: ReadonlyMap<string, InstalledPackage>,
  folder: string,
): Generator<{ installed: InstalledPackage; path: string }> {
  for (const installed of packages.values()) {
    const path = join(folder, installed.name)
    yield { installed, path }
    yield* places(installed.children, join(path, 'node_modules'))
  }
}
