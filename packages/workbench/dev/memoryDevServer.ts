import { DocumentHistory } from '@boxyard/ot'
import {
  decode,
  dropNil,
  encode,
  methods,
  OPERATION_BY_USER,
  permissionsFor,
  ProtocolError,
  rawFsError,
  savedHash,
  type AccessLevel,
  type Client,
  type GitStatus,
  type MethodName,
  type OpenShell,
  type Permissions,
  type Port,
  type Selection,
  type SetupProgress,
  type Shell,
  type Task,
  type TaskList,
  type TreeOperation,
} from '@boxyard/protocol'
import type { WebSocketLike } from '@boxyard/dev-server-client'
import { MemoryTree, type MemoryNode } from './memoryTree.ts'

const TASK_SHELL = 'shell-dev'

interface OpenDocument {
  history: DocumentHistory
  savedText: string
  selections: Map<string, readonly Selection[]>
  openBy: Set<Peer>
}

interface Peer {
  client: Client
  watches: Map<string, string>
  send(message: object): void
  drop(): void
}

/**
 * A dev server in the page, for the playground and its tests: it speaks the protocol over sockets that are function calls.
 * Files, texts edited together and one echoing shell are real; nothing outlives the page.
 */
export class MemoryDevServer {
  readonly tree: MemoryTree
  readonly workspacePath: string
  readonly #documents = new Map<string, OpenDocument>()
  readonly #peers = new Set<Peer>()
  /** When set, everything that writes files is refused with it. */
  #refusal: ProtocolError | null = null
  /** The shells that are asked for are refused until it is set again. */
  refusesShells = false
  /** Whoever joins is told that they may make no shells. */
  mayCreateShells = true
  /** Files of these names are not written. */
  readonly refusedNames = new Set<string>()
  /** Whoever joins is told that AI can be asked. */
  hasAi = false
  /** The workspace is a repository in which everything is new. */
  isRepository: boolean
  /** Methods that are answered by the end of the connection, the first time each is asked. */
  readonly losingAt: Set<string>
  /** Paths about which no request is ever answered. */
  readonly #holding: Set<string>
  readonly #shells = new Map<string, Shell & { output: string }>()
  #ports: Port[] = []
  #task: Task
  #clock = 0
  #lastPeer = 0
  #lastShell = 0
  #setup: SetupProgress = {
    state: 'FINISHED',
    currentStepIndex: 0,
    steps: [{ name: 'Install packages', command: 'npm install', shellId: null, finishStatus: 'SUCCEEDED' }],
  }

  constructor(
    workspacePath: string,
    files: Record<string, string>,
    {
      losingAt = [],
      holding = [],
      isRepository = false,
    }: { losingAt?: readonly string[]; holding?: readonly string[]; isRepository?: boolean } = {},
  ) {
    this.isRepository = isRepository
    this.losingAt = new Set(losingAt)
    this.#holding = new Set(holding)
    this.workspacePath = workspacePath
    this.tree = new MemoryTree(workspacePath, files)
    this.#task = {
      id: 'dev',
      name: 'Dev server',
      command: 'npm run dev',
      runAtStart: true,
      preview: { port: 5173 },
      shell: null,
      ports: [],
    }
    this.runTask()
  }

  runTask(): Task {
    const shell = {
      shellId: TASK_SHELL,
      name: 'Dev server',
      status: 'RUNNING',
      shellType: 'COMMAND',
      startCommand: 'npm run dev',
    } as const
    this.#shells.set(TASK_SHELL, {
      ...shell,
      output: '\x1b[2m> playground@1.0.0 dev\x1b[0m\r\n\x1b[2m> vite\x1b[0m\r\n\r\n',
    })
    this.#task = { ...this.#task, shell }
    this.#tell('task/update', this.#task)
    return this.#task
  }

  /** Has a program write to the terminal. */
  print(shellId: string, text: string): void {
    this.#output(shellId, text)
  }

  /** A dev container is being made, in a shell of its own for each try. */
  makeDevContainer(): void {
    this.#lastShell += 1
    const shellId = `shell-${this.#lastShell}`
    const shell = { shellId, name: 'onCreateCommand', status: 'RUNNING', shellType: 'COMMAND' } as const
    this.#shells.set(shellId, { ...shell, startCommand: './create', output: 'Creating the container\r\n' })
    const step = { name: 'onCreateCommand', command: './create', shellId, finishStatus: null }
    this.#setSetup({ state: 'IN_PROGRESS', currentStepIndex: 0, steps: [step] })
  }

  endDevContainer(finishStatus: 'SUCCEEDED' | 'FAILED'): void {
    const steps = this.#setup.steps.map((step) => ({ ...step, finishStatus }))
    this.#setSetup({ ...this.#setup, state: finishStatus === 'FAILED' ? 'STOPPED' : 'FINISHED', steps })
  }

  #setSetup(setup: SetupProgress): SetupProgress {
    this.#setup = setup
    this.#tell('setup/progress', setup)
    return setup
  }

  /** Opens the port of the dev server, as if it had started. */
  servePort(): void {
    this.#output(
      TASK_SHELL,
      '  \x1b[32m\x1b[1mVITE\x1b[0m ready in 312 ms\r\n\r\n  \x1b[32m➜\x1b[0m  Local: http://localhost:5173/\r\n',
    )
    this.#ports = [{ port: 5173, url: 'memory-5173' }]
    this.#task = { ...this.#task, ports: this.#ports }
    this.#tell('port/changed', { list: this.#ports })
    this.#tell('task/update', this.#task)
  }

  /** Writes a file as a program in the box does. */
  writeInside(path: string, text: string): void {
    this.#changed(this.tree.write(path, new TextEncoder().encode(text)), [path])
  }

  /** Ends every connection as a lost network does, after which nobody is told of what changes until they are back. */
  loseConnections(): void {
    for (const peer of this.#peers) peer.drop()
    this.#peers.clear()
  }

  refuseWriting(errno: number | null): void {
    this.#refusal = errno === null ? null : rawFsError(errno, 'refused')
  }

  textOf(path: string): string {
    return this.#document(this.tree.at(path).id).history.text
  }

  savedTextOf(path: string): string {
    return new TextDecoder().decode(this.tree.at(path).content)
  }

  isOpenBy(path: string, name: string): boolean {
    const document = this.#documents.get(this.tree.at(path).id)
    return document !== undefined && [...document.openBy].some(({ client }) => client.name === name)
  }

  shellCount(): number {
    return this.#shells.size
  }

  shellNames(): string[] {
    return [...this.#shells.values()].map(({ name }) => name)
  }

  outputOf(shellId: string): string {
    return this.#shells.get(shellId)?.output ?? ''
  }

  /** A socket to this server for one person. */
  connect(person: { name: string; color: string; access: AccessLevel }): WebSocketLike {
    const socket = new MemorySocket((frame) => receive(frame))
    this.#lastPeer += 1
    const peer: Peer = {
      client: {
        clientId: `client-${this.#lastPeer}`,
        username: person.name.toLowerCase(),
        name: person.name,
        avatarUrl: null,
        color: person.color,
        appId: 'playground',
      },
      watches: new Map(),
      send: (message) => socket.deliver(encode(message)),
      drop: () => socket.close(1006, 'lost'),
    }
    const receive = (frame: Uint8Array) => {
      const { id, method, params } = decode(frame) as { id: number; method: MethodName; params: unknown }
      if (this.losingAt.delete(method)) {
        this.loseConnections()
        return
      }
      if (this.#holding.has(pathIn(params))) return
      try {
        const definition = methods[method]
        if (!definition) throw new ProtocolError('FEATURE_UNAVAILABLE')
        const isWriting = definition.permission && /write|create|operation|save|documentOp/i.test(definition.permission)
        if (isWriting && person.access === 'read') throw new ProtocolError('NO_ACCESS')
        if (isWriting && this.#refusal && /^(fs|file)\//.test(method)) throw this.#refusal
        if (isWriting && this.refusedNames.has(pathIn(params).split('/').at(-1)!)) throw rawFsError(13, 'refused')
        if (method === 'shell/create' && this.refusesShells) throw new ProtocolError('NO_ACCESS')
        const result = this.#answer(peer, person.access, method, definition.params.parse(dropNil(params)) as never)
        peer.send({ id, method, status: 0, result })
      } catch (error) {
        const known = error instanceof ProtocolError ? error : new ProtocolError('CRITICAL_ERROR', String(error))
        peer.send({ id, method, status: 1, error: { code: known.code, message: known.message, data: known.data } })
      }
    }
    return socket
  }

  #answer(peer: Peer, access: AccessLevel, method: string, params: never): unknown {
    const given = params as Record<string, never> & {
      path: string
      id: string
      from: string
      to: string
      shellId: string
    }
    switch (method) {
      case 'client/join':
        this.#tell('client/connected', peer.client)
        this.#peers.add(peer)
        return {
          client: peer.client,
          workspacePath: this.workspacePath,
          version: '1.0.0',
          protocolVersion: '1.0.0',
          latestPitcherVersion: '1.0.0',
          capabilities: {
            ...(this.isRepository && { git: { status: true } }),
            ...(this.hasAi && { ai: { chat: 1, suggestCommit: 1, raw: 1 } }),
          },
          permissions: this.#permissionsOf(access),
          isProtected: false,
          reconnectToken: '',
        }
      case 'client/list':
        return [...this.#peers].map(({ client }) => client)
      case 'fs/read':
        return { treeNodes: this.tree.wire(), clock: this.#clock }
      case 'fs/readdir':
        return {
          entries: this.tree
            .children(this.tree.at(given.path))
            .map(({ name, type }) => ({ name, type, isSymlink: false })),
        }
      case 'fs/stat': {
        const { type, content } = this.tree.at(given.path)
        return { type, isSymlink: false, size: content.length, mtime: 1, ctime: 1, atime: 1 }
      }
      case 'fs/readFile': {
        const node = this.tree.at(given.path)
        if (node.type === 1) throw rawFsError(21, 'It is a folder')
        return { content: node.content }
      }
      case 'fs/writeFile':
        return this.#changed(this.tree.write(given.path, given['content'] as never), [given.path])
      case 'fs/mkdir':
        return this.#changed(this.tree.mkdir(given.path), [given.path])
      case 'fs/remove':
        return this.#changed(this.tree.remove(given.path), [given.path])
      case 'fs/rename':
        return this.#changed(this.tree.move(given.from, given.to), [given.from, given.to])
      case 'fs/watch': {
        const watchId = `watch-${peer.watches.size}`
        peer.watches.set(watchId, given.path)
        return { watchId }
      }
      case 'fs/unwatch':
        return {}
      case 'fs/streamingSearch':
        return this.#search(peer, given as never)
      case 'file/openByPath':
        return this.#openFile(peer, this.tree.at(given.path))
      case 'file/open':
        return this.#openFile(peer, this.#node(given.id))
      case 'file/close':
        this.#documents.get(given.id)?.openBy.delete(peer)
        return null
      case 'file/documentOperation': {
        const document = this.#document(given.id)
        const { operation, revision } = document.history.receive(
          given['operation'] as never,
          given['revision'] as never,
        )
        for (const other of document.openBy) {
          if (other !== peer) {
            other.send({ method, params: { id: given.id, operation, revision, reason: OPERATION_BY_USER } })
          }
        }
        return { id: given.id, revision }
      }
      case 'file/documentAck':
        return { revision: given['revision'] }
      case 'file/documentSelection': {
        const document = this.#document(given.id)
        document.selections.set(peer.client.clientId, given['selection'] as never)
        for (const other of document.openBy) {
          if (other === peer) continue
          other.send({ method, params: { id: given.id, selections: { [peer.client.clientId]: given['selection'] } } })
        }
        return null
      }
      case 'file/save': {
        const document = this.#document(given.id)
        document.savedText = document.history.text
        this.#node(given.id).content = new TextEncoder().encode(document.savedText)
        const params = {
          id: given.id,
          isBinary: false,
          content: document.savedText,
          savedHash: savedHash(document.savedText),
        }
        for (const other of document.openBy) other.send({ method, params })
        return null
      }
      case 'shell/list':
        return { shells: [...this.#shells.values()] }
      case 'shell/create':
        return this.#createShell(peer)
      case 'shell/open': {
        const shell = this.#shell(given.shellId)
        return { ...shell, buffer: [shell.output] } satisfies OpenShell
      }
      case 'shell/in':
        this.#input(given.shellId, given['input'] as never)
        return null
      case 'shell/close':
      case 'shell/resize':
        return null
      case 'shell/rename': {
        const shell = { ...this.#shell(given.shellId), name: String(given['name']) }
        this.#shells.set(given.shellId, shell)
        this.#tell('shell/rename', { shell })
        return null
      }
      case 'shell/restart':
        this.#shell(given.shellId).output = ''
        this.#tell('shell/restart', { shellId: given.shellId })
        this.#output(given.shellId, 'begun anew\r\n')
        return null
      case 'shell/terminate': {
        const shell = this.#shell(given.shellId)
        this.#shells.delete(given.shellId)
        this.#tell('shell/terminate', { shellId: given.shellId, author: peer.client.username })
        return { ...shell, status: 'KILLED' }
      }
      case 'task/list':
        return { tasks: { dev: this.#task }, setupTasks: [], validationErrors: [] } satisfies TaskList
      case 'task/run':
        return this.runTask()
      case 'task/stop':
        this.#ports = []
        this.#tell('port/changed', { list: [] })
        this.#task = { ...this.#task, ports: [], shell: this.#task.shell && { ...this.#task.shell, status: 'KILLED' } }
        this.#tell('task/update', this.#task)
        return this.#task
      case 'setup/get':
        return this.#setup
      case 'setup/setStep':
        this.makeDevContainer()
        return this.#setup
      case 'fs/download':
        return { downloadUrl: `https://memory-4242.preview.test/token/${given.path.split('/').at(-1)}.zip` }
      case 'port/list':
        return { list: this.#ports }
      case 'system/update':
        return {}
      case 'git/status':
        return this.#gitStatus()
      case 'git/remotes':
        return { origin: '', upstream: '' }
      case 'ai/suggestCommit':
        return { commit: `Add ${(given['files'] as unknown as string[]).length} files` }
      default:
        throw new ProtocolError('FEATURE_UNAVAILABLE')
    }
  }

  #permissionsOf(access: AccessLevel): Permissions {
    const permissions = permissionsFor(access)
    const shell = { ...permissions.shell, create: permissions.shell.create && this.mayCreateShells }
    return { ...permissions, shell }
  }

  #gitStatus(): GitStatus {
    const side = { head: null, branch: null, ahead: 0, behind: 0, safe: true }
    const files = [...this.tree.nodes.values()].filter(({ type }) => type === 0)
    const item = { index: '?', workingTree: '?', isStaged: false, isConflicted: false } as const
    return {
      changedFiles: Object.fromEntries(
        files.map((node) => [node.id, { ...item, path: this.tree.pathOf(node).slice(this.workspacePath.length + 1) }]),
      ),
      deletedFiles: [],
      conflicts: false,
      localChanges: true,
      remote: side,
      target: side,
      head: 'aaaaaaa',
      commits: [],
      branch: 'main',
      isMerging: false,
    }
  }

  #openFile(peer: Peer, node: MemoryNode): unknown {
    let document = this.#documents.get(node.id)
    if (!document) {
      const text = new TextDecoder().decode(node.content)
      document = {
        history: new DocumentHistory({ text, revision: 0 }),
        savedText: text,
        selections: new Map(),
        openBy: new Set(),
      }
      this.#documents.set(node.id, document)
    }
    document.openBy.add(peer)
    return {
      id: node.id,
      isBinary: false,
      content: document.history.text,
      savedHash: savedHash(document.savedText),
      clients: Object.fromEntries(
        [...document.openBy].map(({ client }) => [client.clientId, { username: client.username }]),
      ),
      document: { revision: document.history.revision, clients: Object.fromEntries(document.selections) },
    }
  }

  #search(peer: Peer, given: { searchId: string; text: string; isRegex?: boolean; caseSensitivity?: string }): unknown {
    const source = given.isRegex ? given.text : given.text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    const pattern = new RegExp(source, given.caseSensitivity === 'enabled' ? 'gu' : 'giu')
    const bytes = (text: string) => new TextEncoder().encode(text).length
    const matches = [...this.tree.nodes.values()].flatMap((node) =>
      new TextDecoder()
        .decode(node.content)
        .split('\n')
        .map((line, index) => ({
          filepath: this.tree.pathOf(node).slice(this.workspacePath.length + 1),
          fileId: node.id,
          lines: { text: `${line}\n` },
          lineNumber: index + 1,
          absoluteOffset: 0,
          submatches: [...line.matchAll(pattern)].map((match) => ({
            match: { text: match[0] },
            start: bytes(line.slice(0, match.index)),
            end: bytes(line.slice(0, match.index + match[0].length)),
          })),
        }))
        .filter(({ submatches }) => submatches.length > 0),
    )
    queueMicrotask(() => {
      peer.send({ method: 'fs/searchMatches', params: { searchId: given.searchId, matches } })
      peer.send({ method: 'fs/searchFinished', params: { searchId: given.searchId, hitLimit: false } })
    })
    return { searchId: given.searchId }
  }

  #shell(shellId: string): Shell & { output: string } {
    const shell = this.#shells.get(shellId)
    if (!shell) throw new ProtocolError('SHELL_NOT_FOUND')
    return shell
  }

  #createShell(peer: Peer): OpenShell {
    this.#lastShell += 1
    const shell = {
      shellId: `shell-${this.#lastShell}`,
      name: 'zsh',
      status: 'RUNNING',
      shellType: 'TERMINAL',
      ownerUsername: peer.client.username,
      isSystemShell: false,
    } as const
    this.#shells.set(shell.shellId, { ...shell, output: '\x1b[32mworkspace\x1b[0m $ ' })
    this.#tell('shell/create', shell)
    return { ...shell, buffer: ['\x1b[32mworkspace\x1b[0m $ '] }
  }

  #input(shellId: string, input: string): void {
    this.#output(shellId, input.replaceAll('\r', '\r\n\x1b[32mworkspace\x1b[0m $ ').replaceAll('\x7f', '\b \b'))
  }

  #output(shellId: string, out: string): void {
    const shell = this.#shells.get(shellId)
    if (!shell) return
    shell.output += out
    this.#tell('shell/out', { shellId, out })
  }

  #changed(operations: TreeOperation[], paths: string[]): object {
    for (const operation of operations) {
      this.#clock += 1
      this.#tell('fs/operations', { operations: [{ operation, clock: this.#clock }] })
    }
    for (const path of paths) {
      const type = !this.tree.find(path) ? 'remove' : operations.length > 0 ? 'add' : 'change'
      for (const peer of this.#peers) {
        for (const [watchId, watched] of peer.watches) {
          if (path.startsWith(watched))
            peer.send({ method: 'fs/watchEvent', params: { watchId, events: [{ type, paths: [path] }] } })
        }
      }
    }
    return {}
  }

  #node(id: string): MemoryNode {
    const node = this.tree.nodes.get(id)
    if (!node) throw new ProtocolError('INVALID_ID')
    return node
  }

  #document(id: string): OpenDocument {
    const document = this.#documents.get(id)
    if (!document) throw new ProtocolError('INVALID_ID')
    return document
  }

  #tell(method: string, params: object): void {
    for (const peer of this.#peers) peer.send({ method, params })
  }
}

