import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { boxUser } from '../boxContract.ts'
import { importFolder, treeUsage } from '../disk/copyTree.ts'
import { boxIdSchema, diskFolders } from '../disk/workspaceStore.ts'
import type { DiskMount, DiskOwner, WorkspaceStore } from '../disk/workspaceStore.ts'
import { isMissing, readJson, syncFolder, writeDurably } from '../durableFile.ts'
import { BoxError } from '../errors.ts'
import { asDiskError, diskCommand } from '../runCommand.ts'
import type { Trash } from '../trash.ts'

const MIN_BYTES = 1024 ** 3
/** Longer chains make reads slow; the disk is then copied into one layer. */
const MAX_LAYERS = 24

const layerSchema = z.string().regex(/^[0-9a-f]{16}\/\d+\.(?:raw|qcow2)$/)
/** `layers` from the bottom to the top. The top of a box is written, everything else never changes. */
const recordSchema = z.object({ bytes: z.number().int().positive(), layers: z.array(layerSchema).min(1) })
type Record = z.infer<typeof recordSchema>

/** What a machine opens. Layers are named `folder/file`, below one folder for all. */
export interface ImageChain {
  /** Folder with the layers that the box itself has written. */
  folder: string
  top: string
  /** The layers of other folders. */
  shared: readonly string[]
  bytes: number
}

/** A running machine, to be told which layer it writes and how large its disk is. */
export interface LiveDisk {
  writeTo(layer: string): Promise<void>
  growTo(bytes: number): Promise<void>
}

export interface ImageStoreOptions {
  home: string
  trash: Trash
  /** The user that QEMU runs as on the host, or null for that of the server. */
  user: DiskOwner | null
}

/**
 * Disks as images of a file system, in layers: a copy puts a new empty layer on what is there for either side, whether or not a machine
 * runs on it. Which layers a disk has is in its record, which is written last; layers in no record are removed.
 */
export class ImageStore implements WorkspaceStore {
  readonly kind = 'image'
  readonly needsMount = false
  readonly #options: ImageStoreOptions
  readonly #boxes: string
  readonly #disks: string
  readonly #layers: string
  readonly #records = new Map<string, Record>()
  readonly #live = new Map<string, LiveDisk>()
  /** Folders whose layers no record names yet. */
  readonly #making = new Set<string>()

  constructor(options: ImageStoreOptions) {
    this.#options = options
    this.#boxes = path.join(options.home, 'boxes')
    this.#disks = path.join(options.home, 'disks')
    this.#layers = path.join(options.home, 'layers')
  }

