import type {
  ICommentController,
  ICommentInfo,
  INotebookCommentInfo,
} from '@codingame/monaco-vscode-comments-service-override/vscode/vs/workbench/contrib/comments/browser/commentService'
import type { ICommentService } from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/comments/browser/commentService.service'
import type { IModelService } from '@codingame/monaco-vscode-api/vscode/vs/editor/common/services/model.service'
import { editor, Uri, type IRange } from 'monaco-editor'
import { boxUri, isBoxUri } from '../files/boxUri.ts'
import type { CommentSource, Lines, TextThread } from './commentSource.ts'
import { Thread } from './Thread.ts'

export const COMMENTS = 'boxyard'

export interface TextCommentsOptions {
  service: ICommentService
  models: Pick<IModelService, 'getModel'>
  source: CommentSource
  workspacePath: string
}

/** Shows the threads of one source in the texts of the workbench, and sends what the person writes there. */
export class TextComments implements ICommentController {
  readonly id: string
  readonly label: string
  readonly owner: string
  readonly contextValue = COMMENTS
  readonly features = {}
  activeComment: ICommentController['activeComment']
  readonly #options: TextCommentsOptions
  readonly #threads = new Map<string, Thread>()
  readonly #begun = new Set<Thread>()
  #revision: string | undefined

  constructor(options: TextCommentsOptions) {
    this.#options = options
    this.id = this.owner = `${COMMENTS}.${options.source.id}`
    this.label = options.source.label
  }

  /** The thread that has this comment. */
  threadOf(commentId: string): Thread | undefined {
    return [...this.#threads.values()].find(
      ({ shown }) => shown?.id === commentId || shown?.comments.some(({ id }) => id === commentId),
    )
  }

