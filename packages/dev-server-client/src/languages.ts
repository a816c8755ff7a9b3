import type { Language, NotificationParams } from '@boxyard/protocol'
import type { LanguagesArea, LanguageServerSession } from './api.ts'
import { AreaSync, isConnectionFailure } from './areaSync.ts'
import type { AreaContext } from './areaSync.ts'
import { Emitter } from './event.ts'

type ServerMessage = NotificationParams<'language/lspNotification'>['message']
type ServerRequest = NotificationParams<'language/lspServerRequest'>['message']

/** The languages that the dev server knows, and its language servers. */
export class Languages implements LanguagesArea {
  readonly #context: AreaContext
  readonly #sync: AreaSync
  readonly #sessions = new Set<Session>()
  readonly #changeEmitter = new Emitter<readonly Language[]>()
  #all: readonly Language[] = []

  readonly onDidChange = this.#changeEmitter.event

  constructor(context: AreaContext) {
    this.#context = context
    const { connection } = context
    this.#sync = new AreaSync(context, 'language', async () => {
      const { capabilities, permissions } = connection.joined!
      if (!capabilities.language?.list || !permissions.language?.list) return
      await connection.request('language/list', {}, { onResult: ({ languages }) => this.#replace(languages) })
      await Promise.all([...this.#sessions].map((session) => session.initializeAgain()))
    })
    connection.onNotification('language/lspNotification', ({ languageId, serverId, message }) => {
      for (const session of this.#of(languageId, serverId)) session.notified.fire(message)
    })
    connection.onNotification('language/lspServerRequest', ({ languageId, serverId, message }) => {
      for (const session of this.#of(languageId, serverId)) session.asked.fire(message)
    })
  }

  get ready(): Promise<void> {
    return this.#sync.ready
  }

  get all(): readonly Language[] {
    return this.#all
  }

  connect(languageId: string, serverId: string): LanguageServerSession {
    const session: Session = new Session(this.#context, { languageId, serverId }, () => this.#sessions.delete(session))
    this.#sessions.add(session)
    return session
  }

  #of(languageId: string, serverId: string): Session[] {
    return [...this.#sessions].filter(({ server }) => server.languageId === languageId && server.serverId === serverId)
  }

  #replace(languages: readonly Language[]): void {
    this.#all = languages
    this.#changeEmitter.fire(languages)
  }
}

/** One use of a language server, which is initialized again after every join. */
class Session implements LanguageServerSession {
  readonly server: { languageId: string; serverId: string }
  readonly notified = new Emitter<ServerMessage>()
  readonly asked = new Emitter<ServerRequest>()
  readonly #context: AreaContext
  readonly #leave: () => void
  readonly #againEmitter = new Emitter<unknown>()
  /** The parameters of `initialize`, once it was answered. */
  #initialized: { params: unknown } | undefined

  readonly onNotification = this.notified.event
  readonly onRequest = this.asked.event
  readonly onDidInitializeAgain = this.#againEmitter.event

  constructor(context: AreaContext, server: { languageId: string; serverId: string }, leave: () => void) {
    this.#context = context
    this.server = server
    this.#leave = leave
  }

  async request(method: string, params?: unknown): Promise<unknown> {
    const message = { method, ...(params !== undefined && { params }) }
    const result = await this.#context.connection.request('language/lspRequest', { ...this.server, message })
    if (method === 'initialize') this.#initialized = { params }
    return result
  }

  async answer(
    id: number | string,
    answer: { result: unknown } | { error: { code: number; message: string } },
  ): Promise<void> {
    await this.#context.connection.request('language/lspServerResponse', { ...this.server, message: { id, ...answer } })
  }

  async initializeAgain(): Promise<void> {
    if (!this.#initialized) return
    try {
      const result = await this.request('initialize', this.#initialized.params)
      await this.request('initialized', {})
      this.#againEmitter.fire(result)
    } catch (error) {
      // One server that does not start takes nothing from the others.
      if (!isConnectionFailure(error)) this.#context.reportFailure({ area: 'language', error: error as Error })
    }
  }

  dispose(): void {
    this.#leave()
  }
}
