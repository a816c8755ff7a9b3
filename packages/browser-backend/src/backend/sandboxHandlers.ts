import { listLanguages, NODE_FILE, ProtocolError, ROOT_ID } from '@boxyard/protocol'
import type {
  Capabilities,
  MethodName,
  Params,
  Port,
  Result,
  SearchResult,
  StreamingSearchResult,
  TaskList,
} from '@boxyard/protocol'
import type { Channels } from './channels.ts'
import { clientOf } from './clientOf.ts'
import type { Connection } from './connection.ts'
import { parseDependencyCommand } from './dependencyCommand.ts'
import type { DependencyCommand } from './dependencyCommand.ts'
import type { Documents } from './documents.ts'
import { fileError, notImplemented } from './errors.ts'
import type { Files } from './files.ts'
import type { LanguageArea } from './languageArea.ts'
import { PREVIEW_SHELL, PREVIEW_TASK } from './previewTask.ts'
import type { PreviewTask } from './previewTask.ts'
import type { Programs } from './programs.ts'
import type { Room } from './room.ts'
import { searchPaths, searchTexts } from './search.ts'
import type { SearchedFile } from './search.ts'
import { WORKSPACE } from './tree.ts'
import type { FileNode } from './tree.ts'

/** `reply` answers at once, where what is told next has to come behind it. */
export type Handler<M extends MethodName> = (
  params: Params<M>,
  connection: Connection,
  reply: (result: Result<M>) => void,
) => Promise<Result<M>> | Result<M>
export type Handlers = { [M in MethodName]?: Handler<M> }

/** The sandbox, as far as its clients ask for it. */
export interface HandledSandbox {
  readonly files: Files
  readonly documents: Documents
  readonly preview: PreviewTask
  readonly language: LanguageArea | null
  readonly programs: Programs
  readonly channels: Channels
  readonly timers: Pick<typeof globalThis, 'setTimeout' | 'clearTimeout'>
  room(): Room
  /** Its address at the API. */
  api(): string
  /** Whether changes go to the platform as they are. */
  isOwn(): boolean
  joined(): Iterable<Connection>
  searched(): Iterable<SearchedFile>
  ports(): Port[]
  tasks(): TaskList
  /** Resolves when changes go to a copy that is the person's own. */
  own(): Promise<void>
  /** Gives the preview what waits to be shown now that this file is saved. */
  showSaved(node: FileNode): void
  /** Resolves with what was done, as it is told. */
  changeDependency(change: DependencyCommand): Promise<string>
}

const capabilities: Capabilities = {
  language: { list: true, pitcherLsp: true },
  client: { status: true, list: true },
  file: { status: true, openClose: true, openByPath: true, save: true, ot: true, selection: true },
  fs: { raw: true, read: true, operations: true, search: true, streamingSearch: true, pathSearch: true },
  port: { list: true, status: true },
  channel: { subscribe: true, message: true },
  setup: { get: true, progress: true },
  shell: { io: true, list: true, openClose: true, createTerminate: true, restart: true, resize: true, status: true },
  task: { list: true, run: true, stop: true, runCommand: true },
  system: { metrics: false, update: true },
}

