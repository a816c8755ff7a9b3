import type { Command } from '@boxyard/protocol'
import type { CommandsArea } from './api.ts'
import { AreaSync } from './areaSync.ts'
import type { AreaContext } from './areaSync.ts'
import { Emitter } from './event.ts'

/** What the dev server offers for the command palette. */
export class Commands implements CommandsArea {
  readonly #context: AreaContext
  readonly #sync: AreaSync
  readonly #changeEmitter = new Emitter<readonly Command[]>()
  #all: readonly Command[] = []

  readonly onDidChange = this.#changeEmitter.event

  constructor(context: AreaContext) {
    this.#context = context
    const { connection } = context
    this.#sync = new AreaSync(context, 'command', async () => {
      if (connection.joined?.capabilities.command?.list !== true) return
      if (!connection.joined.permissions.command?.list) return
      await connection.request('command/list', {}, { onResult: ({ commands }) => this.#replace(commands) })
    })
    connection.onNotification('command/changed', ({ commands }) => this.#replace(commands))
  }

  get ready(): Promise<void> {
    return this.#sync.ready
  }

  get all(): readonly Command[] {
    return this.#all
  }

  async execute(commandId: string): Promise<void> {
    await this.#context.connection.request('command/execute', { commandId })
  }

  #replace(commands: readonly Command[]): void {
    if (JSON.stringify(commands) === JSON.stringify(this.#all)) return
    this.#all = commands
    this.#changeEmitter.fire(commands)
  }
}
