import type { LanguageServerSession } from '@boxyard/dev-server-client'
import { Uri, type CancellationToken } from 'monaco-editor'

/** A language server behind the dev server. Texts are kept in step by the dev server, so only questions go this way. */
export class LanguageConnection {
  readonly #session: Pick<LanguageServerSession, 'request'>
  readonly #whenTold: (path: string) => Promise<void>

  /** `whenTold` resolves when the dev server has the text of a file as the editor has it. */
  constructor(session: Pick<LanguageServerSession, 'request'>, whenTold: (path: string) => Promise<void>) {
    this.#session = session
    this.#whenTold = whenTold
  }

  /** Null when there is no answer, or nobody waits for it any more. */
  async request<T>(method: string, params: unknown, token?: CancellationToken): Promise<T | null> {
    const { textDocument } = (params ?? {}) as { textDocument?: { uri: string } }
    // Places mean the text as it is here; in an older one the answer would be about another place.
    if (textDocument) await this.#whenTold(Uri.parse(textDocument.uri).path)
    if (token?.isCancellationRequested) return null
    const answer = (await this.#session.request(method, params)) as T | null
    return token?.isCancellationRequested ? null : answer
  }
}
