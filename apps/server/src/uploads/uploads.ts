import { ApiError } from '@boxyard/api'
import { and, asc, count, eq, sql } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import type { Database, Queryable, Transaction } from '../database/database.ts'
import { uploads, users } from '../database/schema.ts'
import { contentTypeOf } from './contentType.ts'
import type { UploadStore } from './uploadStore.ts'
import { hashOf } from './uploadStore.ts'

export type Upload = typeof uploads.$inferSelect

/** What one person may keep on the server, in bytes. */
export const MAX_UPLOADED = 100 * 1024 * 1024
export const MAX_UPLOAD = 5 * 1024 * 1024

const LONGEST_NAME = 255

export interface NewUpload {
  userId: string
  name: string
  content: Buffer
  /** Bytes it may have. */
  largest?: number
}

/**
 * Keeps a file for someone, within their quota. The bytes are on disk before the row is: a row always has its bytes, and bytes without
 * a row are found by `removeUnused`.
 */
export async function addUpload(tx: Transaction, store: UploadStore, upload: NewUpload): Promise<Upload> {
  const { userId, content, largest = MAX_UPLOAD } = upload
  if (content.length === 0) throw invalid('content', 'The file is empty.')
  if (content.length > largest) {
    const megabytes = largest / 1024 / 1024
    throw new ApiError('PAYLOAD_TOO_LARGE', { detail: `A file may have at most ${megabytes} MB` })
  }
  // Uploads of one person wait for each other, so that they can not exceed the quota together.
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
  if ((await uploadedSize(tx, userId)) + content.length > MAX_UPLOADED) {
    throw new ApiError('LIMIT_REACHED', { detail: 'You reached the maximum of 100 MB of uploads' })
  }
  await lockContent(tx, hashOf(content))
  const sha256 = await store.put(content)
  const [row] = await tx
    .insert(uploads)
    .values({
      id: randomUUID(),
      userId,
      name: fileNameOf(upload.name),
      contentType: contentTypeOf(content),
      objectSize: content.length,
      sha256,
    })
    .returning()
  return row!
}

/** A name without a folder, and without what no file name should have. */
export function fileNameOf(name: string): string {
  const last = name.normalize('NFC').split(/[/\\]/).at(-1)!
  // oxlint-disable-next-line no-control-regex -- control characters are what is taken out
  const clean = last.replace(/[\u0000-\u001f\u007f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, '').trim()
  return clean === '' || clean === '.' || clean === '..' ? 'file' : clean.slice(0, LONGEST_NAME)
}

export async function uploadsOf(database: Queryable, userId: string): Promise<Upload[]> {
  return database.select().from(uploads).where(eq(uploads.userId, userId)).orderBy(asc(uploads.insertedAt))
}

export async function uploadedSize(database: Queryable, userId: string): Promise<number> {
  const [row] = await database
    .select({ size: sql<string>`coalesce(sum(${uploads.objectSize}), 0)` })
    .from(uploads)
    .where(eq(uploads.userId, userId))
  return Number(row!.size)
}

export async function findUpload(database: Queryable, id: string): Promise<Upload | null> {
  const [upload] = await database.select().from(uploads).where(eq(uploads.id, id))
  return upload ?? null
}

/** Removes someone's upload, and its bytes when nobody else has the same. */
export async function removeUpload(
  database: Database,
  store: UploadStore,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  const [removed] = await database
    .delete(uploads)
    .where(and(eq(uploads.id, id), eq(uploads.userId, userId)))
    .returning({ sha256: uploads.sha256 })
  if (!removed) throw new ApiError('NOT_FOUND', { detail: 'This upload is not found' })
  // After the commit: a kill in between leaves bytes that nobody has, never a row without its bytes.
  await removeUnused(database, store, removed.sha256)
}

async function removeUnused(database: Database, store: UploadStore, sha256: string): Promise<void> {
  await database.transaction(async (tx) => {
    await lockContent(tx, sha256)
    const [row] = await tx.select({ count: count() }).from(uploads).where(eq(uploads.sha256, sha256))
    if (row!.count === 0) await store.remove(sha256)
  })
}

/** Until the end of the transaction nobody else adds or removes the same bytes. */
async function lockContent(tx: Transaction, sha256: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${sha256}, 0))`)
}

/** Where an upload is served. Whoever knows the address may read it: its id can not be guessed. */
export function uploadPath({ id, name }: Pick<Upload, 'id' | 'name'>): string {
  return `/api/v1/uploads/${id}/${encodeURIComponent(name)}`
}

export function uploadIdIn(url: string): string | null {
  return /\/api\/v1\/uploads\/([0-9a-f-]{36})\//.exec(url)?.[1] ?? null
}

function invalid(field: string, text: string): ApiError {
  return new ApiError('INVALID_INPUT', { detail: text, fields: { [field]: [text] } })
}
