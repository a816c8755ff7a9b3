import { Emitter } from '@codingame/monaco-vscode-api/vscode/vs/base/common/event'
import { Disposable } from '@codingame/monaco-vscode-api/vscode/vs/base/common/lifecycle'
import {
  ProcessPropertyType,
  type IProcessProperty,
  type IProcessPropertyMap,
  type IProcessReadyEvent,
  type ITerminalChildProcess,
  type ITerminalLaunchError,
} from '@codingame/monaco-vscode-api/vscode/vs/platform/terminal/common/terminal'
import type { ShellSession } from '@boxyard/dev-server-client'
import type { ShellSize } from '@boxyard/protocol'
import type { NamedShell } from './shareNames.ts'

/** Resets the terminal: what follows is the whole scrollback. */
const CLEAR = '\x1bc'

export interface ShellProcessOptions {
  id: number
  cwd: string
  size: ShellSize
  /** Ending the terminal ends the shell. False for shells that others rely on, such as those of tasks. */
  owned: boolean
  canWrite: boolean
  connect(size: ShellSize): Promise<ShellSession>
  terminate(shellId: string): Promise<void>
}

/** A terminal's process: a shell of the box. The terminal of the workbench holds it, so it lives as long as that. */
export class ShellProcess extends Disposable implements ITerminalChildProcess {
  readonly id: number
  readonly shouldPersist = false
  readonly #data = this._register(new Emitter<string>())
  readonly onProcessData = this.#data.event
  readonly #ready = this._register(new Emitter<IProcessReadyEvent>())
  readonly onProcessReady = this.#ready.event
  readonly #properties = this._register(new Emitter<IProcessProperty>())
  readonly onDidChangeProperty = this.#properties.event
  readonly #exits = this._register(new Emitter<number | undefined>())
  readonly onProcessExit = this.#exits.event
  readonly #options: ShellProcessOptions
  #size: ShellSize
  #session: ShellSession | undefined
  #shell: NamedShell | undefined
  #early = ''
  #ended = false

  constructor(options: ShellProcessOptions) {
    super()
    this.id = options.id
    this.#options = options
    this.#size = options.size
  }

  /** Undefined until it is opened. */
  get shell(): NamedShell | undefined {
    return this.#shell
  }

  async start(): Promise<ITerminalLaunchError | undefined> {
    let session: ShellSession
    try {
      session = await this.#options.connect(this.#size)
    } catch (error) {
      return { message: error instanceof Error ? error.message : String(error) }
    }
    if (this.#ended) {
      await this.#leave(session)
      return undefined
    }
    this.#session = session
    const { shell } = session
    this.#shell = { shellId: shell.shellId, firstName: shell.name }
    this.#ready.fire({ pid: -1, cwd: this.#options.cwd, windowsPty: undefined })
    // Told that a process is ready, the terminal takes the name of a program for its title, a moment later.
    setTimeout(() => this.#properties.fire({ type: ProcessPropertyType.Title, value: shell.name }))
    this._register(session.onReset(() => this.#data.fire(CLEAR)))
    this._register(session.onData((output) => this.#data.fire(output)))
    this._register(session.onExit(({ exitCode }) => this.#exited(exitCode)))
    if (shell.status !== 'RUNNING' && shell.status !== 'RESTARTING') this.#exited(shell.exitCode)
    if (this.#early) this.input(this.#early)
    return undefined
  }

  input(data: string): void {
    if (!this.#options.canWrite) return
    // What is typed while the shell is being opened is typed into it.
    if (!this.#session) this.#early += data
    else this.#session.write(data).catch((error: unknown) => this.#complain('The input was not sent', error))
  }

  sendSignal(signal: string): void {
    if (signal === 'SIGINT') this.input('\x03')
  }

  resize(cols: number, rows: number): void {
    if (cols === this.#size.cols && rows === this.#size.rows) return
    this.#size = { cols, rows }
    if (!this.#options.canWrite) return
    this.#session?.resize(this.#size)
  }

  shutdown(): void {
    if (this.#ended) return
    this.#ended = true
    const session = this.#session
    if (session) this.#leave(session).catch((error: unknown) => this.#complain('The shell was not ended', error))
    this.#exits.fire(undefined)
  }

  async getInitialCwd(): Promise<string> {
    return this.#options.cwd
  }

  async getCwd(): Promise<string> {
    return this.#options.cwd
  }

  async refreshProperty<T extends ProcessPropertyType>(property: T): Promise<IProcessPropertyMap[T]> {
    const values: Partial<IProcessPropertyMap> = {
      [ProcessPropertyType.Cwd]: this.#options.cwd,
      [ProcessPropertyType.InitialCwd]: this.#options.cwd,
      [ProcessPropertyType.Title]: this.#session?.shell.name ?? '',
    }
    const value = values[property]
    if (value === undefined) throw new Error(`A shell of a box has no ${property}`)
    return value as IProcessPropertyMap[T]
  }

  // Flow control, the unicode version and the buffer are matters of the dev server and of the terminal itself.
  acknowledgeDataEvent(): void {}
  async setUnicodeVersion(): Promise<void> {}
  async updateProperty(): Promise<void> {}
  async clearBuffer(): Promise<void> {}
  async processBinary(data: string): Promise<void> {
    this.input(data)
  }

  async #leave(session: ShellSession): Promise<void> {
    if (this.#options.owned) await this.#options.terminate(session.shell.shellId)
    session.dispose()
  }

  /**
   * The program has ended. A terminal of the person's own ends with it. One that shows a task stays, with its output and a word about the
   * end: to the workbench an end soon after a reconnect is a failed launch, and the task may run again.
   */
  #exited(exitCode: number | undefined): void {
    if (!this.#options.owned) {
      const code = exitCode === undefined ? '' : ` with exit code ${exitCode}`
      this.#data.fire(`\r\n\x1b[2mThis program has ended${code}.\x1b[0m\r\n`)
      return
    }
    if (this.#ended) return
    this.#ended = true
    this.#exits.fire(exitCode)
  }

  #complain(what: string, error: unknown): void {
    const why = error instanceof Error ? error.message : String(error)
    this.#data.fire(`\r\n\x1b[31m${what}: ${why}\x1b[0m\r\n`)
  }
}
