import { fromProcessSchema } from '../common/fromProcess.ts'
import type { FileChange, FromProcess } from '../common/fromProcess.ts'
import type {
  FileChanges,
  FromProcessesPage,
  ProcessStart,
  ShownProcess,
  SpawnRequest,
  TerminalSize,
  ToProcess,
  ToProcessesPage,
} from '../common/processMessages.ts'
import { SIGNALS } from '../common/signals.ts'
import { Ports } from './ports.ts'

/** How long a process may take to hear a signal. One that does not is in a loop without an end. */
const HEARS_SIGNALS_MS = 1000
const MAX_PROCESSES = 64
/** How many children a program of Node may start at once that have a number at once, as in Node. */
const SPARE_PIDS = 16

export interface ProcessesOptions {
  /** The page that starts processes; opened when the first one is asked for. */
  openPage(): Promise<MessagePort>
  /** Lets previews reach a port; resolves with the line to its gate. */
  openGate(port: number): Promise<MessagePort>
  files(): Promise<{ files: ReadonlyMap<string, string | Uint8Array>; folders: readonly string[] }>
  /** Stores what a process changed. Rejects with what is to be told. */
  apply(change: FileChange): Promise<FileChanges>
  /** Where the content of node_modules is, with the versions in it; null without dependencies. Rejects with what is to be told. */
  sources(): Promise<{ address: string; versions: Readonly<Record<string, string>> } | null>
  /** Changes the dependencies; resolves with what was done. */
  changeDependency(command: string): Promise<string>
  /** Whether somebody else has the port. */
  isTaken(port: number): boolean
  onPorts(): void
  timers?: Pick<typeof globalThis, 'setTimeout' | 'clearTimeout'>
}

export interface StartOptions {
  program: 'node' | 'shell'
  argv: readonly string[]
  env?: Readonly<Record<string, string>>
  cwd: string
  terminal: TerminalSize | null
  onOut(data: string | Uint8Array): void
  onExit(code: number): void
}

export interface RunningProcess {
  readonly pid: number
  write(data: string): void
  resize(size: TerminalSize): void
  signal(signal: string): void
  /** At once, with everything it has started. */
  end(): void
}

interface Process {
  pid: number
  port: MessagePort
  parent: Process | null
  /** How its parent calls it. */
  child: number
  children: Map<number, Process>
  /** Numbers that its children may have. */
  spare: Set<number>
  inherits: boolean
  /** What was started, as people write it. */
  command: string
  terminal: TerminalSize | null
  out(fd: 1 | 2, data: string | Uint8Array): void
  exited(code: number | null, signal: string | null): void
  /** What it is told before it is told what to do; null from then on. */
  early: { message: ToProcess; transfer: Transferable[] }[] | null
  /** What it has written is stored one after the other. */
  stored: Promise<void>
  unheard: ReturnType<typeof setTimeout> | undefined
  isOver: boolean
}

const ENVIRONMENT = { HOME: '/nodebox', PATH: '/usr/bin:/bin', USER: 'sandbox', LANG: 'en_US.UTF-8', TMPDIR: '/tmp' }

/** The processes of a sandbox: workers on the origin of its preview. What they say is checked, and touches this sandbox alone. */
export class Processes {
  readonly #options: ProcessesOptions
  readonly #byId = new Map<number, Process>()
  readonly ports: Ports<Process>
  #page: Promise<MessagePort> | undefined
  #lastPid = 100

  constructor(options: ProcessesOptions) {
    this.#options = options
    this.ports = new Ports({
      openGate: (port) => options.openGate(port),
      isTaken: (port) => options.isTaken(port),
      onChange: () => options.onPorts(),
      onLine: (process, port, line) => this.#tell(process, { type: 'line', port, line }, [line]),
      timers: options.timers ?? globalThis,
    })
  }

