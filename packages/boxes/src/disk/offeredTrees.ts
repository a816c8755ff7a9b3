import { randomBytes } from 'node:crypto'
import { mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import type { KeptTree } from './sharedTrees.ts'

/** What one layer of a box takes. Beyond that the box unpacks trees itself: what it removes is not given back before the layer goes. */
const MOST_TREES = 64
const MOST_KIBIBYTES = 4 * 1024 ** 2
const FOLDER = 'trees'
const NAME = /^([0-9a-f]{64})\.(\d+)\.[0-9a-f]{16}$/

/**
 * A layer below a running box that trees are added to. The kernel does not say what happens when a layer below changes in what has been
 * seen of it, so nothing here is ever changed or removed: each tree comes under a new name, as a whole, and is looked at only afterwards.
 */
export class OfferedTrees {
  readonly #folder: string

  /** `layer` is the folder of the layer on the host. */
  constructor(layer: string) {
    this.#folder = path.join(layer, FOLDER)
  }

  async create(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o755 })
  }

  async isEmpty(): Promise<boolean> {
    return (await this.#trees()).length === 0
  }

  /** Adds a tree by `put`. Its path from the root of the disk, or null when the layer takes no more. */
  async add(tree: KeptTree, put: (target: string) => Promise<void>): Promise<string | null> {
    const trees = await this.#trees()
    const isNew = trees.every(({ id }) => id !== tree.id)
    const after = kibibytesOf(trees) + (isNew ? tree.kibibytes : 0)
    if (trees.length >= MOST_TREES || after > MOST_KIBIBYTES) return null
    const name = `${tree.id}.${tree.kibibytes}.${randomBytes(8).toString('hex')}`
    await put(path.join(this.#folder, name))
    return path.join(FOLDER, name)
  }

  /** What boxes would take that had unpacked each of these trees once. */
  async usage(): Promise<number> {
    return kibibytesOf(await this.#trees()) * 1024
  }

  async #trees(): Promise<KeptTree[]> {
    return (await readdir(this.#folder)).flatMap((name) => {
      const [, id, kibibytes] = NAME.exec(name) ?? []
      return id === undefined ? [] : [{ id, kibibytes: Number(kibibytes) }]
    })
  }
}

/** The same tree twice has its content once. */
function kibibytesOf(trees: readonly KeptTree[]): number {
  return [...new Map(trees.map(({ id, kibibytes }) => [id, kibibytes])).values()].reduce((sum, one) => sum + one, 0)
}