/** What answers each method of the protocol; one that is missing here is not implemented. */
export function sandboxHandlers(sandbox: HandledSandbox): Handlers {
  const { files, documents, preview, language, programs, channels, timers } = sandbox
  const { tree } = files
  const absolute = (path: string) => (path.startsWith('/') ? path : `${WORKSPACE}/${path}`)
  const fileOf = (id: string) => {
    const node = tree.nodes.get(id)
    if (node?.type !== NODE_FILE) throw new ProtocolError('INVALID_ID')
    return node
  }
  return {
    'client/join': ({ clientInfo }, connection) => {
      connection.client = { ...connection.client, appId: clientInfo.appId }
      connection.isJoined = true
      return {
        client: connection.client,
        workspacePath: WORKSPACE,
        version: '1.0.0',
        protocolVersion: clientInfo.protocolVersion,
        latestPitcherVersion: '1.0.0',
        capabilities,
        permissions: connection.permissions,
        isProtected: false,
        reconnectToken: '',
      }
    },
    'client/list': () => [
      ...[...sandbox.joined()].map(({ client }) => client),
      ...[...sandbox.room().people].map(clientOf),
    ],

    'fs/read': () => ({ treeNodes: tree.shown(), clock: tree.clock }),
    'fs/operation': ({ operation }) => files.operation(operation),
    'fs/readFile': async ({ path }) => ({ content: await files.readFile(path) }),
    'fs/readdir': ({ path }) => ({
      entries: tree
        .children(tree.directory(path).id)
        .filter((node) => !tree.isHidden(node))
        .map(({ name, type }) => ({ name, type, isSymlink: false })),
    }),
    'fs/stat': async ({ path }) => {
      const node = tree.find(path)
      if (!node) throw fileError('FILE_NOT_FOUND')
      const times =
        node.type === NODE_FILE
          ? { mtime: node.mtime, ctime: node.ctime, atime: node.mtime }
          : { mtime: 0, ctime: 0, atime: 0 }
      const size = node.type === NODE_FILE ? await files.sizeOf(node) : 0
      return { type: node.type, isSymlink: false, size, ...times }
    },
    'fs/writeFile': async ({ path, content, create, overwrite }) => {
      const { node, text } = await files.writeFile(absolute(path), content, {
        create: create === true,
        overwrite: overwrite === true,
      })
      if (text !== null) await documents.write(node, text)
      return {}
    },
    'fs/mkdir': async ({ path, recursive }) => {
      await files.mkdir(absolute(path), recursive === true)
      return {}
    },
    'fs/remove': async ({ path, recursive }) => {
      await files.remove(path, recursive === true)
      return {}
    },
    'fs/rename': async ({ from, to, overwrite }) => {
      await files.rename(absolute(from), absolute(to), overwrite === true)
      return {}
    },
    'fs/copy': async ({ from, to, recursive, overwrite }) => {
      await files.copy(absolute(from), absolute(to), { recursive: recursive === true, overwrite: overwrite === true })
      return {}
    },
    'fs/upload': async ({ parentId, filename, content }) => {
      const parent = tree.nodes.get(parentId)
      if (!parent) throw new ProtocolError('INVALID_ID')
      const folder = files.pathOf(parent)
      const { node } = await files.writeFile(`${folder}/${filename}`, content, { create: true, overwrite: false })
      return { fileId: node.id }
    },
    'fs/download': ({ path = '' }) => {
      // The platform makes an archive of everything.
      if (tree.directory(path) !== tree.nodes.get(ROOT_ID)) throw notImplemented()
      return { downloadUrl: `${sandbox.api()}/export` }
    },
    'fs/watch': ({ path, recursive }, connection) => {
      const watchId = crypto.randomUUID()
      connection.watches.set(watchId, { path: absolute(path), isRecursive: recursive === true })
      return { watchId }
    },
    'fs/unwatch': ({ watchId }, connection) => {
      if (!connection.watches.delete(watchId)) throw new ProtocolError('INVALID_ID', 'Unknown watch')
      return {}
    },
    'fs/search': (request) => [...searchTexts(sandbox.searched(), request)].map(withoutPath),
    'fs/streamingSearch': ({ searchId, maxResults, ...request }, connection) => {
      const found = searchTexts(sandbox.searched(), request)
      connection.searches.add(searchId)
      // The answer has to be there before the first match.
      timers.setTimeout(() => {
        if (!connection.searches.delete(searchId)) return
        const matches = []
        let hitLimit = false
        for (const result of found) {
          hitLimit = matches.length === maxResults
          if (hitLimit) break
          matches.push(result)
        }
        if (matches.length > 0) connection.notify('fs/searchMatches', { searchId, matches })
        connection.notify('fs/searchFinished', { searchId, hitLimit })
      }, 0)
      return { searchId }
    },
    'fs/cancelStreamingSearch': ({ searchId }, connection) => {
      connection.searches.delete(searchId)
      return { searchId }
    },
    'fs/pathSearch': ({ text }) => ({
      matches: searchPaths(
        [...sandbox.searched()].map(({ path }) => path),
        text,
      ),
    }),

    'file/open': ({ id, sinceRevision }, connection, reply) =>
      documents.open(fileOf(id), connection, sinceRevision, reply),
    'file/openByPath': ({ path, sinceRevision }, connection, reply) =>
      documents.open(tree.file(path), connection, sinceRevision, reply),
    'file/close': ({ id }, connection) => {
      documents.close(id, connection)
      return null
    },
    'file/save': async ({ id, write }, connection) => {
      const node = fileOf(id)
      // Saving what is saved changes nothing.
      if (!sandbox.isOwn() && documents.textOf(node) !== node.code) await sandbox.own()
      // Who saves wants to see it; where it is kept answers later.
      sandbox.showSaved(node)
      await documents.save(id, write !== false, connection)
      sandbox.showSaved(node)
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

    'language/list': () => language?.list() ?? { languages: listLanguages(new Set()) },
    'language/lspRequest': (request, connection) => {
      if (!language) throw notImplemented()
      return language.request(request, connection)
    },
    // It asks its clients nothing.
    'language/lspServerResponse': () => null,

    'channel/subscribe': ({ name }, connection) => channels.subscribe(name, connection),
    'channel/unsubscribe': ({ name }, connection) => {
      channels.unsubscribe(name, connection)
      return {}
    },
    'channel/message': (message, connection) => channels.say(message, connection),

    'port/list': () => ({ list: sandbox.ports() }),
    'task/list': () => sandbox.tasks(),
    'task/runCommand': async ({ command, name }) => {
      const change = parseDependencyCommand(command)
      if (change) {
        await sandbox.changeDependency(change)
        return preview.dependencyTask(command)
      }
      return programs.runCommand(command, name)
    },
    'task/run': ({ taskId }) => {
      if (taskId === PREVIEW_TASK) return preview.task
      return programs.runTask(taskId)
    },
    'task/stop': ({ taskId }) => {
      return programs.stopTask(taskId)
    },
    'setup/get': () => ({
      state: 'FINISHED',
      currentStepIndex: 0,
      steps: [{ name: 'Open the sandbox', command: '', shellId: null, finishStatus: 'SUCCEEDED' }],
    }),
    'shell/list': () => ({
      shells: [...(programs.isServer ? [] : [preview.shell]), ...programs.shells.all],
    }),
    'shell/create': ({ command, cwd, size, type }, connection) => {
      if (command !== undefined || type === 'COMMAND') return programs.openCommand(command ?? '', { cwd, size })
      return programs.openTerminal(connection.client.username, { cwd, size })
    },
    'shell/open': ({ shellId, size }) => {
      if (shellId === PREVIEW_SHELL) return preview.openShell
      const shells = programs.shells
      if (size) shells.resize(shellId, size)
      return shells.open(shellId)
    },
    'shell/close': () => null,
    'shell/in': ({ shellId, input }) => {
      // Nothing is typed into the preview.
      if (shellId !== PREVIEW_SHELL) programs.shells.write(shellId, input)
      return null
    },
    'shell/resize': ({ shellId, size }) => {
      if (shellId !== PREVIEW_SHELL) programs.shells.resize(shellId, size)
      return null
    },
    'shell/restart': ({ shellId }) => {
      programs.shells.restart(shellId)
      return null
    },
    'shell/rename': ({ shellId, name }) => {
      programs.shells.rename(shellId, name)
      return null
    },
    'shell/terminate': ({ shellId }, connection) => programs.shells.terminate(shellId, connection.client.username),
    'system/update': () => ({}),
  }
}

/** A match as the older call has it. */
function withoutPath({
  fileId,
  lines,
  lineNumber,
  absoluteOffset,
  submatches,
}: StreamingSearchResult & { fileId: string }): SearchResult {
  return { fileId, lines, lineNumber, absoluteOffset, submatches }
}
