import { Emitter } from '@codingame/monaco-vscode-api/vscode/vs/base/common/event'
import type {
  IDecorationData,
  IDecorationsProvider,
} from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/decorations/common/decorations'
import type { Uri } from 'monaco-editor'
import { isBoxUri } from '../files/boxUri.ts'
import { boxUri } from '../files/boxUri.ts'
import { changeMarks, type ChangeKind, type GitChange } from './gitChanges.ts'

/** Marks changed files with their letter and color, wherever the workbench names them. */
export class GitDecorations implements IDecorationsProvider {
  readonly label = 'Git'
  readonly #changes = new Emitter<readonly Uri[]>()
  readonly onDidChange = this.#changes.event
  readonly #root: string
  #kinds = new Map<string, ChangeKind>()

  constructor(workspacePath: string) {
    this.#root = workspacePath
  }

  show(changes: readonly GitChange[]): void {
    const before = this.#kinds
    this.#kinds = new Map(changes.map(({ path, kind }) => [`${this.#root}/${path}`, kind]))
    const paths = new Set([...before.keys(), ...this.#kinds.keys()])
    const differing = [...paths].filter((path) => before.get(path) !== this.#kinds.get(path))
    if (differing.length > 0) this.#changes.fire(differing.map((path) => boxUri(path)))
  }

  provideDecorations({ scheme, path }: Uri): IDecorationData | undefined {
    const kind = isBoxUri({ scheme }) ? this.#kinds.get(path) : undefined
    if (!kind) return undefined
    const { letter, words, color } = changeMarks[kind]
    return { letter, color, tooltip: words, bubble: kind !== 'deleted', strikethrough: kind === 'deleted', weight: 10 }
  }
}
