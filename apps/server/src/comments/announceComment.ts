import { and, eq, inArray } from 'drizzle-orm'
import type { User } from '../accounts/users.ts'
import { commentReferences, comments } from '../database/schema.ts'
import { addNotification } from '../notifications/addNotification.ts'
import { preferencesOf } from '../notifications/preferences.ts'
import type { PreferenceName } from '../notifications/preferences.ts'
import type { MailKind } from '../outbox/mails.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import type { Sandbox } from '../sandboxes/sandboxes.ts'
import { whoMayWithSandbox } from '../sandboxes/sandboxFollowers.ts'
import type { CommentRow } from './graphqlTypes.ts'

const LONGEST_EXCERPT = 300

type Reason = 'mention' | 'comment_reply' | 'comment'

const channels = {
  mention: { preference: 'emailCommentMention', mail: 'commentMention' },
  comment_reply: { preference: 'emailCommentReply', mail: 'commentReply' },
  comment: { preference: 'emailNewComment', mail: 'newComment' },
} as const satisfies Record<Reason, { preference: PreferenceName; mail: MailKind }>

/**
 * Tells people of a new comment, each once and for the strongest reason: they are mentioned, they take part in the thread, or the
 * sandbox is theirs. Nobody is told what they may not see, and nobody of what they wrote themselves.
 */
export async function announceComment(work: Work, author: User, sandbox: Sandbox, comment: CommentRow): Promise<void> {
  const reasons = new Map<string, Reason>()
  if (sandbox.authorId !== null) reasons.set(sandbox.authorId, 'comment')
  for (const id of await participants(work, comment)) reasons.set(id, 'comment_reply')
  for (const id of await mentioned(work, comment)) reasons.set(id, 'mention')
  reasons.delete(author.id)

  const userIds = [...reasons.keys()]
  const allowed = await whoMayWithSandbox(work.tx, userIds, sandbox.id, 'see')
  const preferences = await preferencesOf(work.tx, userIds)
  for (const [userId, reason] of reasons) {
    if (!allowed.has(userId)) continue
    await addNotification(work, userId, reason, {
      sandbox_id: sandbox.id,
      sandbox_title: sandbox.title,
      comment_id: comment.id,
      comment_content: (comment.content ?? '').slice(0, LONGEST_EXCERPT),
      author_name: author.username,
      author_avatar: author.avatarUrl,
    })
    const { preference, mail } = channels[reason]
    if (preferences.get(userId)![preference]) await work.mail(mail, { commentId: comment.id, userId })
  }
}

/** Who wrote the comment that this one replies to, or replied to it before. */
async function participants({ tx }: Work, { parentCommentId }: CommentRow): Promise<string[]> {
  if (parentCommentId === null) return []
  const rows = await tx
    .selectDistinct({ userId: comments.userId })
    .from(comments)
    .where(inArray(comments.id, tx.select({ id: comments.id }).from(comments).where(eq(comments.id, parentCommentId))))
    .union(
      tx
        .selectDistinct({ userId: comments.userId })
        .from(comments)
        .where(eq(comments.parentCommentId, parentCommentId)),
    )
  return rows.map(({ userId }) => userId)
}

async function mentioned({ tx }: Work, { id }: CommentRow): Promise<string[]> {
  const rows = await tx
    .select({ userId: commentReferences.resource })
    .from(commentReferences)
    .where(and(eq(commentReferences.commentId, id), eq(commentReferences.type, 'user')))
  return rows.map(({ userId }) => userId)
}
