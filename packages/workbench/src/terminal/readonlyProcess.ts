import { Emitter, Event } from '@codingame/monaco-vscode-api/vscode/vs/base/common/event'
import { Disposable } from '@codingame/monaco-vscode-api/vscode/vs/base/common/lifecycle'
import {
  ProcessPropertyType,
  type IProcessProperty,
  type IProcessPropertyMap,
  type IProcessReadyEvent,
  type ITerminalChildProcess,
} from '@codingame/monaco-vscode-api/vscode/vs/platform/terminal/common/terminal'

export const READONLY_TERMINAL = 'This terminal is readonly, fork this devbox/branch to create new terminals.'
/** Of a title of a process the workbench takes the first word. */
export const READONLY_NAME = 'Read-only'

/** What a person who may make no shell gets instead of one: it says so, and takes nothing. */
export class ReadonlyProcess extends Disposable implements ITerminalChildProcess {
  readonly id: number
  readonly shouldPersist = false
  readonly #data = this._register(new Emitter<string>())
  readonly onProcessData = this.#data.event
  readonly #ready = this._register(new Emitter<IProcessReadyEvent>())
  readonly onProcessReady = this.#ready.event
  readonly #properties = this._register(new Emitter<IProcessProperty>())
  readonly onDidChangeProperty = this.#properties.event
  readonly onProcessExit: Event<number | undefined> = Event.None
  readonly #cwd: string

  constructor(id: number, cwd: string) {
    super()
    this.id = id
    this.#cwd = cwd
  }

  async start(): Promise<undefined> {
    this.#ready.fire({ pid: -1, cwd: this.#cwd, windowsPty: undefined })
    // Told that a process is ready, the terminal takes the name of a program for its title, a moment later.
    setTimeout(() => this.#properties.fire({ type: ProcessPropertyType.Title, value: READONLY_NAME }))
    this.#data.fire(`${READONLY_TERMINAL}\r\n`)
    return undefined
  }

  shutdown(): void {
    this.dispose()
  }

  async getInitialCwd(): Promise<string> {
    return this.#cwd
  }

  async getCwd(): Promise<string> {
    return this.#cwd
  }

  async refreshProperty<T extends ProcessPropertyType>(property: T): Promise<IProcessPropertyMap[T]> {
    throw new Error(`A terminal without a shell has no ${property}`)
  }

  input(): void {}
  resize(): void {}
  sendSignal(): void {}
  clearBuffer(): void {}
  acknowledgeDataEvent(): void {}
  async processBinary(): Promise<void> {}
  async setUnicodeVersion(): Promise<void> {}
  async updateProperty(): Promise<void> {}
}
