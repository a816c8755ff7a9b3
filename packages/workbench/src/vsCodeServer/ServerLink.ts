import { Emitter } from '@boxyard/dev-server-client'
import type { Connection } from '@boxyard/dev-server-client'
import type { RunningVsCodeServer } from './connectVsCodeServer.ts'
import { startVsCodeServer } from './startVsCodeServer.ts'
import type { VsCodeServerPlace } from './vsCodeServerPlace.ts'

/** `away`: nobody knows before the box is connected again. `ended`: the one that this page was connected to is gone. */
export type ServerLinkState = 'connected' | 'away' | 'ended'

export interface ServerLinkOptions {
  place: Pick<VsCodeServerPlace, 'start'>
  connection: Pick<Connection, 'state' | 'onDidChangeState' | 'onDidJoin'>
  server: RunningVsCodeServer
}

/**
 * The VS Code server that a page is connected to, over the life of the page. A box that was asleep, or whose dev server was another, may have ended it.
 * Whoever connects again waits until it is known to run; when another one runs, no page can go on with it without loading again.
 */
export class ServerLink {
  readonly #options: ServerLinkOptions
  readonly #changes = new Emitter<void>()
  readonly #ends = new Emitter<string>()
  readonly onDidChange = this.#changes.event
  /** Fires once, with what happened in words. */
  readonly onDidEnd = this.#ends.event
  #state: ServerLinkState = 'connected'
  #waiting: (() => void)[] = []
  /** Of the checks of former connections nothing counts. */
  #check = 0

  constructor(options: ServerLinkOptions) {
    this.#options = options
    options.connection.onDidChangeState(({ kind }) => {
      if (kind === 'CONNECTED' || this.#state === 'ended') return
      this.#check += 1
      this.#become('away')
    })
    options.connection.onDidJoin(() => {
      if (this.#state === 'away') void this.#ask()
    })
  }

  get state(): ServerLinkState {
    return this.#state
  }

  /** Resolves when the server may be connected to: never while the box sleeps, and never when it has ended. */
  whenConnected(): Promise<void> {
    if (this.#state === 'connected') return Promise.resolve()
    return new Promise((resolve) => void this.#waiting.push(resolve))
  }

  async #ask(): Promise<void> {
    this.#check += 1
    const check = this.#check
    const start = await startVsCodeServer(this.#options.place)
    if (check !== this.#check) return
    if (start.result === 'running' && start.token === this.#options.server.token) {
      this.#become('connected')
      for (const resolve of this.#waiting.splice(0)) resolve()
      return
    }
    this.#become('ended')
    this.#ends.fire(endText(start.result === 'error' ? start.error : undefined))
  }

  #become(state: ServerLinkState): void {
    if (this.#state === state) return
    this.#state = state
    this.#changes.fire()
  }
}

function endText(error: string | undefined): string {
  if (error === undefined)
    return 'The VS Code server ended with the machine and was started anew. Extensions and debuggers that ran in it have stopped; your files and texts are as they were.'
  return `The VS Code server did not start again: ${error.replace(/\.$/, '')}. Extensions and debuggers that ran in it have stopped; your files and texts are as they were.`
}
