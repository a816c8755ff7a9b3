import type { GitArea } from '@boxyard/dev-server-client'
import { ProtocolError } from '@boxyard/protocol'

const LIMIT = 20

/** The texts of a commit, which never changes: those that were asked for last are kept until another commit is asked for. */
export class CommitTexts {
  readonly #git: Pick<GitArea, 'contentAt'>
  /** By path, at `#commit`; the one that was asked for last is the last. */
  #texts = new Map<string, Promise<string | null>>()
  #commit = ''

  constructor(git: Pick<GitArea, 'contentAt'>) {
    this.#git = git
  }

  /** Null where the commit does not have the file. */
  text(path: string, commit: string): Promise<string | null> {
    if (commit !== this.#commit) {
      this.#commit = commit
      this.#texts = new Map()
    }
    const texts = this.#texts
    const text = texts.get(path) ?? this.#ask(path, commit, texts)
    texts.delete(path)
    texts.set(path, text)
    if (texts.size > LIMIT) texts.delete(texts.keys().next().value!)
    return text
  }

  #ask(path: string, commit: string, texts: Map<string, unknown>): Promise<string | null> {
    const asked = this.#git.contentAt(commit, path).catch((error: unknown) => {
      if (error instanceof ProtocolError && error.codeName === 'GIT_REMOTE_FILE_NOT_FOUND') return null
      if (texts.get(path) === asked) texts.delete(path)
      throw error
    })
    return asked
  }
}
