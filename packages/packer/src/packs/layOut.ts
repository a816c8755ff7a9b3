import { mkdir, readdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { InstalledPackage } from '../resolve/resolveTree.ts'
import type { PackageFolders } from './packageFolders.ts'

/** Fetches at once: few enough that one pack does not keep everybody else waiting. */
const CONCURRENCY = 8

/**
 * Makes `folder/node_modules` of links to unpacked packages. A package with others inside is a real folder of links, as the shared
 * copy of it is the same for everybody and never changed.
 */
export async function layOut(
  packages: ReadonlyMap<string, InstalledPackage>,
  folder: string,
  folders: PackageFolders,
): Promise<void> {
  const wanted = [...places(packages, join(folder, 'node_modules'))]
  let next = 0
  const work = async () => {
    for (let place = wanted[next++]; place; place = wanted[next++]) {
      const source = await folders.folderOf(place.installed)
      await mkdir(dirname(place.path), { recursive: true })
      if (place.installed.children.size === 0) {
        await symlink(source, place.path)
        continue
      }
      await mkdir(place.path, { recursive: true })
      for (const entry of await readdir(source)) await symlink(join(source, entry), join(place.path, entry))
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
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
