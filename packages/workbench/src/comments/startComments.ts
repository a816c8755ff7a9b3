import { getService, IEditorService, IModelService, IUriIdentityService } from '@codingame/monaco-vscode-api'
import { Codicon } from '@codingame/monaco-vscode-api/vscode/vs/base/common/codicons'
import { CancellationError } from '@codingame/monaco-vscode-api/vscode/vs/base/common/errors'
import {
  Action2,
  MenuId,
  registerAction2,
  type IAction2Options,
} from '@codingame/monaco-vscode-api/vscode/vs/platform/actions/common/actions'
import {
  ContextKeyExpr,
  type ContextKeyExpression,
} from '@codingame/monaco-vscode-api/vscode/vs/platform/contextkey/common/contextkey'
import { CommentThreadCollapsibleState } from '@codingame/monaco-vscode-api/vscode/vs/editor/common/languages'
import { ICommentService } from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/comments/browser/commentService.service'
import { revealCommentThread } from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/comments/browser/commentsController'
import { report } from '../status/report.ts'
import type { CommentSource } from './commentSource.ts'
import { offerMentions } from './offerMentions.ts'
import { COMMENTS, TextComments } from './TextComments.ts'
import { Thread, threadContext } from './Thread.ts'
import './comments.css'

export interface TextCommentsOfWorkbench {
  /** Shows the threads of a source. */
  add(source: CommentSource): void
}

/** Lets people talk about texts in the texts themselves. `reveal` is a comment whose thread is opened as soon as it is known. */
export async function startComments(
  workspacePath: string,
  reveal: string | undefined,
): Promise<TextCommentsOfWorkbench> {
  const [service, models, editors, identities] = await Promise.all([
    getService(ICommentService),
    getService(IModelService),
    getService(IEditorService),
    getService(IUriIdentityService),
  ])
  const all: TextComments[] = []
  const sources: CommentSource[] = []
  offerMentions(sources, (error) => report('Nobody can be named at present', error))
  let wanted = reveal

  const given = (value: unknown): { thread: Thread; text: string } | undefined => {
    if (value instanceof Thread) return { thread: value, text: '' }
    if (typeof value !== 'object' || value === null || !('thread' in value)) return undefined
    const text = 'text' in value && typeof value.text === 'string' ? value.text.trim() : ''
    return value.thread instanceof Thread ? { thread: value.thread, text } : undefined
  }
  const perform =
    (what: string, work: (comments: TextComments, thread: Thread, text: string) => Promise<void>) =>
    async (value: unknown): Promise<void> => {
      const found = given(value)
      const comments = found && all.find((each) => each.has(found.thread))
      if (!found || !comments) return
      try {
        await work(comments, found.thread, found.text)
      } catch (error) {
        report(what, error)
        // The form keeps what was written unless this went well.
        throw new CancellationError()
      }
    }
  const send = perform('The comment was not sent', async (comments, thread, text) => {
    if (text !== '') await comments.send(thread, text)
  })
  const resolve = perform('The thread is as it was', (comments, thread) => comments.setResolved(thread, true))
  const reopen = perform('The thread is as it was', (comments, thread) => comments.setResolved(thread, false))

  const ours = ContextKeyExpr.equals('commentController', COMMENTS)
  const isNew = ContextKeyExpr.has('commentThreadIsEmpty')
  const written = ContextKeyExpr.has('commentIsEmpty').negate()
  const register = (
    id: string,
    title: string,
    run: (value: unknown) => Promise<void>,
    rest: Pick<IAction2Options, 'menu' | 'precondition' | 'icon'>,
  ) =>
    registerAction2(
      class extends Action2 {
        constructor() {
          super({ id: `boxyard.comments.${id}`, title: { value: title, original: title }, ...rest })
        }
        run(_accessor: unknown, value: unknown): Promise<void> {
          return run(value)
        }
      },
    )
  const below = (when: ContextKeyExpression) => ({
    id: MenuId.CommentThreadActions,
    group: 'inline',
    order: 1,
    when: ContextKeyExpr.and(ours, when)!,
  })
  const above = (context: string) => ({
    id: MenuId.CommentThreadTitle,
    group: 'inline',
    order: 1,
    when: ContextKeyExpr.and(ours, ContextKeyExpr.equals('commentThread', context))!,
  })
  register('begin', 'Comment', send, { menu: [below(isNew)], precondition: written })
  register('reply', 'Reply', send, { menu: [below(isNew.negate())], precondition: written })
  register('resolve', 'Resolve', resolve, { menu: [above(threadContext.resolvable)], icon: Codicon.check })
  register('reopen', 'Open again', reopen, { menu: [above(threadContext.reopenable)], icon: Codicon.discard })

  const tryReveal = (comments: TextComments): void => {
    if (wanted === undefined) return
    const thread = comments.threadOf(wanted)
    if (!thread) return
    const comment = thread.comments[thread.shown?.comments.findIndex(({ id }) => id === wanted) ?? 0]
    wanted = undefined
    thread.collapsibleState = CommentThreadCollapsibleState.Expanded
    revealCommentThread(service, editors, identities, thread, comment ?? thread.comments[0], false, true)
  }

  return {
    add: (source) => {
      const comments = new TextComments({ service, models, source, workspacePath })
      all.push(comments)
      sources.push(source)
      comments.start()
      source.onDidChange(() => tryReveal(comments))
      tryReveal(comments)
    },
  }
}
