import type { Shell, ShellSize, ShellStatus } from '@boxyard/protocol'
import type { ShellSession } from '../api.ts'
import { isConnectionFailure } from '../areaSync.ts'
import type { AreaContext } from '../areaSync.ts'
import { Emitter } from '../event.ts'
import type { Event } from '../event.ts'

/** One consumer's view of one shell. */
export class OpenedShell implements ShellSession {
  readonly #context: AreaContext
  readonly #onDispose: (session: OpenedShell) => void
  readonly #dataEmitter = new Emitter<string>()
  readonly #resetEmitter = new Emitter<void>()
  readonly #exitEmitter = new Emitter<{ exitCode: number | undefined }>()
  /** Output from before the first listener; undefined from then on. */
  #unread: string[] | undefined = []
  #shell: Shell
  #size: ShellSize
  #isDisposed = false
  #isOver = false

  readonly onReset = this.#resetEmitter.event
  readonly onExit = this.#exitEmitter.event

  constructor(context: AreaContext, shell: Shell, size: ShellSize, onDispose: (session: OpenedShell) => void) {
    this.#context = context
    this.#shell = shell
    this.#size = size
    this.#onDispose = onDispose
  }

  readonly onData: Event<string> = (listener) => {
    const subscription = this.#dataEmitter.event(listener)
    const unread = this.#unread?.join('')
    this.#unread = undefined
    if (unread) listener(unread)
    return subscription
  }

  get shell(): Shell {
    return this.#shell
  }

  get size(): ShellSize {
    return this.#size
  }

  /** Whether the shell ended for good. */
  get isOver(): boolean {
    return this.#isOver
  }

  async write(input: string): Promise<void> {
    await this.#context.connection.request('shell/in', {
      shellId: this.#shell.shellId,
      input,
      size: this.#size,
    })
  }

  resize(size: ShellSize): void {
    this.#size = size
    const { connection, reportFailure } = this.#context
    // After a reconnect the shell is opened with the present size.
    if (connection.state.kind !== 'CONNECTED') return
    connection.request('shell/resize', { shellId: this.#shell.shellId, size }).catch((error: Error) => {
      if (!isConnectionFailure(error)) reportFailure({ area: 'shell', error })
    })
  }

  dispose(): void {
    if (this.#isDisposed) return
    this.#isDisposed = true
    this.#onDispose(this)
    this.#dataEmitter.dispose()
    this.#resetEmitter.dispose()
    this.#exitEmitter.dispose()
  }

  receive(output: string): void {
    if (output === '') return
    if (this.#unread) this.#unread.push(output)
    else this.#dataEmitter.fire(output)
  }

  update(shell: Shell): void {
    this.#shell = shell
  }

  /** The shell was opened again: its scrollback replaces what the consumer shows. */
  reset(shell: Shell, scrollback: string): void {
    const wasRunning = isRunning(this.#shell)
    this.#shell = shell
    this.restarted()
    this.receive(scrollback)
    // Its exit may have passed unheard.
    if (wasRunning && !isRunning(shell)) this.end(shell.status, shell.exitCode)
  }

  /** The program begins anew, on an empty screen. */
  restarted(): void {
    if (this.#unread) this.#unread = []
    else this.#resetEmitter.fire()
  }

  end(status: ShellStatus, exitCode: number | undefined): void {
    this.#shell = { ...this.#shell, status, exitCode }
    this.#isOver = status === 'KILLED' || this.#shell.shellType === 'TERMINAL'
    this.#exitEmitter.fire({ exitCode })
  }
}

function isRunning({ status }: Shell): boolean {
  return status === 'RUNNING' || status === 'RESTARTING'
}
