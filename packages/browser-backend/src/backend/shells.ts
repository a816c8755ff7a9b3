import { ProtocolError } from '@boxyard/protocol'
import type { NotificationName, NotificationParams, OpenShell, Shell, ShellSize, ShellStatus } from '@boxyard/protocol'
import { promptFor } from '../shell/prompt.ts'
import type { Processes, RunningProcess } from './processes.ts'
import { WORKSPACE } from './tree.ts'

const MAX_OUTPUT = 200_000
const SIZE: ShellSize = { cols: 125, rows: 20 }

export interface ShellsOptions {
  processes: Pick<Processes, 'start'>
  tell<N extends NotificationName>(name: N, params: NotificationParams<N>): void
  newId(): string
  /** A command has ended. */
  onEnded(shellId: string): void
}

interface Entry {
  shell: Shell
  buffer: string
  size: ShellSize
  cwd: string
  process: RunningProcess | null
  decoder: TextDecoder
}

/** The terminals of a sandbox and the output of its tasks. A terminal's program is only fetched when somebody types. */
export class Shells {
  readonly #options: ShellsOptions
  readonly #entries = new Map<string, Entry>()

  constructor(options: ShellsOptions) {
    this.#options = options
  }

  get all(): Shell[] {
    return [...this.#entries.values()].map(({ shell }) => shell)
  }

  get(shellId: string): Shell | undefined {
    return this.#entries.get(shellId)?.shell
  }

  pidOf(shellId: string): number | undefined {
    return this.#entries.get(shellId)?.process?.pid
  }

  /** A terminal of a person, where they type commands. */
  openTerminal(username: string, options: { cwd?: string | undefined; size?: ShellSize | undefined }): OpenShell {
    const cwd = options.cwd?.startsWith(WORKSPACE) ? options.cwd : WORKSPACE
    const shellId = this.#options.newId()
    const shell: Shell = {
      shellId,
      name: 'sh',
      status: 'RUNNING',
      shellType: 'TERMINAL',
      ownerUsername: username,
      isSystemShell: false,
    }
    const entry: Entry = {
      shell,
      buffer: promptFor(cwd),
      size: options.size ?? SIZE,
      cwd,
      process: null,
      decoder: new TextDecoder(),
    }
    this.#entries.set(shellId, entry)
    this.#options.tell('shell/create', shell)
    return this.open(shellId)
  }

  /** A command, as tasks are. */
  runCommand(
    command: string,
    options: { name?: string; cwd?: string | undefined; size?: ShellSize | undefined } = {},
  ): OpenShell {
    const shellId = this.#options.newId()
    const shell: Shell = {
      shellId,
      name: options.name ?? command,
      status: 'RUNNING',
      shellType: 'COMMAND',
      startCommand: command,
    }
    const cwd = options.cwd?.startsWith(WORKSPACE) ? options.cwd : WORKSPACE
    const entry: Entry = {
      shell,
      buffer: '',
      size: options.size ?? SIZE,
      cwd,
      process: null,
      decoder: new TextDecoder(),
    }
    this.#entries.set(shellId, entry)
    this.#options.tell('shell/create', shell)
    const opened = this.open(shellId)
    this.#start(entry)
    return opened
  }

  open(shellId: string): OpenShell {
    const { shell, buffer } = this.#entry(shellId)
    return { ...shell, buffer: buffer === '' ? [] : [buffer] }
  }

  write(shellId: string, input: string): void {
    const entry = this.#entry(shellId)
    if (entry.shell.status !== 'RUNNING') throw new ProtocolError('SHELL_CLOSED')
    if (!entry.process) this.#start(entry)
    entry.process!.write(input)
  }

  resize(shellId: string, size: ShellSize): void {
    const entry = this.#entry(shellId)
    entry.size = size
    entry.process?.resize(size)
  }

  restart(shellId: string): void {
    const entry = this.#entry(shellId)
    this.#stop(entry)
    entry.shell = { ...entry.shell, status: 'RUNNING', exitCode: undefined }
    entry.buffer = ''
    this.#options.tell('shell/restart', { shellId })
    if (entry.shell.shellType === 'COMMAND') this.#start(entry)
    else this.#show(entry, promptFor(entry.cwd))
  }

  rename(shellId: string, name: string): void {
    const entry = this.#entry(shellId)
    entry.shell = { ...entry.shell, name }
    this.#options.tell('shell/rename', { shell: entry.shell })
  }

  terminate(shellId: string, author: string): Shell {
    const entry = this.#entry(shellId)
    this.#entries.delete(shellId)
    this.#stop(entry)
    this.#options.tell('shell/terminate', { shellId, author })
    this.#options.onEnded(shellId)
    return { ...entry.shell, status: 'KILLED' }
  }

  /** Ends a command and keeps its output. */
  stop(shellId: string): void {
    const entry = this.#entries.get(shellId)
    if (!entry || entry.shell.status !== 'RUNNING') return
    this.#stop(entry)
    this.#ended(entry, 143, 'KILLED')
  }

  /** Whatever runs was ended together with the place where it ran. */
  lostAll(): void {
    for (const entry of this.#entries.values()) {
      entry.process = null
      if (entry.shell.shellType === 'TERMINAL') this.#show(entry, `\r\n${promptFor(entry.cwd)}`)
    }
  }

  #entry(shellId: string): Entry {
    const entry = this.#entries.get(shellId)
    if (!entry) throw new ProtocolError('SHELL_NOT_FOUND')
    return entry
  }

  #start(entry: Entry): void {
    const { shell, cwd, size } = entry
    const process: RunningProcess = this.#options.processes.start({
      program: 'shell',
      argv: shell.shellType === 'COMMAND' ? ['-c', shell.startCommand] : ['-i', '--prompted'],
      cwd,
      terminal: size,
      onOut: (data) => {
        const text = typeof data === 'string' ? data : entry.decoder.decode(data, { stream: true })
        if (entry.process === process) this.#show(entry, text.replaceAll(/\r?\n/g, '\r\n'))
      },
      onExit: (code) => {
        if (entry.process !== process) return
        entry.process = null
        this.#ended(entry, code, code === 0 ? 'FINISHED' : 'ERROR')
      },
    })
    entry.process = process
  }

  #stop(entry: Entry): void {
    const { process } = entry
    entry.process = null
    process?.end()
  }

  #ended(entry: Entry, exitCode: number, status: ShellStatus): void {
    const { shellId, shellType } = entry.shell
    entry.shell = { ...entry.shell, status, exitCode }
    if (shellType === 'TERMINAL') this.#entries.delete(shellId)
    this.#options.tell('shell/exit', { shellId, shellType, exitCode })
    this.#options.onEnded(shellId)
  }

  #show(entry: Entry, out: string): void {
    entry.buffer = (entry.buffer + out).slice(-MAX_OUTPUT)
    this.#options.tell('shell/out', { shellId: entry.shell.shellId, out })
  }
}