  async open(): Promise<void> {
    for (const folder of [this.#boxes, this.#disks, this.#layers]) await mkdir(folder, { recursive: true, mode: 0o700 })
    for (const folder of [this.#boxes, this.#disks]) {
      for (const name of await readdir(folder)) {
        const record = await readJson(path.join(folder, name, 'disk.json'), recordSchema)
        if (record !== null) this.#records.set(path.join(folder, name), record)
      }
    }
    for (const folder of await readdir(this.#layers)) {
      for (const file of await readdir(path.join(this.#layers, folder))) {
        const layer = `${folder}/${file}`
        if (!this.#isUsed(layer)) await this.#options.trash.throwAway(path.join(this.#layers, layer))
      }
    }
  }

  async createFromFolder(id: string, folder: string): Promise<void> {
    await this.#inNewFolder(async (draft) => {
      const tree = path.join(this.#layers, draft, 'tree')
      try {
        for (const name of diskFolders) await mkdir(path.join(tree, name), { recursive: true, mode: 0o755 })
        // Only root can give files away; elsewhere the guest does it when it first sees the disk.
        const owner = process.getuid?.() === 0 ? boxUser : null
        await importFolder(folder, path.join(tree, 'workspace'), owner)
        if (owner !== null) {
          for (const name of diskFolders) await chown(path.join(tree, name), owner.uid, owner.gid)
        }
        const bytes = roundedUp(Math.max(MIN_BYTES, (await treeUsage(tree)) * 2))
        const base = `${draft}/0.raw`
        await diskCommand(
          'mke2fs',
          [
            ['-q', '-t', 'ext4', '-b', '4096', '-i', '8192', '-m', '0', '-L', 'box', '-d', tree],
            ['-E', 'root_owner=0:0,lazy_itable_init=1,lazy_journal_init=1,nodiscard'],
            [path.join(this.#layers, base), String(bytes / 4096)],
          ].flat(),
        )
        const top = await this.#layerAbove(base, bytes, `${draft}/1.qcow2`)
        await this.#own(base)
        await this.#save(path.join(this.#boxes, id), { bytes, layers: [base, top] })
      } finally {
        await this.#options.trash.throwAway(tree)
      }
    })
  }

  async createFromSealed(id: string, diskId: string): Promise<void> {
    const record = this.#records.get(path.join(this.#disks, diskId))
    if (record === undefined) throw new BoxError('DISK_FAILED', `there is no sealed disk ${diskId}`)
    await this.#above(path.join(this.#boxes, id), record)
  }

  async createFromBox(id: string, sourceId: string): Promise<void> {
    await this.#above(path.join(this.#boxes, id), await this.#freeze(sourceId))
  }

  has(id: string): Promise<boolean> {
    return Promise.resolve(this.#records.has(path.join(this.#boxes, id)))
  }

  async mount(id: string): Promise<DiskMount> {
    const place = path.join(this.#boxes, id)
    const record = this.#records.get(place)
    if (record === undefined) throw new BoxError('BOX_NOT_FOUND', id)
    for (const layer of record.layers) {
      try {
        await stat(path.join(this.#layers, layer))
      } catch (error) {
        if (isMissing(error)) throw new BoxError('DISK_FAILED', `the layer ${layer} of ${id} is missing`)
        throw error
      }
    }
    if (record.layers.length > MAX_LAYERS) await this.#flatten(place, record)
    return { kind: 'folder', path: this.chain(id).folder }
  }

  /** What the machine of a box opens. */
  chain(id: string): ImageChain {
    const record = this.#record(id)
    const top = topOf(record)
    const folder = path.dirname(top)
    const shared = record.layers.filter((layer) => path.dirname(layer) !== folder)
    return { folder: path.join(this.#layers, folder), top, shared, bytes: record.bytes }
  }

  /** Makes the disk of a box at least so large, whether or not a machine has it open. Disks do not shrink. */
  async grow(id: string, bytes: number): Promise<void> {
    const record = this.#record(id)
    if (record.bytes >= bytes) return
    const live = this.#live.get(id)
    if (live === undefined) {
      const top = path.join(this.#layers, topOf(record))
      await diskCommand('qemu-img', ['resize', '-q', '-f', 'qcow2', top, String(bytes)])
    } else {
      await live.growTo(bytes)
    }
    await this.#save(path.join(this.#boxes, id), { ...record, bytes })
  }

  sizeOf(id: string): number {
    return this.#record(id).bytes
  }

  /** The machine that has the disk of the box open, or null when none has any more. */
  attach(id: string, live: LiveDisk | null): void {
    if (live === null) this.#live.delete(id)
    else this.#live.set(id, live)
  }

  async seal(id: string, diskId: string): Promise<void> {
    const place = path.join(this.#disks, diskId)
    if (this.#records.has(place)) return
    await this.#save(place, await this.#freeze(id))
  }

  hasSealed(diskId: string): Promise<boolean> {
    return Promise.resolve(this.#records.has(path.join(this.#disks, diskId)))
  }

  removeSealed(diskId: string): Promise<void> {
    return this.#remove(path.join(this.#disks, diskId))
  }

  remove(id: string): Promise<void> {
    return this.#remove(path.join(this.#boxes, id))
  }

  async usage(id: string): Promise<number> {
    const place = path.join(this.#boxes, id)
    const elsewhere = new Set(
      [...this.#records].filter(([other]) => other !== place).flatMap(([, { layers }]) => layers),
    )
    let bytes = 0
    for (const layer of this.#record(id).layers) {
      if (!elsewhere.has(layer)) bytes += (await stat(path.join(this.#layers, layer))).blocks * 512
    }
    return bytes
  }

  /** Puts a new layer on a box's disk, and answers with the disk as it is now, which never changes any more. */
  async #freeze(id: string): Promise<Record> {
    const record = this.#record(id)
    const top = topOf(record)
    const next = `${path.dirname(top)}/${Number.parseInt(path.basename(top), 10) + 1}.qcow2`
    await asDisk(async () => {
      await this.#layerAbove(top, record.bytes, next)
      // Written before the machine changes over: a crash between the two leaves an empty layer, and nothing of the disk is lost.
      await this.#save(path.join(this.#boxes, id), { ...record, layers: [...record.layers, next] })
      await this.#live.get(id)?.writeTo(next)
    })
    return record
  }

  #above(place: string, below: Record): Promise<void> {
    return this.#inNewFolder(async (draft) => {
      const top = await this.#layerAbove(topOf(below), below.bytes, `${draft}/0.qcow2`)
      await this.#save(place, { bytes: below.bytes, layers: [...below.layers, top] })
    })
  }

  async #flatten(place: string, record: Record): Promise<void> {
    await this.#inNewFolder(async (draft) => {
      const flat = `${draft}/0.qcow2`
      const from = path.join(this.#layers, topOf(record))
      await diskCommand('qemu-img', ['convert', '-q', '-O', 'qcow2', from, path.join(this.#layers, flat)])
      await this.#own(flat)
      await this.#save(place, { bytes: record.bytes, layers: [flat] })
    })
    await this.#collect(record.layers)
  }

  async #layerAbove(below: string, bytes: number, layer: string): Promise<string> {
    const file = path.join(this.#layers, layer)
    // What a crash may have left.
    await rm(file, { force: true })
    // The layer below may be open in a machine, so it is not looked at.
    await diskCommand(
      'qemu-img',
      [
        ['create', '-q', '-u', '-f', 'qcow2', '-F', below.endsWith('.raw') ? 'raw' : 'qcow2'],
        ['-b', `../${below}`, file, String(bytes)],
      ].flat(),
    )
    await this.#own(layer)
    return layer
  }

  async #own(layer: string): Promise<void> {
    const file = path.join(this.#layers, layer)
    await chmod(file, 0o600)
    const { user } = this.#options
    if (user !== null) await chown(file, user.uid, user.gid)
    await syncFolder(path.dirname(file))
  }

  /** Runs `make` with a new folder for layers. When it fails nothing of it stays. */
  async #inNewFolder(make: (folder: string) => Promise<void>): Promise<void> {
    const folder = randomBytes(8).toString('hex')
    this.#making.add(folder)
    try {
      await mkdir(path.join(this.#layers, folder), { mode: 0o700 })
      const { user } = this.#options
      if (user !== null) await chown(path.join(this.#layers, folder), user.uid, user.gid)
      await asDisk(() => make(folder))
    } catch (error) {
      await this.#options.trash.throwAway(path.join(this.#layers, folder))
      throw error
    } finally {
      this.#making.delete(folder)
    }
  }

  async #save(place: string, record: Record): Promise<void> {
    await mkdir(place, { recursive: true, mode: 0o700 })
    await writeDurably(path.join(place, 'disk.json'), JSON.stringify(record))
    await syncFolder(path.dirname(place))
    this.#records.set(place, record)
  }

  async #remove(place: string): Promise<void> {
    const record = this.#records.get(place)
    await this.#options.trash.throwAway(place)
    this.#records.delete(place)
    if (record !== undefined) await this.#collect(record.layers)
  }

  /** Removes those of the layers that no disk has. */
  async #collect(layers: readonly string[]): Promise<void> {
    for (const layer of layers) {
      if (!this.#isUsed(layer)) await this.#options.trash.throwAway(path.join(this.#layers, layer))
    }
    for (const folder of new Set(layers.map((layer) => path.dirname(layer)))) {
      const left = await readdir(path.join(this.#layers, folder)).catch(() => ['?'])
      if (left.length === 0) await this.#options.trash.throwAway(path.join(this.#layers, folder))
    }
  }

  #isUsed(layer: string): boolean {
    if (this.#making.has(path.dirname(layer))) return true
    return [...this.#records.values()].some(({ layers }) => layers.includes(layer))
  }

  #record(id: string): Record {
    const record = boxIdSchema.safeParse(id).success ? this.#records.get(path.join(this.#boxes, id)) : undefined
    if (record === undefined) throw new BoxError('BOX_NOT_FOUND', id)
    return record
  }
}

function topOf({ layers }: Record): string {
  return layers.at(-1) ?? ''
}

function roundedUp(bytes: number): number {
  const step = 16 * 1024 * 1024
  return Math.ceil(bytes / step) * step
}

async function asDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asDiskError(error)
  }
}
