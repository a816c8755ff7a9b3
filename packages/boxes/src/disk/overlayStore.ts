import { randomBytes } from 'node:crypto'
import { chown, mkdir, readdir, rename } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { isThere, readJson, syncFolder, writeDurably } from '../durableFile.ts'
import { BoxError } from '../errors.ts'
import { asDiskError, diskCommand } from '../runCommand.ts'
import type { Trash } from '../trash.ts'
import { cloneTree, importFolder, own, treeUsage } from './copyTree.ts'
import type { DiskMount, DiskOwner, WorkspaceStore } from './workspaceStore.ts'
import { diskFolders } from './workspaceStore.ts'

/** Topmost first. */
const layersSchema = z.object({ layers: z.array(z.string().regex(/^[0-9a-f]{8}$/)) })
type Layers = z.infer<typeof layersSchema>

/** Each layer costs a look-up for every path; longer chains are joined into one layer when they are sealed. */
const LONGEST_CHAIN = 8

export interface OverlayStoreOptions {
  home: string
  trash: Trash
  /** Null when the server is not root and disks belong to the user of the server. */
  owner: DiskOwner | null
  /** Runs a program while a disk is mounted at the folder that `command` is given. */
  withMount: (mount: DiskMount, command: (mountPoint: string) => readonly string[]) => Promise<void>
}

/**
 * Disks as layers: `layers/{layer}` are immutable, `boxes/{id}/upper` is what the box itself wrote. Sealing or forking a stopped
 * box turns its upper folder into a layer, which is a rename. A box without layers has a plain folder as its disk.
 *
 * The list of layers is written before the rename that makes it true: a list whose first layer is missing while there is an upper
 * folder means that the rename is still to be done.
 */
export class OverlayStore implements WorkspaceStore {
  readonly kind = 'overlay'
  readonly needsMount = true
  readonly #options: OverlayStoreOptions
  readonly #layers: string
  readonly #boxes: string
  readonly #disks: string
  #using = 0
  #collecting: Promise<void> | null = null
  #collectLater = false

  constructor(options: OverlayStoreOptions) {
    this.#options = options
    this.#layers = path.join(options.home, 'layers')
    this.#boxes = path.join(options.home, 'boxes')
    this.#disks = path.join(options.home, 'disks')
  }

  async open(): Promise<void> {
    for (const folder of [this.#layers, this.#boxes, this.#disks]) await mkdir(folder, { recursive: true, mode: 0o700 })
    for (const id of await readdir(this.#boxes)) if (await this.has(id)) await this.#settle(id)
    await this.#collect()
  }

  async createFromFolder(id: string, folder: string): Promise<void> {
    await this.#creating(id, async () => {
      const upper = this.#upper(id)
      for (const name of diskFolders) await mkdir(path.join(upper, name), { recursive: true, mode: 0o755 })
      await own(upper, this.#options.owner)
      await importFolder(folder, path.join(upper, 'workspace'), this.#options.owner)
      await diskCommand('sync', ['-f', upper])
      await this.#write(this.#box(id), [])
    })
  }

  async createFromSealed(id: string, diskId: string): Promise<void> {
    await this.#usingLayers(async () => {
      const sealed = await this.#read(path.join(this.#disks, diskId))
      if (sealed === null) throw new BoxError('DISK_FAILED', `there is no sealed disk ${diskId}`)
      await this.#creating(id, () => this.#addUpper(id, sealed.layers))
    })
  }

  async createFromBox(id: string, sourceId: string, options: { live: boolean }): Promise<void> {
    await this.#usingLayers(async () => {
      const layers = await this.#snapshot(sourceId, options.live)
      await this.#creating(id, () => this.#addUpper(id, layers))
    })
  }

