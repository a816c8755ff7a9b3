import { Emitter, type Event } from '@codingame/monaco-vscode-api/vscode/vs/base/common/event'
import { Disposable } from '@codingame/monaco-vscode-api/vscode/vs/base/common/lifecycle'
import {
  ProcessPropertyType,
  type IProcessProperty,
  type IProcessPropertyMap,
  type IProcessReadyEvent,
  type ITerminalChildProcess,
} from '@codingame/monaco-vscode-api/vscode/vs/platform/terminal/common/terminal'

export interface TextProcessOptions {
  id: number
  title: string
  cwd: string
}

/** What stands in a terminal that has no shell: it shows a text, and nothing is typed into it. */
export abstract class TextProcess extends Disposable implements ITerminalChildProcess {
  readonly id: number
  readonly shouldPersist = false
  readonly #data = this._register(new Emitter<string>())
  readonly onProcessData = this.#data.event
  readonly #ready = this._register(new Emitter<IProcessReadyEvent>())
  readonly onProcessReady = this.#ready.event
  readonly #properties = this._register(new Emitter<IProcessProperty>())
  readonly onDidChangeProperty = this.#properties.event
  readonly #exits = this._register(new Emitter<number | undefined>())
  readonly onProcessExit: Event<number | undefined> = this.#exits.event
  readonly #title: string
  readonly #cwd: string

  constructor({ id, title, cwd }: TextProcessOptions) {
    super()
    this.id = id
    this.#title = title
    this.#cwd = cwd
  }

  /** Shows what there is, and from then on what comes. */
  protected abstract begin(): void

  protected write(text: string): void {
    this.#data.fire(text)
  }

  protected tell(property: IProcessProperty): void {
    this.#properties.fire(property)
  }

  protected end(): void {
    this.#exits.fire(undefined)
  }

  async start(): Promise<undefined> {
    this.#ready.fire({ pid: -1, cwd: this.#cwd, windowsPty: undefined })
    // Told that a process is ready, the terminal takes the name of a program for its title, a moment later.
    setTimeout(() => this.tell({ type: ProcessPropertyType.Title, value: this.#title }))
    this.begin()
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
