import type { NotificationName, NotificationParams, OpenShell, Port, Task } from '@boxyard/protocol'
import { NODE_FILE, ProtocolError } from '@boxyard/protocol'
import type { FileChange } from '../common/fromProcess.ts'
import type { FileChanges } from '../common/processMessages.ts'
import { PREVIEW_PORT } from '../common/previewPort.ts'
import { readManifest, serverScriptOf, sourcesOf, STARTS, startsNode } from '../common/projectManifest.ts'
import type { ProjectManifest } from '../common/projectManifest.ts'
import type { Documents } from './documents.ts'
import { notImplemented } from './errors.ts'
import type { Files } from './files.ts'
import { Processes } from './processes.ts'
import { Shells } from './shells.ts'
import { sourcesRequester } from './sourcesRequester.ts'
import type { Sources } from './sourcesRequester.ts'
import { WORKSPACE } from './tree.ts'
import type { SandboxNode } from './tree.ts'

/** Opens frames on the hosts of previews, in the page of the editor. */
export interface OpenPlaces {
  /** The page that starts processes; resolves with the line to it. */
  openProcesses(): Promise<MessagePort>
  /** The gate of a port. */
  openGate(port: number): Promise<MessagePort>
  /** All of them are left: from now on they are on other hosts. */
  leave(): void
}

export interface ProgramsOptions {
  /** Null: nothing can run. */
  places: OpenPlaces | null
  /** Address of the sandbox at the API. */
  api: string
  /** Host of the preview that needs no program. */
  previewHost: string
  files: Files
  documents: Documents
  /** Whether what programs write is stored. */
  mayStore(): boolean
  changeDependency(command: string): Promise<string>
  tell<N extends NotificationName>(name: N, params: NotificationParams<N>): void
  onTasks(): void
  onPorts(): void
  timers: Pick<typeof globalThis, 'setTimeout' | 'clearTimeout'>
}

/** What runs in a sandbox besides its preview: terminals, the scripts of package.json, and the servers that those start. */
export class Programs {
  readonly shells: Shells
  readonly #options: ProgramsOptions
  readonly #processes: Processes
  /** The shell of each task that has run, by the name of the task. */
  readonly #runs = new Map<string, { shellId: string; command: string; isScript: boolean }>()
  #previewHost: string
  #requestSources: (dependencies: Readonly<Record<string, string>>) => Promise<Sources>
  #begun = false

