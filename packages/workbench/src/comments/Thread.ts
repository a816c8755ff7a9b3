import { Emitter } from '@codingame/monaco-vscode-api/vscode/vs/base/common/event'
import {
  CommentMode,
  CommentThreadApplicability,
  CommentThreadCollapsibleState,
  CommentThreadState,
  type Comment,
  type CommentInput,
  type CommentThread,
} from '@codingame/monaco-vscode-api/vscode/vs/editor/common/languages'
import { Uri, type IRange } from 'monaco-editor'
import type { Lines, TextThread } from './commentSource.ts'

/** What a menu may offer for a thread, as its context says it. */
export const threadContext = {
  resolvable: 'boxyard.resolvable',
  reopenable: 'boxyard.reopenable',
  plain: 'boxyard',
} as const

let lastHandle = 0

/** A thread in the form that the workbench's comment widgets show. Without a `shown` thread it is one that is being begun. */
export class Thread implements CommentThread<IRange> {
  readonly commentThreadHandle = ++lastHandle
  readonly controllerHandle = 0
  readonly threadId: string
  readonly resource: string
  readonly editorId: string | undefined
  readonly isTemplate: boolean
  isDisposed = false
  range: IRange | undefined
  readonly #commentsChanged = new Emitter<readonly Comment[] | undefined>()
  readonly onDidChangeComments = this.#commentsChanged.event
  readonly #collapsed = new Emitter<CommentThreadCollapsibleState | undefined>()
  readonly onDidChangeCollapsibleState = this.#collapsed.event
  readonly #stateChanged = new Emitter<CommentThreadState | undefined>()
  readonly onDidChangeState = this.#stateChanged.event
  readonly #inputChanged = new Emitter<CommentInput | undefined>()
  readonly onDidChangeInput = this.#inputChanged.event
  readonly #canReplyChanged = new Emitter<boolean>()
  readonly onDidChangeCanReply = this.#canReplyChanged.event
  readonly onDidChangeInitialCollapsibleState = new Emitter<CommentThreadCollapsibleState | undefined>().event
  readonly onDidChangeLabel = new Emitter<string | undefined>().event
  initialCollapsibleState: CommentThreadCollapsibleState
  #collapsibleState: CommentThreadCollapsibleState
  #input: CommentInput | undefined
  #shown: TextThread | undefined
  #lines: Lines | undefined
  comments: Comment[] = []
  applicability = CommentThreadApplicability.Current

  constructor(values: {
    resource: Uri
    shown: TextThread | undefined
    range: IRange | undefined
    editorId?: string | undefined
  }) {
    this.resource = values.resource.toString()
    this.threadId = values.shown?.id ?? `new-${this.commentThreadHandle}`
    this.editorId = values.editorId
    this.isTemplate = values.shown === undefined
    this.range = values.range
    this.initialCollapsibleState = this.#collapsibleState = values.shown?.isResolved
      ? CommentThreadCollapsibleState.Collapsed
      : CommentThreadCollapsibleState.Expanded
    if (values.shown) this.show(values.shown)
  }

  /** The thread it shows; undefined for one that is being begun. */
  get shown(): TextThread | undefined {
    return this.#shown
  }

  get contextValue(): string {
    if (!this.#shown?.canResolve) return threadContext.plain
    return this.#shown.isResolved ? threadContext.reopenable : threadContext.resolvable
  }

  get label(): string | undefined {
    if (!this.#shown) return undefined
    const parts = [
      ...(this.#shown.isResolved ? ['Resolved'] : []),
      ...(this.applicability === CommentThreadApplicability.Outdated ? ['On lines that have changed since'] : []),
    ]
    return parts.length === 0 ? this.#shown.comments[0]?.author : parts.join(' · ')
  }

  get state(): CommentThreadState {
    return this.#shown?.isResolved ? CommentThreadState.Resolved : CommentThreadState.Unresolved
  }

  get canReply(): boolean {
    return this.#shown?.canReply ?? true
  }

  get collapsibleState(): CommentThreadCollapsibleState {
    return this.#collapsibleState
  }

  set collapsibleState(next: CommentThreadCollapsibleState) {
    if (next === this.#collapsibleState) return
    this.#collapsibleState = next
    this.#collapsed.fire(next)
  }

  get input(): CommentInput | undefined {
    return this.#input
  }

  set input(next: CommentInput | undefined) {
    this.#input = next
    this.#inputChanged.fire(next)
  }

  isDocumentCommentThread(): this is CommentThread<IRange> {
    return true
  }

  /** Takes over what is said by now. */
  show(shown: TextThread): void {
    const isTurned = this.#shown !== undefined && this.#shown.isResolved !== shown.isResolved
    this.#shown = shown
    this.comments = shown.comments.map(({ author, avatarUrl, body, at }, index) => ({
      uniqueIdInThread: index + 1,
      body: { value: body },
      userName: author,
      mode: CommentMode.Preview,
      timestamp: at,
      contextValue: threadContext.plain,
      ...(avatarUrl && { userIconPath: Uri.parse(new URL(avatarUrl, document.baseURI).href) }),
    }))
    this.#commentsChanged.fire(this.comments)
    this.#stateChanged.fire(this.state)
    this.#canReplyChanged.fire(this.canReply)
    if (isTurned)
      this.collapsibleState = shown.isResolved
        ? CommentThreadCollapsibleState.Collapsed
        : CommentThreadCollapsibleState.Expanded
  }

  /** Says where it stands; true when that is another place than before. */
  place(lines: Lines | undefined, lineCount: number): boolean {
    const isGone = lines === undefined
    const applicability = isGone ? CommentThreadApplicability.Outdated : CommentThreadApplicability.Current
    const kept = lines ?? this.#lines ?? { first: 1, last: 1 }
    const last = Math.min(kept.last, lineCount)
    const range = { startLineNumber: Math.min(kept.first, last), startColumn: 1, endLineNumber: last, endColumn: 1 }
    const isSame = JSON.stringify(range) === JSON.stringify(this.range) && applicability === this.applicability
    this.#lines = kept
    this.range = range
    this.applicability = applicability
    return !isSame
  }

  dispose(): void {
    this.isDisposed = true
  }
}
