import type { SandboxDirectory, SandboxModule } from './sandboxFiles.ts'

type Placed = Pick<SandboxModule, 'title' | 'directoryShortid'>

/** The files of a sandbox by their path, without a leading slash, in the order of the paths. */
export function filePaths<Module extends Placed>({
  modules,
  directories,
}: {
  modules: readonly Module[]
  directories: readonly SandboxDirectory[]
}): [path: string, module: Module][] {
  const byShortid = new Map(directories.map((directory) => [directory.shortid, directory]))
  const pathOf = (title: string, parent: string | null): string => {
    const parts = [title]
    for (let at = parent; at !== null && parts.length <= byShortid.size + 1;) {
      const directory = byShortid.get(at)
      if (!directory) break
      parts.unshift(directory.title)
      at = directory.directoryShortid
    }
    return parts.join('/')
  }
  return modules
    .map((module): [string, Module] => [pathOf(module.title, module.directoryShortid), module])
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
}
