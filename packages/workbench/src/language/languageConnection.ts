import type { Connection } from '@boxyard/dev-server-client'
import { Uri, type CancellationToken } from 'monaco-editor'
import type { InitializeResult } from 'vscode-languageserver-protocol'

/** A language server behind the dev server. Texts are kept in step by the dev server, so only questions go this way. */
export class LanguageConnection {
  readonly #connection: Connection
  readonly #server: { languageId: string; serverId: string }
  readonly #whenTold: (path: string) => Promise<void>

  /** `whenTold` resolves when the dev server has the text of a file as the editor has it. */
  constructor(
    connection: Connection,
    server: { languageId: string; serverId: string },
    whenTold: (path: string) => Promise<void>,
  ) {
    this.#connection = connection
    this.#server = server
    this.#whenTold = whenTold
  }

  async initialize(params: object): Promise<InitializeResult> {
    const result = await this.#ask('initialize', params)
    await this.#ask('initialized', {})
    return result as InitializeResult
  }

  /** Null when there is no answer, or nobody waits for it any more. */
  async request<T>(method: string, params: unknown, token?: CancellationToken): Promise<T | null> {
    const { textDocument } = (params ?? {}) as { textDocument?: { uri: string } }
    // Places mean the text as it is here; in an older one the answer would be about another place.
    if (textDocument) await this.#whenTold(Uri.parse(textDocument.uri).path)
    if (token?.isCancellationRequested) return null
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
