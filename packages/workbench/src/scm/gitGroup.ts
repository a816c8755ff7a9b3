import { Emitter } from '@codingame/monaco-vscode-api/vscode/vs/base/common/event'
import { extUri } from '@codingame/monaco-vscode-api/vscode/vs/base/common/resources'
import { ResourceTree } from '@codingame/monaco-vscode-api/vscode/vs/base/common/resourceTree'
import type {
  ISCMProvider,
  ISCMResource,
  ISCMResourceGroup,
} from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/scm/common/scm'
import { Uri } from 'monaco-editor'
import { changeMarks, type GitChange } from './gitChanges.ts'

/** How a change is opened, and the two sides of its difference. */
export interface ChangeOpener {
  open(change: GitChange, preserveFocus: boolean): Promise<void>
  original(change: GitChange): Uri | undefined
  modified(change: GitChange): Uri | undefined
}

/** A changed file in the source control view. */
export class GitResource implements ISCMResource {
  readonly command = undefined
  readonly sourceUri: Uri
  readonly #opener: ChangeOpener

  constructor(
    readonly resourceGroup: GitGroup,
    readonly change: GitChange,
    root: Uri,
    opener: ChangeOpener,
  ) {
    this.sourceUri = Uri.joinPath(root, change.path)
    this.#opener = opener
  }

  get decorations(): ISCMResource['decorations'] {
    const { kind } = this.change
    return { tooltip: changeMarks[kind].words, strikeThrough: kind === 'deleted', faded: false }
  }

  get contextValue(): string {
    return this.change.kind
  }

  get multiDiffEditorOriginalUri(): Uri | undefined {
    return this.#opener.original(this.change)
  }

  get multiDiffEditorModifiedUri(): Uri | undefined {
    return this.#opener.modified(this.change)
  }

  open(preserveFocus: boolean): Promise<void> {
    return this.#opener.open(this.change, preserveFocus)
  }
}

/** The changes of one kind in the source control view: those in conflict, or the others. */
export class GitGroup implements ISCMResourceGroup {
  readonly multiDiffEditorEnableViewChanges = true
  readonly contextValue: string
  readonly #resourceChanges = new Emitter<void>()
  readonly onDidChangeResources = this.#resourceChanges.event
  readonly onDidChange = new Emitter<void>().event
  #resources: readonly GitResource[] = []
  #tree: ResourceTree<ISCMResource, ISCMResourceGroup> | undefined

  constructor(
    readonly provider: ISCMProvider,
    readonly id: string,
    readonly label: string,
    readonly hideWhenEmpty: boolean,
    private readonly root: Uri,
    private readonly opener: ChangeOpener,
  ) {
    this.contextValue = id
  }

  get resources(): readonly GitResource[] {
    return this.#resources
  }

  get resourceTree(): ResourceTree<ISCMResource, ISCMResourceGroup> {
    if (!this.#tree) {
      this.#tree = new ResourceTree<ISCMResource, ISCMResourceGroup>(this, this.root, extUri)
      for (const resource of this.#resources) this.#tree.add(resource.sourceUri, resource)
    }
    return this.#tree
  }

  show(changes: readonly GitChange[]): void {
    this.#resources = changes.map((change) => new GitResource(this, change, this.root, this.opener))
    this.#tree = undefined
    this.#resourceChanges.fire()
  }
}