  /** Begins to show what the source has. */
  start(): void {
    const { service, source } = this.#options
    this.#revision = source.revision
    for (const shown of source.threads) this.#add(shown)
    // Says that there are comments in this workspace; without a controller it draws nothing.
    service.updateCommentingRanges(this.id)
    this.#register()
    // The host of extensions removes the controllers of everyone when it starts. Each text asks what is left first.
    service.onDidDeleteDataProvider((owner) => {
      if (owner === undefined) void Promise.resolve().then(() => this.#register())
    })
    source.onDidChange(() => this.#show())
  }

  async createCommentThreadTemplate(
    resource: Parameters<ICommentController['createCommentThreadTemplate']>[0],
    range: IRange | undefined,
    editorId?: string,
  ): Promise<void> {
    const thread = new Thread({ resource: Uri.from(resource), shown: undefined, range, editorId })
    this.#begun.add(thread)
    this.#tell({ added: [thread] })
  }

  async updateCommentThreadTemplate(handle: number, range: IRange): Promise<void> {
    const thread = [...this.#begun].find((each) => each.commentThreadHandle === handle)
    if (!thread) return
    thread.range = range
    this.#tell({ changed: [thread] })
  }

  deleteCommentThreadMain(threadId: string): void {
    for (const thread of this.#begun) if (thread.threadId === threadId) this.#giveUp(thread)
  }

  /** Sends what was written below a thread, or what begins one. */
  async send(thread: Thread, body: string): Promise<void> {
    const { source, workspacePath } = this.#options
    if (thread.shown) {
      await source.reply(thread.shown.id, body)
      return
    }
    const uri = Uri.parse(thread.resource)
    const { startLineNumber: first, endLineNumber: last } = thread.range ?? { startLineNumber: 1, endLineNumber: 1 }
    const path = uri.path.slice(workspacePath.length + 1)
    await source.begin({ path, lines: { first, last }, text: this.#text(uri) ?? '' }, body)
    this.#giveUp(thread)
  }

  async setResolved(thread: Thread, isResolved: boolean): Promise<void> {
    if (thread.shown) await this.#options.source.setResolved(thread.shown.id, isResolved)
  }

  /** Whether the thread is one of this source. */
  has(thread: Thread): boolean {
    return this.#begun.has(thread) || this.#threads.get(thread.threadId) === thread
  }

  async getDocumentComments(resource: Uri): Promise<ICommentInfo<IRange>> {
    const { source, workspacePath } = this.#options
    const lineCount = this.#options.models.getModel(resource)?.getLineCount()
    const isOurs = isBoxUri(resource) && resource.path.startsWith(`${workspacePath}/`) && lineCount !== undefined
    const path = resource.path.slice(workspacePath.length + 1)
    const threads = isOurs ? [...this.#threads.values()].filter(({ resource: its }) => its === resource.toString()) : []
    const moved = await Promise.all(threads.map(async (thread) => ((await this.#locate(thread)) ? [thread] : [])))
    // The workbench moves a thread with its line, but not when a line is begun right before it, and knows nothing of lines that change.
    this.#tell({ changed: moved.flat() })
    const lines = isOurs ? await source.commentable(path, lineCount).catch(nowhere) : []
    const ranges = lines.map(({ first, last }) => ({
      startLineNumber: first,
      startColumn: 1,
      endLineNumber: last,
      endColumn: 1,
    }))
    const begun = [...this.#begun].filter(({ resource: its }) => its === resource.toString())
    return {
      uniqueOwner: this.id,
      label: this.label,
      threads: [...threads, ...begun],
      commentingRanges: { resource, ranges, fileComments: false },
    }
  }

  async getNotebookComments(): Promise<INotebookCommentInfo> {
    return { uniqueOwner: this.id, label: this.label, threads: [] }
  }

  async setActiveCommentAndThread(info: ICommentController['activeComment']): Promise<void> {
    this.activeComment = info
  }

  async toggleReaction(): Promise<void> {
    throw new Error('Comments here have no reactions')
  }

  /** Makes every text ask for what is said in it, which draws each thread once. */
  #register(): void {
    const { service } = this.#options
    service.registerCommentController(this.id, this)
    service.setWorkspaceComments(this.id, [...this.#threads.values()])
  }

  #show(): void {
    const { source, service } = this.#options
    const wanted = new Map(source.threads.map((thread) => [thread.id, thread]))
    const removed = [...this.#threads.values()].filter(({ threadId }) => !wanted.has(threadId))
    for (const thread of removed) this.#threads.delete(thread.threadId)
    const added: Thread[] = []
    const changed: Thread[] = []
    for (const shown of wanted.values()) {
      const present = this.#threads.get(shown.id)
      if (!present) added.push(this.#add(shown))
      else if (JSON.stringify(present.shown) !== JSON.stringify(shown)) {
        present.show(shown)
        changed.push(present)
      }
    }
    for (const thread of removed) thread.dispose()
    if (source.revision !== this.#revision) {
      this.#revision = source.revision
      // Every thread is drawn anew, which takes the caret from whoever is writing. Told one by one as well, new ones would stand there twice.
      service.setWorkspaceComments(this.id, [...this.#threads.values()])
      service.updateCommentingRanges(this.id)
      return
    }
    this.#tell({ removed, changed })
    // Where a new one stands is only known when its text was looked at.
    for (const thread of added)
      void this.#locate(thread).then(() => {
        if (this.#threads.get(thread.threadId) === thread) this.#tell({ added: [thread] })
      })
  }

  #add(shown: TextThread): Thread {
    const resource = boxUri(`${this.#options.workspacePath}/${shown.path}`)
    const thread = new Thread({ resource, shown, range: undefined })
    this.#threads.set(shown.id, thread)
    return thread
  }

  /**
   * Puts a thread where its lines are now, and says whether that is somewhere else. In a text that is not open, and where nobody can tell, it
   * stands where it was last.
   */
  async #locate(thread: Thread): Promise<boolean> {
    const text = this.#text(Uri.parse(thread.resource))
    let isMoved = false
    if (thread.shown && text !== undefined) {
      try {
        isMoved = thread.place(await this.#options.source.locate(thread.shown, text), text.split('\n').length)
      } catch (error) {
        console.warn('A comment stands where it was before', error)
      }
    }
    thread.range ??= { startLineNumber: 1, startColumn: 1, endLineNumber: 1, endColumn: 1 }
    return isMoved
  }

  #text(resource: Uri): string | undefined {
    return this.#options.models.getModel(resource)?.getValue(editor.EndOfLinePreference.LF)
  }

  #giveUp(thread: Thread): void {
    this.#begun.delete(thread)
    thread.dispose()
    this.#tell({ removed: [thread] })
  }

  #tell({
    added = [],
    removed = [],
    changed = [],
  }: {
    added?: Thread[]
    removed?: Thread[]
    changed?: Thread[]
  }): void {
    if (added.length + removed.length + changed.length === 0) return
    this.#options.service.updateComments(this.id, { added, removed, changed, pending: [] })
  }
}

/** The workbench forgets the threads of a source that rejects, and says nothing of it. */
function nowhere(error: unknown): readonly Lines[] {
  console.warn('Comments can not be begun in this text', error)
  return []
}
