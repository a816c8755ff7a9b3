import type { GitArea } from '@boxyard/dev-server-client'
import type { ILanguageService } from '@codingame/monaco-vscode-api/vscode/vs/editor/common/languages/language.service'
import type { IModelService } from '@codingame/monaco-vscode-api/vscode/vs/editor/common/services/model.service'
import { Uri, type editor } from 'monaco-editor'
import { CommitTexts } from './CommitTexts.ts'

export const GIT_SCHEME = 'boxyard-git'

/** The files of the repository at a commit, as read-only texts. */
export class GitContent {
  readonly #texts: CommitTexts
  readonly #workspacePath: string
  readonly #services: { models: IModelService; languages: ILanguageService }

  constructor(
    git: Pick<GitArea, 'contentAt'>,
    workspacePath: string,
    services: { models: IModelService; languages: ILanguageService },
  ) {
    this.#texts = new CommitTexts(git)
    this.#workspacePath = workspacePath
    this.#services = services
  }

  /** The address of a file at a commit. */
  resource(path: string, commit: string): Uri {
    return Uri.from({ scheme: GIT_SCHEME, path: `${this.#workspacePath}/${path}`, query: commit })
  }

  /** The text of a file at a commit; null where the commit does not have it. */
  text(path: string, commit: string): Promise<string | null> {
    return this.#texts.text(path, commit)
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
