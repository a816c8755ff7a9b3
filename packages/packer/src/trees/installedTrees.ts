import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { PackerError } from '../errors.ts'
import type { RegistryMirror } from '../registryMirror.ts'
import { sealTree } from './sealTree.ts'
import type { TreeLimits } from './sealTree.ts'
import type { TreePlan } from './treePlan.ts'

const TREE_LIMITS: TreeLimits = { bytes: 2 * 1024 ** 3, files: 200_000 }
/** All trees together; those that were asked for longest ago go first. */
const KEPT_BYTES = 8 * 1024 ** 3
/** Plans that wait to be made. More are forgotten: npm installs those, and the next request names them again. */
const LONGEST_QUEUE = 16

export interface InstalledTreesOptions {
  folder: string
  mirror: Pick<RegistryMirror, 'tarball'>
  limits?: TreeLimits
  keptBytes?: number
  /** Called with each tree that has been made; others wait meanwhile. */
  onMade?: (id: string, file: string) => Promise<void>
  onFailure: (error: unknown, plan: TreePlan) => void
}

/**
 * Contents of node_modules as sealed archives, each under the hash of its plan: what is there is complete, or it is not there. They are made
 * here from checked archives of the registry alone, never from what a box has, so a box that gets one reads nothing of another box.
 */
export class InstalledTrees {
  readonly #options: InstalledTreesOptions
  readonly #queue = new Map<string, TreePlan>()
  #making: Promise<void> | null = null
  #closed = false

  constructor(options: InstalledTreesOptions) {
    this.#options = options
  }

  async open(): Promise<void> {
    await mkdir(this.#sealed, { recursive: true })
    await rm(this.#incoming, { recursive: true, force: true })
  }

  /** The tree, which whoever asked closes, or null when it is not there; it is then made for the next time. */
  async find(plan: TreePlan): Promise<FileHandle | null> {
    const now = new Date()
    try {
      const tree = await open(join(this.#sealed, plan.id))
      await tree.utimes(now, now)
      return tree
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
    if (this.#queue.size < LONGEST_QUEUE && !this.#closed) this.#queue.set(plan.id, plan)
    this.#making ??= this.#makeQueued().finally(() => (this.#making = null))
    return null
  }

  /** Where the tree is when it is there. */
  fileOf(plan: TreePlan): string {
    return join(this.#sealed, plan.id)
  }

  /** Resolves when nothing waits to be made. */
  async settled(): Promise<void> {
    while (this.#making !== null) await this.#making
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#queue.clear()
    await this.settled()
  }

  /** One at a time: the person who waits for npm comes first. */
  async #makeQueued(): Promise<void> {
    for (const [id, plan] of this.#queue) {
      try {
        await this.#make(plan)
      } catch (error) {
        this.#options.onFailure(error, plan)
      }
      this.#queue.delete(id)
    }
  }

  async #make(plan: TreePlan): Promise<void> {
    const { mirror, limits = TREE_LIMITS } = this.#options
    await mkdir(this.#incoming, { recursive: true })
    const draft = join(this.#incoming, randomUUID())
    try {
      await sealTree(plan, draft, mirror, limits)
      const file = await open(draft)
      await file.sync().finally(() => file.close())
      await this.#makeRoom((await stat(draft)).size)
      await rename(draft, this.fileOf(plan))
      await this.#options.onMade?.(plan.id, this.fileOf(plan))
    } finally {
      await rm(draft, { force: true })
    }
  }

  async #makeRoom(bytes: number): Promise<void> {
    const { keptBytes = KEPT_BYTES } = this.#options
    if (bytes > keptBytes) throw new PackerError('TOO_LARGE', 'a tree larger than all that is kept')
    const trees = await Promise.all(
      (await readdir(this.#sealed)).map(async (name) => ({ name, ...(await usedAt(join(this.#sealed, name))) })),
    )
    let total = trees.reduce((sum, { size }) => sum + size, bytes)
    for (const { name, size } of trees.toSorted((a, b) => a.usedMs - b.usedMs)) {
      if (total <= keptBytes) return
      await rm(join(this.#sealed, name), { force: true })
      total -= size
    }
  }

  get #sealed(): string {
    return join(this.#options.folder, 'sealed')
  }

  get #incoming(): string {
    return join(this.#options.folder, 'incoming')
  }
}

async function usedAt(path: string): Promise<{ size: number; usedMs: number }> {
  const { size, mtimeMs } = await stat(path)
  return { size, usedMs: mtimeMs }
}
