import { randomBytes } from 'node:crypto'
import { chown, mkdir, readdir, rename } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { isThere, readJson, syncFolder, writeDurably } from '../durableFile.ts'
import { BoxError } from '../errors.ts'
import { asDiskError, diskCommand } from '../runCommand.ts'
import type { Trash } from '../trash.ts'
import { cloneTree, importFolder, own, treeUsage } from './copyTree.ts'
import { OfferedTrees } from './offeredTrees.ts'
import type { KeptTree } from './sharedTrees.ts'
import type { DiskMount, DiskOwner, WorkspaceStore } from './workspaceStore.ts'
import { diskFolders } from './workspaceStore.ts'

/** Topmost first. */
const layerSchema = z.string().regex(/^[0-9a-f]{8}$/)
const layersSchema = z.object({ layers: z.array(layerSchema), trees: layerSchema.optional() })
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
 *
 * The lowest layer of a box that runs may be one that trees of packages are added to (`trees` of its list). Sealing takes it along
 * when something is in it, and the box gets another one at its next start.
 */
export class OverlayStore implements WorkspaceStore {
  readonly kind = 'overlay'
  readonly needsMount = true
  readonly #options: OverlayStoreOptions
  readonly #layers: string
  readonly #boxes: string
  readonly #disks: string
  #sharesTrees = false
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
    this.#sharesTrees = this.#options.owner !== null && (await this.#probeTrees())
  }

  get sharesTrees(): boolean {
    return this.#sharesTrees
  }

  async offerTree(
    id: string,
    tree: KeptTree,
    copy: (tree: KeptTree, target: string) => Promise<void>,
  ): Promise<string | null> {
    const trees = (await this.#read(this.#box(id)))?.trees
    if (trees === undefined) return null
    return this.#offered(trees).add(tree, (target) => copy(tree, target))
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
    await this.#settle(id)
    const layers = await this.#withTrees(id)
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
    const trees = (await this.#read(this.#box(id)))?.trees
    const shared = trees === undefined ? 0 : await this.#offered(trees).usage()
    return shared + (await treeUsage(this.#upper(id)))
  }

  /** Everything that is on the disk of a box now, as layers. */
  async #snapshot(id: string, live: boolean): Promise<string[]> {
    await this.#settle(id)
    const below = await this.#layersWithContent(id)
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

  /** The layers of a box, with one that takes trees. */
  async #withTrees(id: string): Promise<string[]> {
    const { layers, trees } = await this.#list(id)
    if (trees !== undefined || !this.#sharesTrees) return layers
    const added = randomBytes(4).toString('hex')
    await this.#usingLayers(async () => {
      await this.#offered(added).create()
      await this.#write(this.#box(id), [...layers, added], added)
    })
    return [...layers, added]
  }

  /** Without the layer for trees when none is in it: every layer of a chain costs time. */
  async #layersWithContent(id: string): Promise<string[]> {
    const { layers, trees } = await this.#list(id)
    if (trees === undefined || !(await this.#offered(trees).isEmpty())) return layers
    return layers.filter((layer) => layer !== trees)
  }

  /** Whether a tree that comes while a disk is mounted can be given a place in it without a copy. */
  async #probeTrees(): Promise<boolean> {
    const { home, trash, withMount } = this.#options
    const folder = path.join(home, `trees-probe-${randomBytes(4).toString('hex')}`)
    try {
      for (const name of ['lower/trees', 'upper', 'work', 'tree/inside']) {
        await mkdir(path.join(folder, name), { recursive: true, mode: 0o755 })
      }
      const mount: DiskMount = {
        kind: 'overlay',
        cwd: folder,
        options: 'lowerdir=lower,upperdir=upper,workdir=work,redirect_dir=on',
      }
      const give = 'ls "$1/trees" && mv -T "$2/tree" "$2/lower/trees/one" && mv -T "$1/trees/one" "$1/taken"'
      await withMount(mount, (at) => ['sh', '-c', `${give} && ls "$1/taken/inside"`, 'probe', at, folder])
      const upper = path.join(folder, 'upper/taken')
      // A copy would have all of it above.
      return (await isThere(upper)) && !(await isThere(path.join(upper, 'inside')))
    } catch (error) {
      if (error instanceof BoxError) return false
      throw error
    } finally {
      await trash.throwAway(folder)
    }
  }

  #offered(layer: string): OfferedTrees {
    return new OfferedTrees(path.join(this.#layers, layer))
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
  async #settle(id: string): Promise<void> {
    const { layers } = await this.#list(id)
    const [top] = layers
    if (top !== undefined && !(await isThere(path.join(this.#layers, top)))) {
      await rename(this.#upper(id), path.join(this.#layers, top))
      await syncFolder(this.#layers)
    }
    await this.#makeUpper(id)
  }

  async #list(id: string): Promise<Layers> {
    const found = await this.#read(this.#box(id))
    if (found === null) throw new BoxError('BOX_NOT_FOUND', id)
    return found
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

  async #write(folder: string, layers: string[], trees?: string): Promise<void> {
    await writeDurably(path.join(folder, 'layers.json'), JSON.stringify({ layers, trees } satisfies Layers))
  }
}
