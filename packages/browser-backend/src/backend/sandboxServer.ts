import {
  ANONYMOUS_USERNAME,
  decode,
  dropNil,
  MAX_TEXT_LENGTH,
  methods,
  NODE_FILE,
  permissionsFor,
  ProtocolError,
  requestSchema,
  RESOLVED,
  REJECTED,
} from '@boxyard/protocol'
import type { AccessLevel, MethodName, Port, TaskList } from '@boxyard/protocol'
import type { EngineStatus } from '../compile/engine.ts'
import { Channels } from './channels.ts'
import { clientOf } from './clientOf.ts'
import { Connection } from './connection.ts'
import { changeDependency, parseDependencyCommand } from './dependencyCommand.ts'
import type { DependencyCommand } from './dependencyCommand.ts'
import { Documents } from './documents.ts'
import { fileError, nameless, notImplemented } from './errors.ts'
import { Files } from './files.ts'
import { LanguageArea } from './languageArea.ts'
import type { OpenLanguage } from './languagePort.ts'
import { PREVIEW_SHELL, PreviewTask } from './previewTask.ts'
import { Programs } from './programs.ts'
import type { OpenPlaces } from './programs.ts'
import type { SearchedFile } from './search.ts'
import type { Room } from './room.ts'
import { sandboxHandlers } from './sandboxHandlers.ts'
import type { HandledSandbox, Handler, Handlers } from './sandboxHandlers.ts'
import { storedDirectorySchema, storedModuleSchema } from './restStorage.ts'
import type { SandboxStorage, UnsentTexts } from './storage.ts'
import { snapshotOf } from './snapshotOf.ts'
import { TextsToShow } from './textsToShow.ts'
import type { PreviewRun } from './textsToShow.ts'
import { SandboxTree, WORKSPACE } from './tree.ts'
import type { FileNode, SandboxNode } from './tree.ts'

export interface Person {
  username: string
  name: string
  avatarUrl: string | null
}

/** Where a sandbox is kept and met. */
export interface SandboxPlace {
  storage: SandboxStorage
  unsent: UnsentTexts
  /** Where everybody who has this sandbox open meets. */
  room: Room
  /** Host name of the preview. */
  previewHost: string
  /** Its address at the API. */
  api: string
}

export interface SandboxServerOptions extends SandboxPlace {
  /** The id of this page in rooms, which its first client has too; absent where nobody else is met. */
  pageId?: string
  access: AccessLevel
  /**
   * Makes a copy that is the person's own, for the first change by somebody who may not change this one. Rejects with what is to be told.
   * Null: there is none to be had.
   */
  fork: (() => Promise<SandboxPlace>) | null
  /** Null for a visitor. */
  person: Person | null
  /** The newest version of a package. Rejects with what is to be told. */
  latestVersion(name: string): Promise<string>
  /** Where programs run; absent where none do. */
  places?: OpenPlaces
  /** Starts what knows the language of the files; absent where there is nothing that does. */
  openLanguage?: OpenLanguage
  /** Files of the project changed, by path in it; null for one that is gone. Called at once for what is saved. */
  onFiles(changes: ReadonlyMap<string, string | Uint8Array | null>): void
  /** Somebody gave the sandbox a machine: what is changed here from now on is not stored. */
  onConverted(): void
  /** Whether the room has gone away: what is changed is kept on this device until it is back. */
  onAway(isAway: boolean): void
  timers?: Pick<typeof globalThis, 'setTimeout' | 'clearTimeout'>
}

/** What one client says and hears. */
export interface ServerEnd {
  receive(frame: Uint8Array): void
  closed(): void
}

/** What somebody who may not change the sandbox does in a copy of their own. */
const CHANGES: ReadonlySet<MethodName> = new Set([
  'file/documentOperation',
  'fs/operation',
  'fs/writeFile',
  'fs/mkdir',
  'fs/remove',
  'fs/rename',
  'fs/copy',
  'fs/upload',
  'task/runCommand',
  'task/run',
  'shell/in',
  'shell/restart',
])

/** What is typed is on this device before it is answered; this is about what others typed, and about files. */
const KEEP_DELAY_MS = 500
const WATCH_FLUSH_MS = 100
/** Until the room gives one that nobody else has. */
const COLOR = '#FFE500'
const VISITOR_COLOR = '#FF0000'

