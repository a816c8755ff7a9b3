import { ApiError, commentPolicies, commentRoleOf } from '@boxyard/api'
import type { CommentOperation } from '@boxyard/api'
import { and, eq } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import type { User } from '../accounts/users.ts'
import type { Queryable } from '../database/database.ts'
import { commentReads, comments } from '../database/schema.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import { authorizeSandbox } from '../sandboxes/sandboxes.ts'
import type { UploadStore } from '../uploads/uploadStore.ts'
import { announceComment } from './announceComment.ts'
import type { CommentAnchor, CommentChange, NewComment } from './commentInput.ts'
import type { CommentRow } from './graphqlTypes.ts'
import { writeReferences } from './references.ts'

/** A comment of this sandbox; those of other sandboxes do not exist for it. */
export async function findComment(database: Queryable, sandboxId: string, id: string): Promise<CommentRow | null> {
  const [comment] = await database
    .select()
    .from(comments)
    .where(and(eq(comments.id, id), eq(comments.sandboxId, sandboxId)))
  return comment ?? null
}

/** A comment on which `user` may do this. Throws NOT_FOUND for what may not be seen and FORBIDDEN for what may not be done. */
async function authorizedComment(
  work: Work,
  user: User,
  { sandboxId, commentId }: { sandboxId: string; commentId: string },
  operation: CommentOperation,
): Promise<CommentRow> {
  const { sandbox, role } = await authorizeSandbox(work.tx, sandboxId, user, 'see')
  const comment = await findComment(work.tx, sandbox.id, commentId)
  if (!comment) throw new ApiError('NOT_FOUND', { detail: 'This comment is not found' })
  commentPolicies.authorize(commentRoleOf(role, comment.userId === user.id), operation)
  return comment
}

/** Writes a comment, or with `parentCommentId` a reply. Replies have no replies of their own. */
export async function createComment(
  work: Work,
  store: UploadStore,
  user: User,
  { sandboxId, anchor, ...input }: NewComment & { sandboxId: string; anchor?: CommentAnchor },
): Promise<CommentRow> {
  const { sandbox } = await authorizeSandbox(work.tx, sandboxId, user, 'comment')
  const parent = input.parentCommentId == null ? null : await findComment(work.tx, sandbox.id, input.parentCommentId)
  if (input.parentCommentId != null && !parent) throw new ApiError('NOT_FOUND', { detail: 'This comment is not found' })
  const [comment] = await work.tx
    .insert(comments)
    .values({
      id: input.id ?? randomUUID(),
      sandboxId: sandbox.id,
      userId: user.id,
      parentCommentId: parent && (parent.parentCommentId ?? parent.id),
      content: input.content,
    })
    .onConflictDoNothing()
    .returning()
  if (!comment) throw new ApiError('CONFLICT', { detail: 'A comment with this id exists already' })
  await writeReferences(
    work,
    store,
    { userId: user.id, sandboxId: sandbox.id, commentId: comment.id },
    {
      ...input,
      ...(anchor ? { anchor } : {}),
    },
  )
  await markRead(work.tx, user.id, comment.id)
  await announceComment(work, user, sandbox, comment)
  await work.publish('commentAdded', { sandboxId: sandbox.id, commentId: comment.id })
  return comment
}

export async function updateComment(
  work: Work,
  store: UploadStore,
  user: User,
  { sandboxId, commentId, ...change }: CommentChange & { sandboxId: string; commentId: string },
): Promise<CommentRow> {
  const comment = await authorizedComment(work, user, { sandboxId, commentId }, 'edit')
  const owner = { userId: user.id, sandboxId: comment.sandboxId, commentId }
  await writeReferences(work, store, owner, change)
  return changeComment(work, comment, { content: change.content ?? comment.content })
}

export async function setResolved(
  work: Work,
  user: User,
  { isResolved, ...address }: { sandboxId: string; commentId: string; isResolved: boolean },
): Promise<CommentRow> {
  const comment = await authorizedComment(work, user, address, 'resolve')
  return comment.isResolved === isResolved ? comment : changeComment(work, comment, { isResolved })
}

async function changeComment(
  work: Work,
  { id }: CommentRow,
  change: Partial<Pick<CommentRow, 'content' | 'isResolved'>>,
): Promise<CommentRow> {
  const [changed] = await work.tx
    .update(comments)
    .set({ ...change, updatedAt: new Date() })
    .where(eq(comments.id, id))
    .returning()
  if (!changed) throw new ApiError('NOT_FOUND', { detail: 'This comment is not found' })
  await work.publish('commentChanged', { sandboxId: changed.sandboxId, commentId: id })
  return changed
}

/** Removes a comment with its replies. */
export async function deleteComment(
  work: Work,
  user: User,
  address: { sandboxId: string; commentId: string },
): Promise<CommentRow> {
  const comment = await authorizedComment(work, user, address, 'delete')
  await work.tx.delete(comments).where(eq(comments.id, comment.id))
  await work.publish('commentRemoved', { sandboxId: comment.sandboxId, commentId: comment.id, comment: { ...comment } })
  return comment
}

/** Notes that someone has seen a comment. */
export async function markRead(database: Queryable, userId: string, commentId: string): Promise<void> {
  await database.insert(commentReads).values({ userId, commentId, readAt: new Date() }).onConflictDoNothing()
}