  async has(id: string): Promise<boolean> {
    return (await this.#read(this.#box(id))) !== null
  }

  async mount(id: string): Promise<DiskMount> {
    const layers = await this.#settle(id)
    await this.#options.trash.throwAway(path.join(this.#box(id), 'work'))
    if (layers.length === 0) return { kind: 'folder', path: this.#upper(id) }
    await mkdir(path.join(this.#box(id), 'work'), { mode: 0o700 })
    return this.#overlay(layers, `upperdir=../boxes/${id}/upper,workdir=../boxes/${id}/work`)
  }

  async seal(id: string, diskId: string, options: { live: boolean }): Promise<void> {
    if (await this.hasSealed(diskId)) return
    await this.#usingLayers(async () => {
      const layers = await this.#snapshot(id, options.live)
      const disk = path.join(this.#disks, diskId)
      try {
        await mkdir(disk, { recursive: true, mode: 0o700 })
        await this.#write(disk, layers)
        await syncFolder(this.#disks)
      } catch (error) {
        throw asDiskError(error)
      }
    })
  }

  async hasSealed(diskId: string): Promise<boolean> {
    return (await this.#read(path.join(this.#disks, diskId))) !== null
  }

  async removeSealed(diskId: string): Promise<void> {
    await this.#options.trash.throwAway(path.join(this.#disks, diskId))
    await this.#collect()
  }

  async remove(id: string): Promise<void> {
    await this.#options.trash.throwAway(this.#box(id))
    await this.#collect()
  }

  async usage(id: string): Promise<number> {
    return treeUsage(this.#upper(id))
  }

  /** Everything that is on the disk of a box now, as layers. */
  async #snapshot(id: string, live: boolean): Promise<string[]> {
    const below = await this.#settle(id)
    const layer = randomBytes(4).toString('hex')
    try {
      if (live) {
        await cloneTree(this.#upper(id), path.join(this.#layers, layer), 'auto')
        await diskCommand('sync', ['-f', path.join(this.#layers, layer)])
      } else {
        await this.#write(this.#box(id), [layer, ...below])
        await this.#settle(id)
      }
      const layers = [layer, ...below]
      if (layers.length <= LONGEST_CHAIN) return layers
      const joined = await this.#join(layers)
      if (!live) await this.#write(this.#box(id), [joined])
      return [joined]
    } catch (error) {
      throw asDiskError(error)
    }
  }

  async #join(layers: readonly string[]): Promise<string> {
    const joined = randomBytes(4).toString('hex')
    const target = path.join(this.#layers, joined)
    await mkdir(target, { mode: 0o755 })
    await this.#options.withMount(this.#overlay(layers), (mountPoint) => [
      'cp',
      '-a',
      '--reflink=auto',
      '-T',
      '--',
      mountPoint,
      target,
    ])
    await diskCommand('sync', ['-f', target])
    return joined
  }

  #overlay(layers: readonly string[], upper?: string): DiskMount {
    // Without root the kernel keeps its notes in user attributes, and renaming a folder of a lower layer then answers EXDEV.
    const notes = this.#options.owner === null ? 'userxattr' : 'redirect_dir=on'
    const options = [`lowerdir=${layers.join(':')}`, ...(upper === undefined ? [] : [upper]), notes]
    return { kind: 'overlay', cwd: this.#layers, options: options.join(',') }
  }

  /** Finishes a sealing that a crash interrupted and makes sure there is an upper folder. */
  async #settle(id: string): Promise<string[]> {
    const found = await this.#read(this.#box(id))
    if (found === null) throw new BoxError('BOX_NOT_FOUND', id)
    const [top] = found.layers
    if (top !== undefined && !(await isThere(path.join(this.#layers, top)))) {
      await rename(this.#upper(id), path.join(this.#layers, top))
      await syncFolder(this.#layers)
    }
    await this.#makeUpper(id)
    return found.layers
  }

  async #addUpper(id: string, layers: string[]): Promise<void> {
    await this.#makeUpper(id)
    await this.#write(this.#box(id), layers)
  }

  async #makeUpper(id: string): Promise<void> {
    const upper = this.#upper(id)
    if (await isThere(upper)) return
    const draft = `${upper}.new`
    await mkdir(draft, { recursive: true, mode: 0o755 })
    const { owner } = this.#options
    if (owner !== null) await chown(draft, owner.uid, owner.gid)
    await rename(draft, upper)
  }

  async #creating(id: string, make: () => Promise<void>): Promise<void> {
    try {
      await mkdir(this.#box(id), { recursive: true, mode: 0o700 })
      await make()
      await syncFolder(this.#boxes)
    } catch (error) {
      await this.#options.trash.throwAway(this.#box(id))
      throw asDiskError(error)
    }
  }

  /** Layers that are about to be written into a list must not be collected meanwhile. */
  async #usingLayers(work: () => Promise<void>): Promise<void> {
    while (this.#collecting !== null) await this.#collecting
    this.#using += 1
    try {
      await work()
    } finally {
      this.#using -= 1
      if (this.#using === 0 && this.#collectLater) await this.#collect()
    }
  }

  async #collect(): Promise<void> {
    this.#collectLater = true
    if (this.#using > 0) return
    this.#collecting ??= this.#collectNow().finally(() => (this.#collecting = null))
    await this.#collecting
  }

  /** Throws away layers that no box and no sealed disk is made of. */
  async #collectNow(): Promise<void> {
    this.#collectLater = false
    const used = new Set<string>()
    for (const folder of [this.#boxes, this.#disks]) {
      for (const name of await readdir(folder)) {
        for (const layer of (await this.#read(path.join(folder, name)))?.layers ?? []) used.add(layer)
      }
    }
    for (const layer of await readdir(this.#layers)) {
      if (!used.has(layer)) await this.#options.trash.throwAway(path.join(this.#layers, layer))
    }
  }

  #box(id: string): string {
    return path.join(this.#boxes, id)
  }

  #upper(id: string): string {
    return path.join(this.#boxes, id, 'upper')
  }

  #read(folder: string): Promise<Layers | null> {
    return readJson(path.join(folder, 'layers.json'), layersSchema)
  }

  async #write(folder: string, layers: string[]): Promise<void> {
    await writeDurably(path.join(folder, 'layers.json'), JSON.stringify({ layers } satisfies Layers))
  }
}
