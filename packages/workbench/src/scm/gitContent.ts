import type { GitArea } from '@boxyard/dev-server-client'
import { ProtocolError } from '@boxyard/protocol'
import type { ILanguageService } from '@codingame/monaco-vscode-api/vscode/vs/editor/common/languages/language.service'
import type { IModelService } from '@codingame/monaco-vscode-api/vscode/vs/editor/common/services/model.service'
import { Uri, type editor } from 'monaco-editor'

export const GIT_SCHEME = 'boxyard-git'

/** The files of the repository at a commit, as read-only texts. */
export class GitContent {
  readonly #git: Pick<GitArea, 'contentAt'>
  readonly #workspacePath: string
  readonly #services: { models: IModelService; languages: ILanguageService }
  /** By path, at `#commit`. A commit never changes, so what was asked for once is kept until there is a newer one. */
  #texts = new Map<string, Promise<string | null>>()
  #commit = ''

  constructor(
    git: Pick<GitArea, 'contentAt'>,
    workspacePath: string,
    services: { models: IModelService; languages: ILanguageService },
  ) {
    this.#git = git
    this.#workspacePath = workspacePath
    this.#services = services
  }

  /** The address of a file at a commit. */
  resource(path: string, commit: string): Uri {
    return Uri.from({ scheme: GIT_SCHEME, path: `${this.#workspacePath}/${path}`, query: commit })
  }

  /** The text of a file at a commit; null where the commit does not have it. */
  text(path: string, commit: string): Promise<string | null> {
    if (commit !== this.#commit) {
      this.#commit = commit
      this.#texts = new Map()
    }
    const texts = this.#texts
    const known = texts.get(path)
    if (known) return known
    const asked = this.#git.contentAt(commit, path).catch((error: unknown) => {
      if (error instanceof ProtocolError && error.codeName === 'GIT_REMOTE_FILE_NOT_FOUND') return null
      texts.delete(path)
      throw error
    })
    texts.set(path, asked)
    return asked
  }

  async provideTextContent(resource: Uri): Promise<editor.ITextModel> {
    const text = (await this.text(resource.path.slice(this.#workspacePath.length + 1), resource.query)) ?? ''
    const { models, languages } = this.#services
    const present = models.getModel(resource)
    return (
      present ??
      models.createModel(text, languages.createByFilepathOrFirstLine(resource, text.split('\n', 1)[0]), resource)
    )
  }
}
