import { NODE_FILE, ROOT_ID } from '@boxyard/protocol'
import type { StoredSandbox } from './storage.ts'
import type { FileNode, SandboxTree } from './tree.ts'

/** Less than any version that the server has: whoever begins with it reads the files again when the server is there. */
const UNKNOWN_VERSION = -1

/** The files as they are shown now, with texts as they are edited. */
export function snapshotOf(tree: SandboxTree, textOf: (node: FileNode) => string): StoredSandbox {
  const nodes = [...tree.nodes.values()].filter(({ id }) => id !== ROOT_ID)
  const folderOf = ({ parentId }: { parentId: string | null }) => {
    const parent = parentId === null ? undefined : tree.nodes.get(parentId)
    return parent?.type === NODE_FILE ? null : (parent?.shortid ?? null)
  }
  return {
    version: UNKNOWN_VERSION,
    modules: nodes.flatMap((node) =>
      node.type !== NODE_FILE
        ? []
        : [
            {
              shortid: node.shortid,
              title: node.name,
              directoryShortid: folderOf(node),
              code: node.isBinary ? node.code : textOf(node),
              isBinary: node.isBinary,
              insertedAt: node.ctime,
              updatedAt: node.mtime,
            },
          ],
    ),
    directories: nodes.flatMap((node) =>
      node.type === NODE_FILE || node.shortid === null
        ? []
        : [{ shortid: node.shortid, title: node.name, directoryShortid: folderOf(node) }],
    ),
  }
}