/** The back end of a sandbox without a machine: speaks the dev-server protocol over the files that the platform keeps. */
export class SandboxServer {
  readonly #options: SandboxServerOptions
  readonly #files: Files
  readonly #documents: Documents
  readonly #preview: PreviewTask
  readonly #language: LanguageArea | null
  readonly #programs: Programs
  readonly #connections = new Set<Connection>()
  readonly #channels = new Channels(() => this.#room)
  readonly #handlers: Handlers
  readonly #timers: Pick<typeof globalThis, 'setTimeout' | 'clearTimeout'>
  #room: Room
  #storage: SandboxStorage
  /** Address of the sandbox at the API. */
  #api: string
  /** Whether changes go to the platform as they are. */
  #isOwn: boolean
  #forking: Promise<void> | undefined
  readonly #textsToShow: TextsToShow
  #keepTimer: ReturnType<typeof setTimeout> | undefined
  readonly #watchEvents: { type: 'add' | 'change' | 'remove'; path: string }[] = []
  #willFlush = false
  #version = 0

  /** Reads the sandbox and begins. */
  static async open(options: SandboxServerOptions): Promise<SandboxServer> {
    const [stored, left] = await Promise.all([options.storage.load(), options.unsent.load()])
    const server = new SandboxServer(options, new SandboxTree(stored), left)
    server.#version = stored.version
    server.#enter()
    await server.#showAll()
    return server
  }

