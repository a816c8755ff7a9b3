import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, utimes, stat } from 'node:fs/promises'
import path from 'node:path'
import { isMissing, isThere } from '../durableFile.ts'
import { BoxError } from '../errors.ts'
import { asDiskError, diskCommand } from '../runCommand.ts'
import type { Trash } from '../trash.ts'
import { own, treeUsage } from './copyTree.ts'
import type { DiskOwner } from './workspaceStore.ts'

/** The last entry of every archive of a tree: tar takes one that is cut off between two files for a whole one. */
const LAST_ENTRY = '.tree-is-whole'
/** All trees together; those that were given longest ago go first. */
const KEPT_BYTES = 8 * 1024 ** 3
const TREE = /^([0-9a-f]{64})\.(\d+)$/

/** A tree that is kept. */
export interface KeptTree {
  id: string
  kibibytes: number
}

export interface SharedTreesOptions {
  /** On the file system of the disks. */
  folder: string
  trash: Trash
  owner: DiskOwner | null
  keptBytes?: number
}

/**
 * Unpacked trees on the file system of the disks. A copy of one is made of hard links, so its content takes no room, and is only ever put
 * below a disk, where nothing writes to it. For each tree one copy waits in advance, so whoever asks for one waits for a rename.
 */
export class SharedTrees {
  readonly #options: SharedTreesOptions
  readonly #keeping = new Map<string, Promise<void>>()
  /** Copies that are being made for the next one who asks, by tree. */
  readonly #readying = new Map<string, Promise<void>>()
  #closed = false

  constructor(options: SharedTreesOptions) {
    this.#options = options
  }

  async open(): Promise<void> {
    await mkdir(this.#kept, { recursive: true, mode: 0o700 })
    // Half made when a server was killed, or waiting for somebody who asked that one.
    for (const folder of [this.#drafts, this.#ready]) {
      await this.#options.trash.throwAway(folder)
      await mkdir(folder, { mode: 0o700 })
    }
  }

  /** Unpacks an archive once. Resolves when the tree is there as a whole; rejects with a disk error, and nothing is there then. */
  async keep(id: string, archive: string): Promise<void> {
    if (!/^[0-9a-f]{64}$/.test(id)) throw new BoxError('BOX_INVALID', `tree ${id}`)
    if (this.#closed || (await this.find(id)) !== null) return
    let keeping = this.#keeping.get(id)
    if (keeping === undefined) {
      keeping = this.#unpack(id, archive).finally(() => this.#keeping.delete(id))
      this.#keeping.set(id, keeping)
    }
    await keeping
  }

  async find(id: string): Promise<KeptTree | null> {
    return (await this.#all()).find((tree) => tree.id === id) ?? null
  }

  /** Puts a copy of a tree at `target`, which must not exist. It comes there as a whole or not at all. */
  async copy(tree: KeptTree, target: string): Promise<void> {
    const now = new Date()
    await this.#readying.get(tree.id)
    try {
      await rename(path.join(this.#ready, tree.id), target)
    } catch (error) {
      if (!isMissing(error)) throw asDiskError(error)
      await this.#link(tree, target)
    }
    await utimes(this.#folderOf(tree), now, now)
    this.#makeReady(tree)
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.allSettled([...this.#keeping.values(), ...this.#readying.values()])
  }

  async #unpack(id: string, archive: string): Promise<void> {
    const draft = this.#draft()
    try {
      await mkdir(draft, { mode: 0o755 })
      // Names that lead out of the folder are refused by tar. With the time of now, as npm does it.
      await diskCommand('tar', ['-x', '-m', '--no-same-owner', '-C', draft, '-f', archive])
      if (!(await isThere(path.join(draft, LAST_ENTRY)))) throw new BoxError('DISK_FAILED', `${archive} is cut off`)
      await rm(path.join(draft, LAST_ENTRY))
      await diskCommand('chmod', ['-R', 'u+rwX,go+rX,go-w', '--', draft])
      await own(draft, this.#options.owner)
      const bytes = await treeUsage(draft)
      await this.#makeRoom(bytes)
      await diskCommand('sync', ['-f', draft])
      const tree = { id, kibibytes: bytes / 1024 }
      await rename(draft, this.#folderOf(tree))
      this.#makeReady(tree)
    } catch (error) {
      await this.#options.trash.throwAway(draft)
      throw asDiskError(error)
    }
  }

  async #link(tree: KeptTree, target: string): Promise<void> {
    const draft = this.#draft()
    try {
      await diskCommand('cp', ['-a', '-l', '-T', '--', this.#folderOf(tree), draft])
      await rename(draft, target)
    } catch (error) {
      await this.#options.trash.throwAway(draft)
      throw asDiskError(error)
    }
  }

  #makeReady(tree: KeptTree): void {
    if (this.#closed || this.#readying.has(tree.id)) return
    // Whoever asks makes one where this failed, and hears why.
    const made = this.#link(tree, path.join(this.#ready, tree.id)).catch(() => undefined)
    this.#readying.set(
      tree.id,
      made.finally(() => this.#readying.delete(tree.id)),
    )
  }

  async #makeRoom(bytes: number): Promise<void> {
    const { keptBytes = KEPT_BYTES, trash } = this.#options
    if (bytes > keptBytes) throw new BoxError('DISK_FAILED', 'the tree is larger than all that is kept')
    const trees = await Promise.all(
      (await this.#all()).map(async (tree) => ({ tree, usedMs: (await stat(this.#folderOf(tree))).mtimeMs })),
    )
    let total = trees.reduce((sum, { tree }) => sum + tree.kibibytes * 1024, bytes)
    for (const { tree } of trees.toSorted((a, b) => a.usedMs - b.usedMs)) {
      if (total <= keptBytes) return
      await trash.throwAway(this.#folderOf(tree))
      await trash.throwAway(path.join(this.#ready, tree.id))
      total -= tree.kibibytes * 1024
    }
  }

  async #all(): Promise<KeptTree[]> {
    return (await readdir(this.#kept)).flatMap((name) => {
      const [, id, kibibytes] = TREE.exec(name) ?? []
      return id === undefined ? [] : [{ id, kibibytes: Number(kibibytes) }]
    })
  }

  #draft(): string {
    return path.join(this.#drafts, randomBytes(8).toString('hex'))
  }

  #folderOf({ id, kibibytes }: KeptTree): string {
    return path.join(this.#kept, `${id}.${kibibytes}`)
  }

  get #kept(): string {
    return path.join(this.#options.folder, 'kept')
  }

  get #ready(): string {
    return path.join(this.#options.folder, 'ready')
  }

  get #drafts(): string {
    return path.join(this.#options.folder, 'drafts')
  }
}
