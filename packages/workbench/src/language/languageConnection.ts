import type { Connection } from '@boxyard/dev-server-client'
import type { CancellationToken } from 'monaco-editor'
import type { InitializeResult } from 'vscode-languageserver-protocol'

/** A language server behind the dev server. Texts are kept in step by the dev server, so only questions go this way. */
export class LanguageConnection {
  readonly #connection: Connection
  readonly #server: { languageId: string; serverId: string }

  constructor(connection: Connection, server: { languageId: string; serverId: string }) {
    this.#connection = connection
    this.#server = server
  }

  async initialize(params: object): Promise<InitializeResult> {
    const result = await this.#ask('initialize', params)
    await this.#ask('initialized', {})
    return result as InitializeResult
  }

  /** Null when there is no answer, or nobody waits for it any more. */
  async request<T>(method: string, params: unknown, token?: CancellationToken): Promise<T | null> {
    const answer = (await this.#ask(method, params)) as T | null
    return token?.isCancellationRequested ? null : answer
  }

  onNotification(method: string, listener: (params: unknown) => void): void {
    this.#connection.onNotification('language/lspNotification', ({ serverId, message }) => {
      if (serverId === this.#server.serverId && message.method === method) listener(message.params)
    })
  }

  #ask(method: string, params: unknown): Promise<unknown> {
    return this.#connection.request('language/lspRequest', { ...this.#server, message: { method, params } })
  }
}