/** The path that a request is about; empty where it is about none. */
function pathIn(params: unknown): string {
  return typeof params === 'object' && params !== null && 'path' in params ? String(params.path) : ''
}

class MemorySocket implements WebSocketLike {
  binaryType = 'arraybuffer'
  readyState = 0
  readonly #listeners: Record<string, ((event: never) => void)[]> = {}
  readonly #receive: (frame: Uint8Array) => void

  constructor(receive: (frame: Uint8Array) => void) {
    this.#receive = receive
    setTimeout(() => {
      this.readyState = 1
      this.#fire('open', {})
    })
  }

  addEventListener(type: string, listener: (event: never) => void): void {
    ;(this.#listeners[type] ??= []).push(listener)
  }

  send(data: string | Uint8Array): void {
    // Text frames are heartbeats.
    if (typeof data === 'string') setTimeout(() => this.#fire('message', { data: 'pong' }))
    else setTimeout(() => this.#receive(data))
  }

  deliver(frame: Uint8Array): void {
    setTimeout(() => {
      if (this.readyState === 1) this.#fire('message', { data: frame.slice().buffer })
    })
  }

  close(code = 1000, reason = ''): void {
    this.readyState = 3
    setTimeout(() => this.#fire('close', { code, reason, wasClean: true }))
  }

  #fire(type: string, event: object): void {
    for (const listener of this.#listeners[type] ?? []) listener(event as never)
  }
}
