import type { IncomingMessage, ServerResponse } from 'node:http'
import { gunzip } from 'node:zlib'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { BoxDriver } from '@boxyard/boxes'
import { PackerError, planTree, treeRequestSchema } from '@boxyard/packer'
import type { EgressService, InstalledTrees, TreePlan } from '@boxyard/packer'
import { sendFile } from './sendFile.ts'

const TREE_PATH = '/packages/tree'
/** Gzipped and plain: what boxes send of the largest lockfiles that are taken has two megabytes. */
const MAX_REQUEST_BYTES = 2 * 1024 * 1024
const MAX_LOCKFILE_BYTES = 6 * 1024 * 1024
/** Trees on their way to one box; each costs a process. */
const MOST_SENT = 4

/** `into`: an empty folder, from the workspace, that the tree may take the place of. */
const requestSchema = treeRequestSchema.extend({ into: z.string().min(1).max(1000).optional() })

const unzip = promisify(gunzip)

/**
 * Hands a box what npm would unpack for its lockfile: put in the place of a folder that the box names (201), or else as one archive (200). The
 * box sends the lockfile and says what machine it is; the answer is made of packages of the registry that this installation has checked itself.
 */
export function treeService(
  trees: Pick<InstalledTrees, 'find' | 'fileOf'>,
  boxes: Pick<BoxDriver, 'giveTree' | 'keepTree'>,
  onFailure: (error: unknown) => void,
): EgressService {
  /** Reading a lockfile keeps the server busy, so each box has one read at a time. */
  const busy = new Set<string>()
  const sending = new Map<string, number>()
  const giveOrKeep = async (boxId: string, plan: TreePlan, into: string): Promise<boolean> => {
    try {
      if (await boxes.giveTree(boxId, plan.id, into)) return true
    } catch (error) {
      onFailure(error)
      return false
    }
    // For the next time: made by an earlier server, or removed to make room.
    void boxes.keepTree(plan.id, trees.fileOf(plan)).catch(onFailure)
    return false
  }
  return {
    path: TREE_PATH,
    async answer(boxId, request: IncomingMessage, response: ServerResponse) {
      if (request.method !== 'POST') throw new PackerError('METHOD_NOT_ALLOWED')
      if ((sending.get(boxId) ?? 0) >= MOST_SENT)
        throw new PackerError('TREE_MISSING', 'several trees are on their way to this box')
      if (busy.has(boxId)) throw new PackerError('TREE_MISSING', 'another lockfile of this box is being read')
      busy.add(boxId)
      const { tree, plan, into } = await readRequest(request)
        .then(async ({ into: folder, ...wanted }) => {
          const planned = planTree(wanted)
          return { plan: planned, into: folder, tree: await trees.find(planned) }
        })
        .finally(() => busy.delete(boxId))
      if (tree === null) throw new PackerError('TREE_MISSING')
      const given = into === undefined ? false : await giveOrKeep(boxId, plan, into)
      if (given) {
        await tree.close()
        response.writeHead(201, { 'content-length': 0, connection: 'close' }).end()
        return
      }
      sending.set(boxId, (sending.get(boxId) ?? 0) + 1)
      try {
        await sendFile(tree, 'application/x-tar', response)
      } finally {
        const left = (sending.get(boxId) ?? 1) - 1
        if (left === 0) sending.delete(boxId)
        else sending.set(boxId, left)
        await tree.close()
      }
    },
  }
}

async function readRequest(request: IncomingMessage) {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_REQUEST_BYTES) throw new PackerError('TOO_LARGE', 'the lockfile')
    chunks.push(chunk)
  }
  let content: unknown
  try {
    const text = await unzip(Buffer.concat(chunks), { maxOutputLength: MAX_LOCKFILE_BYTES })
    content = JSON.parse(text.toString())
  } catch (cause) {
    throw new PackerError('BAD_REQUEST', 'the lockfile could not be read', { cause })
  }
  const parsed = requestSchema.safeParse(content)
  if (!parsed.success) throw new PackerError('NOT_PLAIN', 'the lockfile has another form')
  return parsed.data
}