  private constructor(
    options: SandboxServerOptions,
    tree: SandboxTree,
    left: Awaited<ReturnType<UnsentTexts['load']>>,
  ) {
    this.#options = options
    this.#room = options.room
    this.#storage = options.storage
    this.#api = options.api
    this.#isOwn = options.access !== 'read'
    this.#timers = options.timers ?? globalThis
    this.#textsToShow = new TextsToShow((texts) => this.#give(texts), this.#timers)
    this.#files = new Files({
      tree,
      storage: options.storage,
      now: Date.now,
      newId: () => crypto.randomUUID(),
      onOperation: (operation, clock) => {
        for (const connection of this.#joined())
          connection.notify('fs/operations', { operations: [{ operation, clock }] })
      },
      onEvent: (type, path, node, isHidden) => this.#changed(type, path, node, isHidden),
      onUnanswered: () => {
        // When the room is back it says what version there is.
        if (!this.#room.isLost) this.#reload()
      },
    })
    this.#documents = new Documents({
      files: this.#files,
      room: options.room,
      unsent: options.unsent,
      mayTell: this.#isOwn,
      left,
      onText: (node, text) => {
        const path = this.#files.tree.pathOf(node)
        this.#language?.change(new Map([[path, text]]))
        this.#textsToShow.edited(path, text)
        this.#keepLater()
      },
      onOpened: () => this.#language?.openedChanged(),
      onRefused: (node, message) =>
        this.log('error', `${this.#files.tree.pathOf(node).slice(1)} is kept on this device alone: ${message}`),
    })
    this.#preview = new PreviewTask(options.previewHost, (out) => {
      for (const connection of this.#joined()) connection.notify('shell/out', { shellId: PREVIEW_SHELL, out })
    })
    this.#language = this.#makeLanguage()
    this.#programs = this.#makePrograms()
    this.#handlers = sandboxHandlers(this.#handled())
  }

  accept(send: (frame: Uint8Array) => void): ServerEnd {
    const { person, access, fork } = this.#options
    const connection = new Connection(
      {
        clientId: this.#freeClientId(),
        username: person?.username ?? ANONYMOUS_USERNAME,
        name: person?.name ?? 'Anonymous',
        avatarUrl: person?.avatarUrl ?? null,
        color: this.#room.self?.color ?? (person ? COLOR : VISITOR_COLOR),
        appId: '',
      },
      permissionsFor(person ? (fork ? 'write' : access) : 'read'),
      send,
    )
    this.#connections.add(connection)
    return {
      receive: (frame) => void this.#answer(frame, connection),
      closed: () => {
        this.#connections.delete(connection)
        this.#documents.left(connection)
        this.#language?.left(connection)
        this.#channels.left(connection)
        const { clientId } = connection.client
        for (const other of this.#joined()) other.notify('client/disconnected', { clientId, reason: 'Disconnect' })
      },
    }
  }

  #freeClientId(): string {
    const { pageId } = this.#options
    const isFree = [...this.#connections].every(({ client }) => client.clientId !== pageId)
    return pageId !== undefined && isFree ? pageId : crypto.randomUUID()
  }

  /** Goes to where the others are, and tells the clients of this page what it hears there. */
  #enter(): void {
    const room = this.#room
    room.begin({
      joined: () => {
        for (const connection of this.#connections) {
          connection.client = { ...connection.client, color: room.self!.color }
          if (!connection.isJoined) continue
          for (const other of this.#joined()) other.notify('client/updated', connection.client)
        }
        this.#documents.joined()
        this.#channels.joined()
        this.#options.onAway(false)
      },
      lost: () => {
        this.#documents.lost()
        this.#channels.lost()
        if (room === this.#room) this.#options.onAway(true)
      },
      state: (version, unsaved) => {
        this.#documents.follow(unsaved)
        if (version !== this.#version) this.#reload()
      },
      arrived: (person) => {
        for (const connection of this.#joined()) connection.notify('client/connected', clientOf(person))
      },
      left: ({ id }) => {
        this.#documents.personLeft(id)
        for (const connection of this.#joined())
          connection.notify('client/disconnected', { clientId: id, reason: 'Disconnect' })
      },
      files: ({ modules, directories, removedModules, removedDirectories }) => {
        const change = {
          modules: modules.map((one) => storedModuleSchema.parse(one)),
          directories: directories.map((one) => storedDirectorySchema.parse(one)),
          removedModules,
          removedDirectories,
        }
        void this.#files.adopt(change)
      },
      document: (message) => this.#documents.hear(message),
      channel: (message) => this.#channels.hear(message),
      converted: () => this.#options.onConverted(),
    })
  }

  #reload(): void {
    this.#files.reload().then(
      (version) => (this.#version = version),
      (error: unknown) => this.log('warn', `The files could not be read again: ${String(error)}`),
    )
  }

  tell(status: EngineStatus): void {
    if (status.kind === 'ready' || status.kind === 'problem') this.#language?.previewed()
    this.#preview.tell(status)
  }

  /** A line of the page's console. */
  log(level: string, text: string): void {
    const color = { error: '31', warn: '33' }[level]
    this.#preview.write(color === undefined ? text : `\u001b[${color}m${text}\u001b[0m`)
  }

  async #answer(frame: Uint8Array, connection: Connection): Promise<void> {
    const request = requestSchema.parse(dropNil(decode(frame)))
    const { id, method } = request
    let isAnswered = false
    const reply = (result: unknown) => {
      if (!isAnswered) connection.send({ id, method, status: RESOLVED, result })
      isAnswered = true
    }
    try {
      reply(await this.#handle(method, request.params, connection, reply))
      if (method === 'client/join') {
        this.#announce(connection)
        this.#programs.begin()
      }
    } catch (error) {
      const known =
        error instanceof ProtocolError
          ? error
          : new ProtocolError('CRITICAL_ERROR', error instanceof Error ? error.message : String(error))
      const { code, message, data } = known
      connection.send({
        id,
        method,
        status: REJECTED,
        error: { code, message, ...(data === undefined ? {} : { data }) },
      })
    }
  }

  async #handle(
    name: string,
    given: unknown,
    connection: Connection,
    reply: (result: unknown) => void,
  ): Promise<unknown> {
    if (!Object.hasOwn(methods, name)) throw notImplemented()
    const method = name as MethodName
    if (!connection.isJoined && method !== 'client/join')
      throw new ProtocolError('NO_ACCESS', 'Join before any other request')
    const { params, permission } = methods[method]
    if (permission !== null) {
      const [group = '', key = ''] = permission.split('.')
      const flags: Readonly<Record<string, Readonly<Record<string, boolean>>>> = connection.permissions
      if (flags[group]?.[key] !== true) throw new ProtocolError('NO_ACCESS')
    }
    const handler = this.#handlers[method] as Handler<MethodName> | undefined
    if (!handler) throw notImplemented()
    const parsed = params.safeParse(given)
    if (!parsed.success) throw namelessEntry(method, given) ?? invalid(parsed.error.issues)
    if (!this.#isOwn && CHANGES.has(method)) await this.#own()
    return handler(parsed.data as never, connection, reply)
  }

  #handled(): HandledSandbox {
    return {
      files: this.#files,
      documents: this.#documents,
      preview: this.#preview,
      language: this.#language,
      programs: this.#programs,
      channels: this.#channels,
      timers: this.#timers,
      room: () => this.#room,
      api: () => this.#api,
      isOwn: () => this.#isOwn,
      joined: () => this.#joined(),
      searched: () => this.#searched(),
      ports: () => this.#ports(),
      tasks: () => this.#tasks(),
      own: () => this.#own(),
      showSaved: (node) => this.#textsToShow.saved(this.#files.tree.pathOf(node)),
      changeDependency: (change) => this.#changeDependency(change),
    }
  }

  #ports(): Port[] {
    const { isServer, ports } = this.#programs
    return isServer ? ports : [this.#preview.port, ...ports]
  }

  #tasks(): TaskList {
    const list = this.#preview.list()
    const programs = this.#programs
    return { ...list, tasks: { ...(programs.isServer ? {} : list.tasks), ...programs.tasks() } }
  }

  /** Resolves with what was done, as it is told. */
  async #changeDependency(change: DependencyCommand): Promise<string> {
    const node = this.#files.tree.find(`${WORKSPACE}/package.json`)
    if (node?.type !== NODE_FILE) throw fileError('FILE_NOT_FOUND')
    const { name } = change
    let range: string | null = null
    if (change.kind === 'add') range = change.range ?? `^${await this.#options.latestVersion(name)}`
    await this.#documents.write(node, changeDependency(node.code, name, range))
    const done = range === null ? `Removed ${name}` : `Added ${name} ${range}`
    this.log('info', done)
    return done
  }

  /** Whatever was to be changed is so in a copy, once there is one; what comes meanwhile waits for it too. */
  #own(): Promise<void> {
    this.#forking ??= this.#fork().finally(() => (this.#forking = undefined))
    return this.#forking
  }

  async #fork(): Promise<void> {
    const { fork } = this.#options
    if (!fork) throw new ProtocolError('NO_ACCESS')
    let place: SandboxPlace
    try {
      place = await fork()
      this.#version = await this.#files.reload(place.storage)
    } catch (error) {
      // Final for an editor: it keeps what was typed and asks its person, in place of trying for ever.
      throw new ProtocolError('NO_ACCESS', error instanceof Error ? error.message : String(error))
    }
    const before = this.#room
    this.#room = place.room
    before.close()
    this.#storage = place.storage
    this.#api = place.api
    this.#isOwn = true
    await this.#documents.moveTo(place)
    this.#preview.moveTo(place.previewHost)
    this.#language?.moved(place.api)
    // Programs ran where the original has its previews.
    this.#programs.moveTo(place)
    this.#tellPorts()
    this.#tellTasks()
    this.#enter()
  }

  #announce(connection: Connection): void {
    for (const other of this.#joined()) if (other !== connection) other.notify('client/connected', connection.client)
  }

  *#joined(): Iterable<Connection> {
    for (const connection of this.#connections) if (connection.isJoined) yield connection
  }

  *#searched(): Iterable<SearchedFile> {
    const { tree } = this.#files
    for (const node of tree.files()) {
      if (node.isBinary || tree.isHidden(node)) continue
      yield { id: node.id, path: tree.pathOf(node).slice(1), text: this.#documents.textOf(node) }
    }
  }

  #changed(type: 'add' | 'change' | 'remove', path: string, node: SandboxNode, isHidden: boolean): void {
    this.#keepLater()
    if (!isHidden) {
      this.#watchEvents.push({ type, path })
      if (!this.#willFlush) this.#timers.setTimeout(() => this.#flushWatches(), WATCH_FLUSH_MS)
      this.#willFlush = true
    }
    if (node.type !== NODE_FILE) return
    const inside = path.slice(WORKSPACE.length)
    this.#textsToShow.forget(inside)
    if (type === 'remove') {
      this.#give(new Map([[inside, null]]))
      if (!this.#files.tree.nodes.has(node.id)) this.#documents.removed(node)
    } else {
      void this.#show([node])
    }
    if (inside === '/package.json') this.#tellTasks()
    this.#programs.changed(inside, type === 'remove' ? null : node)
  }

  #tellTasks(): void {
    for (const connection of this.#joined()) connection.notify('task/listUpdate', this.#tasks())
  }

  #tellPorts(): void {
    for (const connection of this.#joined()) connection.notify('port/changed', { list: this.#ports() })
  }

  #flushWatches(): void {
    this.#willFlush = false
    const events = this.#watchEvents.splice(0)
    for (const connection of this.#joined()) {
      for (const [watchId, { path: watched, isRecursive }] of connection.watches) {
        const seen = events.filter(({ path }) => {
          if (path === watched) return true
          if (!path.startsWith(`${watched}/`)) return false
          return isRecursive || !path.slice(watched.length + 1).includes('/')
        })
        if (seen.length > 0)
          connection.notify('fs/watchEvent', {
            watchId,
            events: seen.map(({ type, path }) => ({ type, paths: [path] })),
          })
      }
    }
  }

  /** Gives files to the preview; those of other addresses are fetched first. */
  async #show(nodes: Iterable<Extract<SandboxNode, { type: typeof NODE_FILE }>>): Promise<void> {
    const { tree } = this.#files
    const changes = new Map<string, string | Uint8Array>()
    await Promise.all(
      [...nodes].map(async (node) => {
        if (!node.isBinary) {
          const text = this.#documents.textOf(node)
          if (text.length <= MAX_TEXT_LENGTH) changes.set(tree.pathOf(node), text)
          return
        }
        const content = await this.#files.contentOf(node).catch((error: unknown) => {
          this.log('error', `${tree.pathOf(node).slice(1)} could not be fetched: ${String(error)}`)
          return undefined
        })
        if (content) changes.set(tree.pathOf(node), content)
      }),
    )
    this.#give(changes)
  }

  /** Gives files to whoever compiles them. */
  #give(changes: ReadonlyMap<string, string | Uint8Array | null>): void {
    this.#language?.change(changes)
    this.#options.onFiles(changes)
  }

  #makePrograms(): Programs {
    const { places, api, previewHost } = this.#options
    return new Programs({
      places: places ?? null,
      api,
      previewHost,
      files: this.#files,
      documents: this.#documents,
      mayStore: () => this.#isOwn,
      changeDependency: async (command) => {
        const change = parseDependencyCommand(command)
        if (!change)
          throw new ProtocolError('INVALID_PARAMS', `${command.split(' ').at(-1)} is not the name of a package`)
        return this.#changeDependency(change)
      },
      tell: (name, params) => {
        for (const connection of this.#joined()) connection.notify(name, params)
      },
      onTasks: () => this.#tellTasks(),
      onPorts: () => this.#tellPorts(),
      timers: this.#timers,
    })
  }

  #makeLanguage(): LanguageArea | null {
    const { openLanguage } = this.#options
    if (!openLanguage) return null
    const { tree } = this.#files
    const documents = this.#documents
    const textFiles = function* () {
      for (const node of tree.files()) if (!node.isBinary) yield [tree.pathOf(node), documents.textOf(node)] as const
    }
    return new LanguageArea({
      open: openLanguage,
      texts: textFiles,
      openPaths: () => [...documents.opened()].map((node) => tree.pathOf(node)),
      textOf: (path) => {
        const node = tree.find(WORKSPACE + path)
        return node?.type === NODE_FILE && !node.isBinary ? documents.textOf(node) : undefined
      },
      workspace: WORKSPACE,
      onSaid: (level, text) => this.log(level, text),
      timers: this.#timers,
    })
  }

  #showAll(): Promise<void> {
    return this.#show(this.#files.tree.files())
  }

  /** Without the server the sandbox opens as it is shown here. */
  #keepLater(): void {
    this.#timers.clearTimeout(this.#keepTimer)
    this.#keepTimer = this.#timers.setTimeout(() => {
      const textOf = (node: FileNode) => this.#documents.textOf(node)
      this.#storage.keep(snapshotOf(this.#files.tree, textOf))
    }, KEEP_DELAY_MS)
  }

  /** When the preview follows a text, from now on. */
  runPreview(run: PreviewRun): void {
    this.#textsToShow.follow(run)
  }
}

const invalid = ([issue]: { message: string }[]) => new ProtocolError('INVALID_PARAMS', issue?.message)

/** A new entry without a name is told in words of its own. */
function namelessEntry(method: MethodName, given: unknown): ProtocolError | undefined {
  if (method !== 'fs/operation') return undefined
  const asked = given as { operation?: { type?: unknown; newEntry?: { type?: unknown; name?: unknown } } } | null
  const { type, newEntry } = asked?.operation ?? {}
  return type === 'create' && !newEntry?.name ? nameless(newEntry?.type) : undefined
}
