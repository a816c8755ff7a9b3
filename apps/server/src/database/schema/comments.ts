import { boolean, index, integer, jsonb, pgEnum, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { insertedAt, moment, updatedAt } from '../columns.ts'
import { users } from './accounts.ts'
import { sandboxes } from './sandboxes.ts'

export const commentReferenceType = pgEnum('comment_reference_type', ['code', 'image', 'user', 'preview'])

export interface CodeReferenceMetadata {
  anchor: number
  code: string
  head: number
  path: string
  sandboxId: string
}

export interface ImageReferenceMetadata {
  fileName: string
  resolution: number[]
  uploadId: string
  url: string
}

export interface UserReferenceMetadata {
  userId: string
  username: string
}

export interface PreviewReferenceMetadata {
  height: number
  previewPath: string
  screenshotUrl: string | null
  userAgent: string
  width: number
  x: number
  y: number
  responsive: boolean | null
}

export type ReferenceMetadata =
  CodeReferenceMetadata | ImageReferenceMetadata | UserReferenceMetadata | PreviewReferenceMetadata

export const comments = pgTable(
  'comments',
  {
    id: uuid('id').primaryKey(),
    sandboxId: text('sandbox_id')
      .notNull()
      .references(() => sandboxes.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    parentCommentId: uuid('parent_comment_id').references((): AnyPgColumn => comments.id, { onDelete: 'cascade' }),
    content: text('content'),
    isResolved: boolean('is_resolved').notNull().default(false),
    insertedAt: insertedAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('comments_sandbox').on(table.sandboxId, table.insertedAt),
    index('comments_parent').on(table.parentCommentId),
  ],
)

/** What a comment points at: code, images, people, a spot of the preview. */
export const commentReferences = pgTable(
  'comment_references',
  {
    id: uuid('id').primaryKey(),
    commentId: uuid('comment_id')
      .notNull()
      .references(() => comments.id, { onDelete: 'cascade' }),
    type: commentReferenceType('type').notNull(),
    resource: text('resource').notNull(),
    metadata: jsonb('metadata').$type<ReferenceMetadata>().notNull(),
    /** The one place the whole comment is about. */
    isAnchor: boolean('is_anchor').notNull().default(false),
    position: integer('position').notNull().default(0),
    insertedAt: insertedAt(),
  },
  (table) => [index('comment_references_comment').on(table.commentId)],
)

export const commentReads = pgTable(
  'comment_reads',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    commentId: uuid('comment_id')
      .notNull()
      .references(() => comments.id, { onDelete: 'cascade' }),
    readAt: moment('read_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.commentId] })],
)
