import type {
  IShellLaunchConfig,
  ITerminalChildProcess,
} from '@codingame/monaco-vscode-api/vscode/vs/platform/terminal/common/terminal'
import type { ITerminalInstance } from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/terminal/browser/terminal'
import { SimpleTerminalBackend } from '@codingame/monaco-vscode-terminal-service-override'
import type { Uri } from 'monaco-editor'
import type { ShellsArea } from '@boxyard/dev-server-client'
import type { ShellSize } from '@boxyard/protocol'
import { ReadonlyProcess } from './readonlyProcess.ts'
import type { NamedShell } from './shareNames.ts'
import { ShellProcess, type ShellProcessOptions } from './shellProcess.ts'
import type { ShellRights } from './shellRights.ts'

/** The shells of the box. */
export type BoxShells = Pick<ShellsArea, 'create' | 'open' | 'terminate'>

let lastProcessId = 0

/** Where the workbench's new terminals come from: each is a shell of the box. */
export class TerminalBackend extends SimpleTerminalBackend {
  readonly #shells: BoxShells
  readonly #cwd: string
  readonly #rights: ShellRights
  readonly #processes = new Map<number, ShellProcess>()
  #leaving = false

  constructor(options: { shells: BoxShells; cwd: string; rights: ShellRights }) {
    super()
    this.#shells = options.shells
    this.#cwd = options.cwd
    this.#rights = options.rights
    // The workbench ends its terminals when the page goes away; their shells go on and are taken up again.
    window.addEventListener('pagehide', () => (this.#leaving = true), { capture: true })
    window.addEventListener('beforeunload', () => this.#leaveForNow(), { capture: true })
    this.setReady()
  }

  /** Has an editor that is connected to a server take its terminals from here all the same. To be called before the workbench is there. */
  serve(authority: string): void {
    Object.assign(this, { remoteAuthority: authority })
  }

  #leaveForNow(): void {
    this.#leaving = true
    // Only runs when the person decides to stay after all.
    setTimeout(() => (this.#leaving = false), 1000)
  }

  override getDefaultSystemShell = async (): Promise<string> => '/bin/zsh'

  override createProcess = async (
    launch: IShellLaunchConfig,
    cwd: string | Uri,
    cols: number,
    rows: number,
  ): Promise<ITerminalChildProcess> => {
    lastProcessId += 1
    if (!this.#rights.create) return new ReadonlyProcess(lastProcessId, this.#cwd)
    const asked = launch.cwd ?? cwd
    const directory = (typeof asked === 'string' ? asked : asked.path) || this.#cwd
    return this.#keep({
      id: lastProcessId,
      cwd: directory,
      size: { cols, rows },
      owned: true,
      canWrite: true,
      connect: (size) => this.#shells.create({ cwd: directory, size, type: 'TERMINAL' }),
      terminate: (shellId) => this.#terminate(shellId),
    })
  }

  /** The process of a terminal that shows a shell which exists already. */
  attach(shellId: string, size: ShellSize, owned: boolean): ITerminalChildProcess {
    lastProcessId += 1
    return this.#keep({
      id: lastProcessId,
      cwd: this.#cwd,
      size,
      owned: owned && this.#rights.write,
      canWrite: this.#rights.write,
      connect: (at) => this.#shells.open(shellId, at),
      terminate: (id) => this.#terminate(id),
    })
  }

  /** The shell that a terminal shows; undefined where it shows none, and until it does. */
  shellOf(terminal: Pick<ITerminalInstance, 'persistentProcessId'>): NamedShell | undefined {
    const id = terminal.persistentProcessId
    return id === undefined ? undefined : this.#processes.get(id)?.shell
  }

  #keep(options: ShellProcessOptions): ShellProcess {
    const process = new ShellProcess(options)
    this.#processes.set(options.id, process)
    process.onProcessExit(() => this.#processes.delete(options.id))
    return process
  }

  async #terminate(shellId: string): Promise<void> {
    if (!this.#leaving) await this.#shells.terminate(shellId)
  }
}
