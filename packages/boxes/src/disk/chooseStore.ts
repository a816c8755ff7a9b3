import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { MOUNT_SCRIPT, inMountNamespace } from '../bwrap/launchScript.ts'
import { readJson, writeDurably } from '../durableFile.ts'
import { BoxError } from '../errors.ts'
import { diskCommand, tryCommand } from '../runCommand.ts'
import type { Trash } from '../trash.ts'
import { OverlayStore } from './overlayStore.ts'
import { TreeStore } from './treeStore.ts'
import type { TreeMethod } from './treeStore.ts'
import type { DiskOwner, WorkspaceStore } from './workspaceStore.ts'

export interface ChooseStoreOptions {
  home: string
  trash: Trash
  owner: DiskOwner | null
  root: boolean
}

const choiceSchema = z.object({ kind: z.enum(['btrfs', 'overlay', 'reflink', 'copy']) })

/**
 * The fastest store that really works in this folder: each is tried. The choice is kept in the folder, since disks of one store are
 * nothing to another.
 */
export async function chooseStore(options: ChooseStoreOptions): Promise<WorkspaceStore> {
  const file = path.join(options.home, 'store.json')
  const chosen = await readJson(file, choiceSchema)
  if (chosen !== null) {
    if (await storeWorks(chosen.kind, options)) return makeStore(chosen.kind, options)
    throw new BoxError(
      'DISK_FAILED',
      `the disks in ${options.home} were made as ${chosen.kind}, which does not work here`,
    )
  }
  const kind = await fastestStore(options)
  await writeDurably(file, JSON.stringify({ kind } satisfies z.infer<typeof choiceSchema>))
  return makeStore(kind, options)
}

async function fastestStore(options: ChooseStoreOptions): Promise<z.infer<typeof choiceSchema>['kind']> {
  for (const kind of ['btrfs', 'overlay', 'reflink'] as const) if (await storeWorks(kind, options)) return kind
  return 'copy'
}

export function makeStore(kind: WorkspaceStore['kind'], options: ChooseStoreOptions): WorkspaceStore {
  const { home, trash, owner, root } = options
  if (kind === 'image') throw new TypeError('images are disks of virtual machines only')
  if (kind !== 'overlay') return new TreeStore({ home, trash, owner, method: kind satisfies TreeMethod })
  return new OverlayStore({
    home,
    trash,
    owner,
    withMount: async (mount, command) => {
      if (mount.kind !== 'overlay') throw new TypeError('only layers are joined')
      const mountPoint = path.join(home, 'mount')
      await mkdir(mountPoint, { recursive: true, mode: 0o700 })
      const args = [mountPoint, mount.cwd, mount.options, ...command(mountPoint)]
      await diskCommand(...inMountNamespace(root, MOUNT_SCRIPT, args))
    },
  })
}

/** Tries a store in a folder of its own inside `home`. */
export async function storeWorks(
  kind: WorkspaceStore['kind'],
  { home, root, trash }: ChooseStoreOptions,
): Promise<boolean> {
  if (kind === 'copy') return true
  const folder = path.join(home, `probe-${randomBytes(4).toString('hex')}`)
  const inside = (name: string): string => path.join(folder, name)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if (kind === 'btrfs') {
      return (
        (await tryCommand('btrfs', ['subvolume', 'create', inside('a')])).code === 0 &&
        (await tryCommand('btrfs', ['subvolume', 'snapshot', inside('a'), inside('b')])).code === 0 &&
        (await tryCommand('btrfs', ['subvolume', 'delete', inside('a'), inside('b')])).code === 0
      )
    }
    if (kind === 'reflink') {
      await writeFile(inside('a'), 'probe')
      return (await tryCommand('cp', ['--reflink=always', '--', inside('a'), inside('b')])).code === 0
    }
    for (const name of ['lower', 'upper', 'work', 'mount']) await mkdir(inside(name))
    await writeFile(path.join(inside('lower'), 'file'), 'probe')
    // Removing a file of the lower layer needs everything that overlays need: copies, attributes and whiteouts.
    const notes = root ? 'redirect_dir=on' : 'userxattr'
    const options = `lowerdir=lower,upperdir=upper,workdir=work,${notes}`
    const script = inMountNamespace(root, MOUNT_SCRIPT, [
      inside('mount'),
      folder,
      options,
      'rm',
      `${inside('mount')}/file`,
    ])
    return (await tryCommand(...script)).code === 0
  } finally {
    // Overlays leave folders that an ordinary user can not simply remove.
    await trash.throwAway(folder)
  }
}
