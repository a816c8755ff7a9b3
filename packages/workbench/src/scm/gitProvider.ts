import type { GitStatus } from '@boxyard/protocol'
import { Emitter } from '@codingame/monaco-vscode-api/vscode/vs/base/common/event'
import { constObservable } from '@codingame/monaco-vscode-api/vscode/vs/base/common/observableInternal/observables/constObservable'
import { observableValue } from '@codingame/monaco-vscode-api/vscode/vs/base/common/observableInternal/observables/observableValue'
import type { Command } from '@codingame/monaco-vscode-api/vscode/vs/editor/common/languages'
import type {
  ISCMActionButtonDescriptor,
  ISCMProvider,
} from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/scm/common/scm'
import type { editor, Uri } from 'monaco-editor'
import { gitChanges } from './gitChanges.ts'
import { gitCommands } from './gitCommandIds.ts'
import { GitGroup, type ChangeOpener } from './gitGroup.ts'

export const GIT_PROVIDER = 'boxyard'

/** The repository of the box as the workbench's source control shows it. */
export class GitProvider implements ISCMProvider {
  readonly id = GIT_PROVIDER
  readonly providerId = GIT_PROVIDER
  readonly label = 'Git'
  readonly name = 'Git'
  readonly conflicts: GitGroup
  readonly changes: GitGroup
  readonly contextValue = constObservable(undefined)
  readonly commitTemplate = constObservable('')
  readonly artifactProvider = constObservable(undefined)
  readonly historyProvider = constObservable(undefined)
  readonly count = observableValue<number | undefined>('boxyard.git.count', undefined)
  readonly actionButton = observableValue<ISCMActionButtonDescriptor | undefined>('boxyard.git.button', undefined)
  readonly statusBarCommands = observableValue<readonly Command[] | undefined>('boxyard.git.status', undefined)
  readonly acceptInputCommand: Command = { id: gitCommands.commit, title: 'Commit' }
  readonly onDidChangeResourceGroups = new Emitter<void>().event
  readonly #resourceChanges = new Emitter<void>()
  readonly onDidChangeResources = this.#resourceChanges.event

  constructor(
    readonly rootUri: Uri,
    readonly inputBoxTextModel: editor.ITextModel,
    opener: ChangeOpener,
    readonly getOriginalResource: (uri: Uri) => Promise<Uri | null>,
  ) {
    this.conflicts = new GitGroup(this, 'conflicts', 'Conflicts', true, rootUri, opener)
    this.changes = new GitGroup(this, 'changes', 'Changes', false, rootUri, opener)
  }

  get groups(): readonly GitGroup[] {
    return [this.conflicts, this.changes]
  }

  show(status: GitStatus): void {
    const all = gitChanges(status)
    this.conflicts.show(all.filter(({ kind }) => kind === 'conflict'))
    this.changes.show(all.filter(({ kind }) => kind !== 'conflict'))
    this.count.set(all.length, undefined)
    this.#resourceChanges.fire()
  }

  /** Nothing is known of it, and nothing can be done with it. */
  clear(): void {
    this.conflicts.show([])
    this.changes.show([])
    this.count.set(undefined, undefined)
    this.actionButton.set(undefined, undefined)
    this.statusBarCommands.set([], undefined)
    this.#resourceChanges.fire()
  }

  dispose(): void {
    this.inputBoxTextModel.dispose()
  }
}