  start(options: StartOptions): RunningProcess {
    const { program, argv, cwd, terminal } = options
    const env = {
      ...ENVIRONMENT,
      ...(terminal ? { TERM: 'xterm-256color', COLORTERM: 'truecolor' } : {}),
      ...options.env,
    }
    const process = this.#make(
      { program, argv: [...argv], cwd, env, inherits: false, talks: false },
      {
        parent: null,
        child: 0,
        terminal,
        out: (_fd, data) => options.onOut(data),
        exited: (code, signal) => options.onExit(code ?? 128 + (SIGNALS[signal ?? ''] ?? 0)),
      },
    )
    return {
      pid: process.pid,
      write: (data) => this.#tell(process, { type: 'stdin', data }),
      resize: (size) => this.#resize(process, size),
      signal: (signal) => this.#signal(process, signal),
      end: () => this.#end(process, null, 'SIGKILL'),
    }
  }

  /** Files changed elsewhere. */
  changed(changes: FileChanges): void {
    for (const process of this.#byId.values()) this.#tell(process, { type: 'files', changes })
  }

  /** Which first program a port belongs to. */
  ownerOf(port: number): number | undefined {
    let owner = this.ports.ownerOf(port)
    while (owner?.parent) owner = owner.parent
    return owner?.pid
  }

  #shown(): ShownProcess[] {
    return [...this.#byId.values()].map((process) => ({
      pid: process.pid,
      ppid: process.parent?.pid ?? 1,
      command: process.command,
      ports: this.ports.portsOf(process),
    }))
  }

  /** Ends everything, and the page that ran it. */
  endAll(): void {
    for (const process of this.#byId.values()) if (!process.parent) this.#end(process, null, 'SIGKILL')
    this.ports.clear()
    this.#page = undefined
  }

  #make(request: SpawnRequest, to: Pick<Process, 'parent' | 'child' | 'terminal' | 'out' | 'exited'>): Process {
    const { port1, port2 } = new MessageChannel()
    const pid = to.parent?.spare.delete(request.pid ?? 0) ? request.pid! : ++this.#lastPid
    const process: Process = {
      ...to,
      pid,
      port: port1,
      children: new Map(),
      spare: new Set(Array.from({ length: request.program === 'node' ? SPARE_PIDS : 0 }, () => ++this.#lastPid)),
      inherits: request.inherits,
      command: [request.program === 'node' ? 'node' : 'sh', ...request.argv].join(' '),
      early: [],
      stored: Promise.resolve(),
      unheard: undefined,
      isOver: false,
    }
    this.#byId.set(pid, process)
    port1.onmessage = ({ data }: MessageEvent<unknown>) => {
      const said = fromProcessSchema.safeParse(data)
      // Code of a program may say what it likes; what is no message of a process is none.
      if (said.success && !process.isOver) this.#hear(process, said.data)
    }
    this.#begin(process, request, port2).catch((error: unknown) => {
      process.out(2, `${error instanceof Error ? error.message : String(error)}\n`)
      this.#end(process, 1, null)
    })
    return process
  }

  async #begin(process: Process, request: SpawnRequest, port: MessagePort): Promise<void> {
    if (this.#byId.size > MAX_PROCESSES)
      throw new Error(`More than ${MAX_PROCESSES} programs run already. End some of them first.`)
    const { program, argv, env, cwd, talks } = request
    this.#page ??= this.#openPage()
    const sources = program === 'node' ? this.#options.sources() : null
    sources?.catch(() => undefined)
    const page = await this.#page
    // A program may write what it starts.
    await process.parent?.stored
    const { files, folders } = await this.#options.files()
    const found = await sources
    if (process.isOver) return
    const start: ProcessStart = {
      type: 'start',
      pid: process.pid,
      ppid: process.parent?.pid ?? 1,
      argv,
      env,
      cwd,
      files,
      folders,
      sources: found?.address ?? null,
      terminal: process.terminal,
      talks,
      pids: [...process.spare],
    }
    process.port.postMessage(start)
    for (const { message, transfer } of process.early ?? []) process.port.postMessage(message, transfer)
    process.early = null
    page.postMessage({ type: 'spawn', pid: process.pid, program, port } satisfies ToProcessesPage, [port])
  }

  async #openPage(): Promise<MessagePort> {
    const opening = this.#options.openPage()
    opening.catch(() => (this.#page = undefined))
    const page = await opening
    page.onmessage = ({ data }: MessageEvent<Partial<FromProcessesPage> | null>) => {
      const process = this.#byId.get(Number(data?.pid))
      if (!process) return
      process.out(2, `${String(data?.message)}\n`)
      this.#end(process, 1, null)
    }
    return page
  }

  #hear(process: Process, message: FromProcess): void {
    const tell = (answer: ToProcess) => this.#tell(process, answer)
    const answer = (id: number, work: Promise<unknown>) => {
      work.then(
        (value) => tell({ type: 'answer', id, error: null, value }),
        (error: unknown) => {
          const { code = 'ERR', message: words = String(error) } = error as { code?: unknown; message?: string }
          tell({ type: 'answer', id, error: { code: String(code), message: words } })
        },
      )
    }
    switch (message.type) {
      case 'out':
        return process.out(message.fd, message.data)
      case 'took':
        return this.#heard(process)
      case 'exit':
        // What it has written last is stored before anybody hears that it ended.
        this.#heard(process)
        process.stored.then(
          () => this.#end(process, message.signal === null ? message.code : null, message.signal),
          () => undefined,
        )
        return undefined
      case 'write':
        return this.#store(process, message.change)
      case 'spawn': {
        const { child, ...request } = message
        const parent = process
        const made = this.#make(request, {
          parent,
          child,
          terminal: message.inherits ? parent.terminal : null,
          out: message.inherits
            ? (fd, data) => parent.out(fd, data)
            : (fd, data) => tell({ type: 'child-out', child, fd, data }),
          exited: (code, signal) => {
            parent.children.delete(child)
            if (!parent.isOver) tell({ type: 'child-exit', child, code, signal })
          },
        })
        parent.children.set(child, made)
        const spare = made.pid === message.pid ? ++this.#lastPid : null
        if (spare !== null) parent.spare.add(spare)
        return tell({ type: 'child-started', child, pid: made.pid, spare })
      }
      case 'child-stdin': {
        const child = process.children.get(message.child)
        return child && this.#write(child, message.data)
      }
      case 'child-signal': {
        const child = process.children.get(message.child)
        return child && this.#signal(child, message.signal)
      }
      case 'child-message': {
        const child = process.children.get(message.child)
        return child && this.#tell(child, { type: 'message', value: message.value })
      }
      case 'message': {
        const { parent, child } = process
        return parent ? this.#tell(parent, { type: 'child-message', child, value: message.value }) : undefined
      }
      case 'child-disconnect': {
        const child = process.children.get(message.child)
        return child && this.#tell(child, { type: 'disconnect' })
      }
      case 'disconnect': {
        const { parent, child } = process
        return parent ? this.#tell(parent, { type: 'child-disconnect', child }) : undefined
      }
      case 'signal': {
        const target = this.#byId.get(message.pid)
        if (target && message.signal !== '0') this.#signal(target, message.signal)
        return answer(
          message.id,
          target ? Promise.resolve() : Promise.reject(Object.assign(new Error('kill ESRCH'), { code: 'ESRCH' })),
        )
      }
      case 'processes':
        return answer(message.id, Promise.resolve(this.#shown()))
      case 'listen':
        return answer(
          message.id,
          this.ports.listen(process, message.port, (words) => process.out(2, `${words}\n`)),
        )
      case 'unlisten':
        return this.ports.close(process, message.port)
      case 'connect': {
        const { id, port } = message
        const owner = this.ports.ownerOf(port)
        if (!owner) return tell({ type: 'answer', id, error: { code: 'ECONNREFUSED', message: 'connection refused' } })
        const { port1, port2 } = new MessageChannel()
        owner.port.postMessage({ type: 'line', port, line: port2 } satisfies ToProcess, [port2])
        return process.port.postMessage({ type: 'answer', id, error: null, line: port1 } satisfies ToProcess, [port1])
      }
      case 'dependency':
        return answer(message.id, this.#options.changeDependency(message.command))
      case 'versions':
        return answer(
          message.id,
          this.#options.sources().then((found) => found?.versions ?? {}),
        )
    }
  }

  #store(process: Process, change: FileChange): void {
    const paths = change.kind === 'rename' ? [change.from, change.to] : [change.path]
    process.stored = process.stored.then(async () => {
      let error: string | null = null
      let now: FileChanges = new Map()
      try {
        now = await this.#options.apply(change)
      } catch (failure) {
        error = failure instanceof Error ? failure.message : String(failure)
      }
      this.#tell(process, { type: 'stored', paths, error })
      if (now.size > 0) this.changed(now)
    })
  }

  #tell(process: Process, message: ToProcess, transfer: Transferable[] = []): void {
    if (process.early) process.early.push({ message, transfer })
    else process.port.postMessage(message, transfer)
  }

  /** What a parent hands on goes to the last one of its child's children that has taken the child's place. */
  #write(process: Process, data: string | Uint8Array | null): void {
    const front = [...process.children.values()].findLast(({ inherits }) => inherits)
    if (front) return this.#write(front, data)
    return this.#tell(process, { type: 'stdin', data })
  }

  #resize(process: Process, size: TerminalSize): void {
    if (!process.terminal) return
    process.terminal = size
    this.#tell(process, { type: 'resize', size })
    for (const child of process.children.values()) this.#resize(child, size)
  }

  #signal(process: Process, signal: string): void {
    for (const child of process.children.values()) if (child.inherits) this.#signal(child, signal)
    // One who has not heard the last one will not hear this one.
    if (signal === 'SIGKILL' || process.unheard !== undefined) return this.#end(process, null, signal)
    const { setTimeout } = this.#options.timers ?? globalThis
    process.unheard = setTimeout(() => this.#end(process, null, signal), HEARS_SIGNALS_MS)
    return this.#tell(process, { type: 'signal', signal })
  }

  #heard(process: Process): void {
    const { clearTimeout } = this.#options.timers ?? globalThis
    clearTimeout(process.unheard)
    process.unheard = undefined
  }

  #end(process: Process, code: number | null, signal: string | null): void {
    if (process.isOver) return
    process.isOver = true
    this.#heard(process)
    this.#byId.delete(process.pid)
    for (const child of process.children.values()) this.#end(child, null, 'SIGHUP')
    this.ports.closeAll(process)
    process.port.close()
    this.#page?.then(
      (page) => page.postMessage({ type: 'end', pid: process.pid } satisfies ToProcessesPage),
      () => undefined,
    )
    process.exited(code, signal)
  }
}