  constructor(options: ProgramsOptions) {
    this.#options = options
    this.#previewHost = options.previewHost
    this.#requestSources = sourcesRequester(options.api)
    this.#processes = new Processes({
      openPage: () => this.#places().openProcesses(),
      openGate: (port) => this.#places().openGate(port),
      files: () => this.#snapshot(),
      apply: (change) => this.#apply(change),
      sources: () => this.#sources(),
      changeDependency: async (command) => {
        if (!options.mayStore()) throw new ProtocolError('NO_ACCESS', 'this sandbox can only be read')
        return options.changeDependency(command)
      },
      isTaken: (port) => port === PREVIEW_PORT && !this.isServer,
      onPorts: () => {
        // Whoever hears of a port looks for its task.
        options.onTasks()
        options.onPorts()
      },
      timers: options.timers,
    })
    this.shells = new Shells({
      processes: this.#processes,
      tell: (name, params) => options.tell(name, params),
      newId: () => crypto.randomUUID(),
      onEnded: () => options.onTasks(),
    })
  }

  /** Whether the preview of this sandbox is a server of its own: there is no page, and a script that starts Node. */
  get isServer(): boolean {
    if (this.#options.files.tree.find(`${WORKSPACE}/index.html`)) return false
    return serverScriptOf(this.#manifest()) !== undefined
  }

  get ports(): Port[] {
    return this.#processes.ports.open.map((port) => ({
      port,
      url: this.#previewHost.replace(`-${PREVIEW_PORT}.`, `-${port}.`),
    }))
  }

  /** Somebody has it open: a server starts by itself, once. */
  begin(): void {
    if (this.#begun) return
    this.#begun = true
    if (this.isServer && this.#options.places) this.runTask(this.#startScript())
  }

  tasks(): Record<string, Task> {
    const { scripts } = this.#manifest()
    const { isServer } = this
    const tasks: Record<string, Task> = {}
    for (const [name, command] of Object.entries(scripts)) {
      // What starts a server for the browser is what the preview does by itself.
      if (!isServer && (STARTS as readonly string[]).includes(name) && !startsNode(command)) continue
      const runsAtStart = isServer && name === this.#startScript()
      tasks[name] = { ...this.#task(name, `npm run ${name}`), ...(runsAtStart ? { runAtStart: true } : {}) }
    }
    for (const [name, run] of this.#runs)
      if (!run.isScript && !Object.hasOwn(tasks, name))
        tasks[name] = { ...this.#task(name, run.command), unconfigured: true }
    return tasks
  }

  runTask(taskId: string): Task {
    if (!Object.hasOwn(this.#manifest().scripts, taskId))
      throw new ProtocolError('INVALID_ID', 'package.json has no such script')
    return this.#run(taskId, `npm run ${taskId}`, true)
  }

  runCommand(command: string, name = command): Task {
    return { ...this.#run(name.slice(0, 200), command, false), unconfigured: true }
  }

  openTerminal(username: string, options: Parameters<Shells['openTerminal']>[1]): OpenShell {
    this.#places()
    return this.shells.openTerminal(username, options)
  }

  openCommand(command: string, options: Parameters<Shells['runCommand']>[1]): OpenShell {
    this.#places()
    return this.shells.runCommand(command, options)
  }

  stopTask(taskId: string): Task | null {
    const run = this.#runs.get(taskId)
    if (!run) return null
    this.shells.stop(run.shellId)
    return this.#task(taskId, run.command)
  }

  /** A file of the project is another one. */
  changed(path: string, node: SandboxNode | null): void {
    if (node === null) return this.#processes.changed(new Map([[path, null]]))
    if (node.type !== NODE_FILE) return undefined
    if (!node.isBinary) return this.#processes.changed(new Map([[path, node.code]]))
    this.#options.files.contentOf(node).then(
      (content) => this.#processes.changed(new Map([[path, content]])),
      // The preview says it; programs go on with what they have.
      () => undefined,
    )
    return undefined
  }

  /** The sandbox is a copy from now on, on other hosts: programs start again there. */
  moveTo({ previewHost, api }: { previewHost: string; api: string }): void {
    const ran = [...this.#runs].filter(
      ([, { shellId, isScript }]) => isScript && this.shells.get(shellId)?.status === 'RUNNING',
    )
    for (const [name] of ran) this.stopTask(name)
    this.#processes.endAll()
    this.shells.lostAll()
    this.#options.places?.leave()
    this.#previewHost = previewHost
    this.#requestSources = sourcesRequester(api)
    for (const [name] of ran) this.runTask(name)
  }

  #places(): OpenPlaces {
    if (!this.#options.places) throw notImplemented()
    return this.#options.places
  }

  #run(name: string, command: string, isScript: boolean): Task {
    this.#places()
    const before = this.#runs.get(name)
    if (before && this.shells.get(before.shellId)?.status === 'RUNNING') {
      this.shells.restart(before.shellId)
    } else {
      const { shellId } = this.shells.runCommand(command, { name })
      this.#runs.set(name, { shellId, command, isScript })
    }
    this.#options.onTasks()
    return this.#task(name, command)
  }

  #task(name: string, command: string): Task {
    const run = this.#runs.get(name)
    const shell = run === undefined ? undefined : this.shells.get(run.shellId)
    const pid = run === undefined ? undefined : this.shells.pidOf(run.shellId)
    return {
      id: name,
      name,
      command,
      shell: shell?.shellType === 'COMMAND' ? shell : null,
      ports: pid === undefined ? [] : this.ports.filter(({ port }) => this.#processes.ownerOf(port) === pid),
    }
  }

  #startScript(): string {
    return serverScriptOf(this.#manifest()) ?? 'start'
  }

  #manifest(): ProjectManifest {
    const node = this.#options.files.tree.find(`${WORKSPACE}/package.json`)
    return readManifest(node?.type === NODE_FILE && !node.isBinary ? node.code : '{}')
  }

  async #sources(): Promise<{ address: string; versions: Readonly<Record<string, string>> } | null> {
    const dependencies = sourcesOf(this.#manifest())
    if (!dependencies) return null
    const { id, versions } = await this.#requestSources(dependencies)
    return { address: `/__boxyard/sources/${id}`, versions }
  }

  async #snapshot() {
    const { files } = this.#options
    const found = new Map<string, string | Uint8Array>()
    const folders: string[] = []
    await Promise.all(
      [...files.tree.nodes.values()].map(async (node) => {
        const path = files.tree.pathOf(node)
        if (node.type !== NODE_FILE) return void folders.push(path === '/' ? '' : path)
        found.set(path, node.isBinary ? await files.contentOf(node) : node.code)
      }),
    )
    return { files: found, folders: folders.filter((path) => path !== '') }
  }

  /** What a process wrote, in the project; answers with what is there afterwards. */
  async #apply(change: FileChange): Promise<FileChanges> {
    const { files, documents, mayStore } = this.#options
    const paths = change.kind === 'rename' ? [change.from, change.to] : [change.path]
    if (paths.some((path) => !path.startsWith(`${WORKSPACE}/`) || path.split('/').includes('..')))
      throw new ProtocolError('INVALID_PATH', 'this is outside of the project')
    if (!mayStore()) throw new ProtocolError('NO_ACCESS', 'this sandbox can only be read')
    switch (change.kind) {
      case 'write': {
        const content = typeof change.content === 'string' ? new TextEncoder().encode(change.content) : change.content
        const always = { create: true, overwrite: true, isInline: true }
        const { node, text } = await files.writeFile(change.path, content, always)
        if (text !== null) await documents.write(node, text)
        break
      }
      case 'mkdir':
        await files.mkdir(change.path, true)
        break
      case 'remove':
        await files.remove(change.path, true)
        break
      case 'rename':
        await files.rename(change.from, change.to, true)
    }
    const now = new Map<string, string | Uint8Array | null>()
    for (const path of paths) {
      const node = files.tree.find(path)
      if (node?.type !== NODE_FILE) continue
      now.set(path.slice(WORKSPACE.length), node.isBinary ? await files.contentOf(node) : node.code)
    }
    return now
  }
}
