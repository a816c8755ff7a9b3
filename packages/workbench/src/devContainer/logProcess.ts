import { Emitter, type Event } from '@codingame/monaco-vscode-api/vscode/vs/base/common/event'
import { Disposable } from '@codingame/monaco-vscode-api/vscode/vs/base/common/lifecycle'
import {
  ProcessPropertyType,
  type IProcessProperty,
  type IProcessPropertyMap,
  type IProcessReadyEvent,
  type ITerminalChildProcess,
} from '@codingame/monaco-vscode-api/vscode/vs/platform/terminal/common/terminal'
import { DEV_CONTAINER_LOG_SIZE } from '@boxyard/protocol'
import type { DevContainerLog } from './DevContainerLog.ts'

export const DEV_CONTAINER_LOG = 'Dev container log'
/** Resets the terminal. */
const CLEAR = '\x1bc'

/** What stands in the terminal of the log. Nothing is typed into it, and its size is nobody's to change: others look at the same shells. */
export class LogProcess extends Disposable implements ITerminalChildProcess {
  readonly id = 0
  readonly shouldPersist = false
  readonly #data = this._register(new Emitter<string>())
  readonly onProcessData = this.#data.event
  readonly #ready = this._register(new Emitter<IProcessReadyEvent>())
  readonly onProcessReady = this.#ready.event
  readonly #properties = this._register(new Emitter<IProcessProperty>())
  readonly onDidChangeProperty = this.#properties.event
  readonly #exits = this._register(new Emitter<number | undefined>())
  readonly onProcessExit: Event<number | undefined> = this.#exits.event
  readonly #log: Pick<DevContainerLog, 'text' | 'onDidWrite' | 'onDidReset'>
  readonly #cwd: string

  constructor(log: Pick<DevContainerLog, 'text' | 'onDidWrite' | 'onDidReset'>, cwd: string) {
    super()
    this.#log = log
    this.#cwd = cwd
  }

  async start(): Promise<undefined> {
    this.#ready.fire({ pid: -1, cwd: this.#cwd, windowsPty: undefined })
    // Where less fits than the programs have, lines break at what fits.
    this.#properties.fire({
      type: ProcessPropertyType.OverrideDimensions,
      value: { ...DEV_CONTAINER_LOG_SIZE, forceExactSize: false },
    })
    // Told that a process is ready, the terminal takes the name of a program for its title, a moment later.
    setTimeout(() => this.#properties.fire({ type: ProcessPropertyType.Title, value: DEV_CONTAINER_LOG }))
    this.#data.fire(this.#log.text)
    this._register(this.#log.onDidWrite((text) => this.#data.fire(text)))
    this._register(this.#log.onDidReset(() => this.#data.fire(`${CLEAR}${this.#log.text}`)))
    return undefined
  }

  shutdown(): void {
    this.#exits.fire(undefined)
    this.dispose()
  }

  async getInitialCwd(): Promise<string> {
    return this.#cwd
  }

  async getCwd(): Promise<string> {
    return this.#cwd
  }

  async refreshProperty<T extends ProcessPropertyType>(property: T): Promise<IProcessPropertyMap[T]> {
    throw new Error(`A log has no ${property}`)
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
