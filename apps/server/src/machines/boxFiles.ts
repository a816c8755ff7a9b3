import { BoxError } from '@boxyard/boxes'
import { NODE_FILE, treeNodeSchema } from '@boxyard/protocol'
import type { TreeNode } from '@boxyard/protocol'
import { z } from 'zod'
import { readDevServerText } from '../edge/boxHttp.ts'
import type { MachineGateway } from '../edge/machineGateway.ts'
import { askDevServer } from './askDevServer.ts'

/** More than people look through in a list. */
const MOST_FILES = 5_000
const notShown = new Set(['node_modules', '.git'])
const treeSchema = z.object({ treeNodes: z.array(treeNodeSchema) })

/** The files of a running box, for whoever may read it and has no editor; every answer is null when it does not run, and none wakes it. */
export class BoxFiles {
  readonly #machines: MachineGateway
  readonly #platformToken: (boxId: string, epoch: number) => Promise<string>

  constructor(machines: MachineGateway, platformToken: (boxId: string, epoch: number) => Promise<string>) {
    this.#machines = machines
    this.#platformToken = platformToken
  }

  /** Paths relative to the workspace, without what is installed. */
  paths(boxId: string): Promise<string[] | null> {
    return this.#whileRunning(boxId, async (epoch) => {
      const token = await this.#platformToken(boxId, epoch)
      const tree = await askDevServer(await this.#machines.connect(boxId), token, 'fs/read', {})
      return pathsOf(treeSchema.parse(tree).treeNodes)
    })
  }

  /** Null also where there is no text at the path. */
  text(boxId: string, path: string): Promise<string | null> {
    return this.#whileRunning(boxId, async () => readDevServerText(await this.#machines.connect(boxId), path))
  }

  async #whileRunning<T>(boxId: string, read: (epoch: number) => Promise<T>): Promise<T | null> {
    const epoch = this.#machines.epochOf(boxId)
    if (epoch === undefined) return null
    try {
      return await read(epoch)
    } catch (error) {
      // It stopped at this moment.
      if (error instanceof BoxError) return null
      throw error
    }
  }
}

/** The paths of the files of a tree, in its order; what a folder that is not shown holds is left out with it. */
export function pathsOf(nodes: readonly TreeNode[]): string[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const known = new Map<string, string | null>()
  const pathOf = ({ id, name, parentId }: TreeNode): string | null => {
    const found = known.get(id)
    if (found !== undefined) return found
    const parent = parentId === undefined ? undefined : byId.get(parentId)
    if (!parent || name === undefined) return ''
    const above = notShown.has(name) ? null : pathOf(parent)
    const path = above === null ? null : above === '' ? name : `${above}/${name}`
    known.set(id, path)
    return path
  }
  const paths: string[] = []
  for (const node of nodes) {
    if (node.type !== NODE_FILE) continue
    const path = pathOf(node)
    if (path !== null && path !== '') paths.push(path)
    if (paths.length === MOST_FILES) break
  }
  return paths
}
