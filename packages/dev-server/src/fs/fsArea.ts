import { join } from 'node:path'
import { ProtocolError, type TreeOperation } from '@boxyard/protocol'
import type { Area, Connection, Handlers } from '../area.ts'
import type { Log } from '../log.ts'
import { systemTimers } from '../shell/Timers.ts'
import { boxPath } from './boxPath.ts'
import { Downloads } from './Downloads.ts'
import { fsError, withErrno } from './errno.ts'
import { searchPaths } from './pathSearch.ts'
import { rawFiles } from './rawFiles.ts'
import { readablePath } from './readablePath.ts'
import { TextSearches } from './textSearches.ts'
import { Watches } from './watches.ts'
import type { Workspace } from './workspace.ts'

const IGNORED = { code: 1 } as const

export interface FsArea extends Area {
  readonly downloads: Downloads
}

/** Files: raw calls by path, the mirrored tree, watches and search. */
export function createFsArea(
  workspace: Workspace,
  log: Log,
  options: { textSearch: boolean; previewHost: (port: number) => string },
): FsArea {
  const downloads = new Downloads(systemTimers)
  const watches = new Watches(log)
  const searches = new TextSearches(workspace)
  const at = (path: string): string => boxPath(workspace.root, path)
  const readable = (path: string, connection: Connection): Promise<string> =>
    readablePath(workspace.root, at(path), connection)

  const operate = async (
    operation: TreeOperation,
    connection: Connection,
  ): Promise<{ code: 0; clock: number } | { code: 1 }> => {
    const clock = await withErrno(() => workspace.operate(operation, connection.client.clientId))
    return clock === null ? IGNORED : { code: 0, clock }
  }

  const handlers: Partial<Handlers> = {
    'fs/read': (_params, _connection, reply) =>
      new Promise((resolve, reject) => {
        workspace
          .read((tree) => {
            reply(tree)
            resolve(tree)
          })
          .catch(reject)
      }),
    'fs/operation': ({ operation }, connection) => operate(operation, connection),
    'fs/upload': async ({ parentId, filename, content }) => {
      const folder = workspace.pathOf(parentId)
      if (folder === undefined) throw new ProtocolError('INVALID_ID')
      const path = join(folder, filename)
      await rawFiles.writeFile(path, content, { create: true, overwrite: false })
      await workspace.touched(path)
      const fileId = workspace.idAt(path)
      if (fileId === undefined) throw fsError('ENOENT', path)
      return { fileId }
    },
    'fs/download': async ({ path, excludes }, connection) => {
      const readableFolder = await readable(path ?? '', connection)
      const offered = await withErrno(() => downloads.offer(readableFolder, excludes))
      const host = options.previewHost(offered.port)
      // Only a machine that is its own host is reached without encryption.
      const scheme = /\.localhost(:\d+)?$/.test(host) ? 'http' : 'https'
      return { downloadUrl: `${scheme}://${host}${offered.path}` }
    },
    'fs/pathSearch': ({ text }) => ({ matches: searchPaths(workspace.filePaths(), text) }),

    'fs/readFile': async ({ path }, connection) => rawFiles.readFile(await readable(path, connection)),
    'fs/readdir': async ({ path }, connection) => rawFiles.readdir(await readable(path, connection)),
    'fs/stat': async ({ path }, connection) => rawFiles.stat(await readable(path, connection)),
    'fs/writeFile': async ({ path, content, create, overwrite }) => {
      await rawFiles.writeFile(at(path), content, { create: create === true, overwrite: overwrite === true })
      await workspace.touched(at(path))
      return {}
    },
    'fs/copy': async ({ from, to, recursive, overwrite }) => {
      await rawFiles.copy(at(from), at(to), { recursive: recursive === true, overwrite: overwrite === true })
      await workspace.touched(at(to))
      return {}
    },
    'fs/rename': async ({ from, to, overwrite }) => {
      await rawFiles.checkRename(at(from), at(to), { overwrite: overwrite === true })
      await withErrno(() => workspace.rename(at(from), at(to)))
      return {}
    },
    'fs/remove': async ({ path, recursive }) => {
      await rawFiles.remove(at(path), { recursive: recursive === true })
      await workspace.touched(at(path))
      return {}
    },
    'fs/mkdir': async ({ path, recursive }) => {
      await rawFiles.mkdir(at(path), { recursive: recursive === true })
      await workspace.touched(at(path))
      return {}
    },
    'fs/watch': async ({ path, recursive, excludes }, connection) => ({
      watchId: await watches.add(connection, await readable(path, connection), {
        recursive: recursive === true,
        excludes: excludes ?? [],
      }),
    }),
    'fs/unwatch': async ({ watchId }, connection) => {
      if (!(await watches.remove(connection, watchId))) throw new ProtocolError('INVALID_ID', 'Unknown watch')
      return {}
    },
  }
  if (options.textSearch) Object.assign(handlers, searches.handlers)

  return {
    downloads,
    handlers,
    left(connection) {
      searches.cancelAll(connection)
      watches.removeAll(connection).catch((error: unknown) => log.error('A watch could not be ended', error))
    },
    async dispose() {
      searches.dispose()
      await downloads.dispose()
      await watches.dispose()
    },
  }
}
