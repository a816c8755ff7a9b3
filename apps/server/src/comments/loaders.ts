import { and, asc, count, desc, eq, inArray, isNull } from 'drizzle-orm'
import { commentReads, commentReferences, comments } from '../database/schema.ts'
import { defineCountLoader, defineListLoader, defineLoader, defineRowLoader } from '../graphql/loader.ts'

export const commentLoader = defineRowLoader(({ database }, ids) =>
  database
    .select()
    .from(comments)
    .where(inArray(comments.id, [...ids])),
)

/** The comments of sandboxes that are no replies, the newest first. */
export const sandboxCommentsLoader = defineListLoader(
  ({ database }, sandboxIds) =>
    database
      .select()
      .from(comments)
      .where(and(inArray(comments.sandboxId, [...sandboxIds]), isNull(comments.parentCommentId)))
      .orderBy(desc(comments.insertedAt), desc(comments.id)),
  ({ sandboxId }) => sandboxId,
)

/** The replies to comments, the oldest first. */
export const repliesLoader = defineListLoader(
  ({ database }, commentIds) =>
    database
      .select()
      .from(comments)
      .where(inArray(comments.parentCommentId, [...commentIds]))
      .orderBy(asc(comments.insertedAt), asc(comments.id)),
  ({ parentCommentId }) => parentCommentId ?? '',
)

export const replyCountLoader = defineCountLoader(async ({ database }, commentIds) => {
  const rows = await database
    .select({ id: comments.parentCommentId, count: count() })
    .from(comments)
    .where(inArray(comments.parentCommentId, [...commentIds]))
    .groupBy(comments.parentCommentId)
  return new Map(rows.flatMap(({ id, count: replies }) => (id === null ? [] : [[id, replies] as const])))
})

export const referencesLoader = defineListLoader(
  ({ database }, commentIds) =>
    database
      .select()
      .from(commentReferences)
      .where(inArray(commentReferences.commentId, [...commentIds]))
      .orderBy(asc(commentReferences.position)),
  ({ commentId }) => commentId,
)

/** Whether whoever asks has read a comment. A visitor has read nothing. */
export const isReadLoader = defineLoader<string, boolean>(async ({ database, user }, commentIds) => {
  if (!user) return commentIds.map(() => false)
  const rows = await database
    .select({ commentId: commentReads.commentId })
    .from(commentReads)
    .where(and(eq(commentReads.userId, user.id), inArray(commentReads.commentId, [...commentIds])))
  const read = new Set(rows.map(({ commentId }) => commentId))
  return commentIds.map((id) => read.has(id))
})
