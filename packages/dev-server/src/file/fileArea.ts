import type { Area } from '../area.ts'
import { boxPath } from '../fs/boxPath.ts'
import { readablePath } from '../fs/readablePath.ts'
import type { Documents } from './documents.ts'

/** Files that people edit together. */
export function createFileArea(documents: Documents, workspace: string): Area {
  return {
    handlers: {
      'file/open': async ({ id, sinceRevision }, connection, reply) => {
        const path = documents.pathOf(id)
        if (path !== undefined) await readablePath(workspace, path, connection)
        return documents.open(id, connection, sinceRevision, reply)
      },
      'file/openByPath': async ({ path, sinceRevision }, connection, reply) => {
        const readable = await readablePath(workspace, boxPath(workspace, path), connection)
        return documents.openByPath(readable, connection, sinceRevision, reply)
      },
      'file/close': ({ id }, connection) => {
        documents.close(id, connection)
        return null
      },
      'file/save': async ({ id, write }, connection) => {
        await documents.save(id, write !== false, connection)
        return null
      },
      'file/documentOperation': ({ id, operation, revision }, connection, reply) =>
        documents.receive(id, operation, revision, connection, reply),
      'file/documentAck': ({ id, revision }, connection) => {
        documents.acknowledge(id, revision, connection)
        return { revision }
      },
      'file/documentSelection': ({ id, selection, reason }, connection) => {
        documents.select(id, selection, reason, connection)
        return null
      },
    },
    left: (connection) => documents.left(connection),
    dispose: () => Promise.resolve(),
  }
}
