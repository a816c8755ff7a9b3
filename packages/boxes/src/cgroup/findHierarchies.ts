import path from 'node:path'

/** What boxes need of control groups. */
export const controllers = ['cpu', 'cpuacct', 'memory', 'pids', 'freezer'] as const
export type Controller = (typeof controllers)[number]

/** Where the group of this process is, for each kind of hierarchy that is mounted. */
export interface Hierarchies {
  /** Version 1: each controller has a tree of its own. */
  v1: Partial<Record<Controller, string>>
  /** Version 2: one tree for all; which controllers it has is in its files. */
  v2: string | null
}

/** Reads the texts of /proc/self/mountinfo and /proc/self/cgroup. */
export function findHierarchies(mountinfo: string, membership: string): Hierarchies {
  const mounts = mountinfo
    .split('\n')
    .map(parseMount)
    .filter((mount) => mount !== null)
  const found: Hierarchies = { v1: {}, v2: null }
  for (const line of membership.trim().split('\n')) {
    const [id, names = '', ...rest] = line.split(':')
    const group = rest.join(':')
    if (id === '0') {
      found.v2 = folderOf(
        mounts.find(({ type }) => type === 'cgroup2'),
        group,
      )
      continue
    }
    for (const name of controllers) {
      if (!names.split(',').includes(name)) continue
      const folder = folderOf(
        mounts.find(({ type, options }) => type === 'cgroup' && options.includes(name)),
        group,
      )
      if (folder !== null) found.v1[name] = folder
    }
  }
  return found
}

interface Mount {
  type: string
  root: string
  point: string
  options: readonly string[]
}

function parseMount(line: string): Mount | null {
  const [before, after] = line.split(' - ')
  if (before === undefined || after === undefined) return null
  const [, , , root, point] = before.split(' ')
  const [type, , options] = after.split(' ')
  if (root === undefined || point === undefined || type === undefined) return null
  return { type, root, point, options: options?.split(',') ?? [] }
}

/** A container may see only a part of the tree: the mount's root is then the part's path. */
function folderOf(mount: Mount | undefined, group: string): string | null {
  if (mount === undefined) return null
  const inside = path.relative(mount.root, group)
  return inside.startsWith('..') ? mount.point : path.join(mount.point, inside)
}
