import { mkdir, readdir, rename, stat } from 'node:fs/promises'
import path from 'node:path'
import { isMissing, syncFolder } from '../durableFile.ts'
import { BoxError } from '../errors.ts'
import { asDiskError, diskCommand } from '../runCommand.ts'
import type { Trash } from '../trash.ts'
import { cloneTree, importFolder, own, treeUsage } from './copyTree.ts'
import type { DiskMount, DiskOwner, WorkspaceStore } from './workspaceStore.ts'
import { diskFolders } from './workspaceStore.ts'

/** How a whole tree is copied. */
export type TreeMethod = 'btrfs' | 'reflink' | 'copy'

export interface TreeStoreOptions {
  home: string
  trash: Trash
  owner: DiskOwner | null
  method: TreeMethod
}

/** Disks as whole trees, copied by what the file system offers. A tree gets its final name last, so half a copy is never a disk. */
export class TreeStore implements WorkspaceStore {
  readonly kind: TreeMethod
  readonly needsMount = false
  readonly #options: TreeStoreOptions
  readonly #boxes: string
  readonly #disks: string

  constructor(options: TreeStoreOptions) {
    this.kind = options.method
    this.#options = options
    this.#boxes = path.join(options.home, 'boxes')
    this.#disks = path.join(options.home, 'disks')
  }

  async open(): Promise<void> {
    for (const folder of [this.#boxes, this.#disks]) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      for (const name of await readdir(folder)) await this.#discard(path.join(folder, name, 'disk.new'))
    }
  }

  async createFromFolder(id: string, folder: string): Promise<void> {
    await this.#making(path.join(this.#boxes, id), async (draft) => {
      if (this.kind === 'btrfs') await diskCommand('btrfs', ['subvolume', 'create', draft])
      else await mkdir(draft)
      for (const name of diskFolders) await mkdir(path.join(draft, name), { mode: 0o755 })
      await own(draft, this.#options.owner)
      await importFolder(folder, path.join(draft, 'workspace'), this.#options.owner)
    })
  }

  async createFromSealed(id: string, diskId: string): Promise<void> {
    if (!(await this.hasSealed(diskId))) throw new BoxError('DISK_FAILED', `there is no sealed disk ${diskId}`)
    await this.#copy(path.join(this.#disks, diskId), path.join(this.#boxes, id))
  }

  async createFromBox(id: string, sourceId: string): Promise<void> {
    if (!(await this.has(sourceId))) throw new BoxError('BOX_NOT_FOUND', sourceId)
    await this.#copy(path.join(this.#boxes, sourceId), path.join(this.#boxes, id))
  }

  has(id: string): Promise<boolean> {
    return isFolder(path.join(this.#boxes, id, 'disk'))
  }

  async mount(id: string): Promise<DiskMount> {
    if (!(await this.has(id))) throw new BoxError('BOX_NOT_FOUND', id)
    return { kind: 'folder', path: path.join(this.#boxes, id, 'disk') }
  }

  async seal(id: string, diskId: string): Promise<void> {
    if (!(await this.has(id))) throw new BoxError('BOX_NOT_FOUND', id)
    if (await this.hasSealed(diskId)) return
    await this.#copy(path.join(this.#boxes, id), path.join(this.#disks, diskId))
  }

  hasSealed(diskId: string): Promise<boolean> {
    return isFolder(path.join(this.#disks, diskId, 'disk'))
  }

  async removeSealed(diskId: string): Promise<void> {
    await this.#remove(path.join(this.#disks, diskId))
  }

  async remove(id: string): Promise<void> {
    await this.#remove(path.join(this.#boxes, id))
  }

  async usage(id: string): Promise<number> {
    return treeUsage(path.join(this.#boxes, id, 'disk'))
  }

  async #copy(source: string, target: string): Promise<void> {
    await this.#making(target, async (draft) => {
      const from = path.join(source, 'disk')
      if (this.kind === 'btrfs') await diskCommand('btrfs', ['subvolume', 'snapshot', from, draft])
      else
        await cloneTree(
          from,
          draft,
          process.platform !== 'linux' ? 'unsupported' : this.kind === 'reflink' ? 'always' : 'auto',
        )
    })
  }

  async #making(parent: string, make: (draft: string) => Promise<void>): Promise<void> {
    const draft = path.join(parent, 'disk.new')
    try {
      await mkdir(parent, { recursive: true, mode: 0o700 })
      await make(draft)
      if (process.platform === 'linux') await diskCommand('sync', ['-f', draft])
      await rename(draft, path.join(parent, 'disk'))
      await syncFolder(parent)
      await syncFolder(path.dirname(parent))
    } catch (error) {
      await this.#remove(parent)
      throw asDiskError(error)
    }
  }

  async #remove(parent: string): Promise<void> {
    await this.#discard(path.join(parent, 'disk'))
    await this.#discard(path.join(parent, 'disk.new'))
    await this.#options.trash.throwAway(parent)
  }

  /** A subvolume is deleted as a whole, which is instant; other trees go to the trash. */
  async #discard(tree: string): Promise<void> {
    if (this.kind === 'btrfs' && (await isFolder(tree))) {
      await diskCommand('btrfs', ['subvolume', 'delete', tree])
    } else {
      await this.#options.trash.throwAway(tree)
    }
  }
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory()
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}
