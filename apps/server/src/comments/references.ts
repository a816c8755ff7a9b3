import { ApiError } from '@boxyard/api'
import { and, eq } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import { findUsers } from '../accounts/users.ts'
import { commentReferences } from '../database/schema.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import { decodeDataUrl } from '../uploads/dataUrl.ts'
import { isImage } from '../uploads/contentType.ts'
import { addUpload, findUpload, uploadIdIn, uploadPath } from '../uploads/uploads.ts'
import type { Upload } from '../uploads/uploads.ts'
import type { UploadStore } from '../uploads/uploadStore.ts'
import type { CommentAnchor, CommentChange } from './commentInput.ts'
import type { ReferenceRow } from './graphqlTypes.ts'

type NewReference = Pick<ReferenceRow, 'type' | 'resource' | 'metadata' | 'isAnchor'>

export interface ReferenceOwner {
  userId: string
  sandboxId: string
  commentId: string
}

/** The kinds of references that a change names replace those that were there; the others stay. */
export async function writeReferences(
  work: Work,
  store: UploadStore,
  owner: ReferenceOwner,
  input: Pick<CommentChange, 'codeReferences' | 'imageReferences' | 'userReferences'> & { anchor?: CommentAnchor },
): Promise<void> {
  const { codeReferences: code, imageReferences: images, userReferences: people, anchor } = input
  const groups: [ReferenceRow['type'], NewReference[]][] = []
  if (anchor) groups.push([anchor.type, [await anchorReference(work, store, owner, anchor)]])
  if (code) groups.push(['code', code.map((reference) => codeReference(owner, reference, false))])
  if (images) groups.push(['image', await imageReferences(work, store, owner, images)])
  if (people) groups.push(['user', await userReferences(work, people)])
  for (const [type, references] of groups) {
    const isAnchor = references.some((reference) => reference.isAnchor)
    await work.tx
      .delete(commentReferences)
      .where(
        and(
          eq(commentReferences.commentId, owner.commentId),
          eq(commentReferences.type, type),
          eq(commentReferences.isAnchor, isAnchor),
        ),
      )
    const rows = references.map((reference, position) => ({
      id: randomUUID(),
      commentId: owner.commentId,
      position,
      ...reference,
    }))
    if (rows.length > 0) await work.tx.insert(commentReferences).values(rows)
  }
}

async function anchorReference(
  work: Work,
  store: UploadStore,
  owner: ReferenceOwner,
  anchor: CommentAnchor,
): Promise<NewReference> {
  if (anchor.type === 'code') return codeReference(owner, anchor.reference, true)
  const { screenshotSrc, responsive, ...preview } = anchor.reference
  const screenshot = screenshotSrc == null ? null : await keepImage(work, store, owner, 'screenshot.png', screenshotSrc)
  return {
    type: 'preview',
    resource: preview.previewPath,
    isAnchor: true,
    metadata: { ...preview, responsive: responsive ?? null, screenshotUrl: screenshot && uploadPath(screenshot) },
  }
}

function codeReference(
  { sandboxId }: ReferenceOwner,
  { anchor, head, code, path }: { anchor: number; head: number; code: string; path: string },
  isAnchor: boolean,
): NewReference {
  return { type: 'code', resource: path, isAnchor, metadata: { anchor, head, code, path, sandboxId } }
}

async function imageReferences(
  work: Work,
  store: UploadStore,
  owner: ReferenceOwner,
  images: NonNullable<CommentChange['imageReferences']>,
): Promise<NewReference[]> {
  const references: NewReference[] = []
  for (const { fileName, resolution, src, url } of images) {
    const upload =
      src != null ? await keepImage(work, store, owner, fileName, src) : await ownImage(work, owner, url ?? '')
    const path = uploadPath(upload)
    references.push({
      type: 'image',
      resource: path,
      isAnchor: false,
      metadata: { fileName, resolution, uploadId: upload.id, url: path },
    })
  }
  return references
}

async function keepImage(work: Work, store: UploadStore, owner: ReferenceOwner, name: string, src: string) {
  const content = decodeDataUrl(src)
  if (!content) throw invalidImage('The image can not be read.')
  const upload = await addUpload(work.tx, store, { userId: owner.userId, name, content })
  if (!isImage(upload.contentType)) throw invalidImage('Only PNG, JPEG, GIF, WebP and AVIF images can be shown.')
  return upload
}

/** An image that the author uploaded before. Addresses of other sites would tell them who reads the comment. */
async function ownImage(work: Work, { userId }: ReferenceOwner, url: string): Promise<Upload> {
  const id = uploadIdIn(url)
  const upload = id === null ? null : await findUpload(work.tx, id)
  if (!upload || upload.userId !== userId || !isImage(upload.contentType)) {
    throw invalidImage('Upload the image first.')
  }
  return upload
}

/** People are named by their id; their name is the one they have here. Ids of nobody are left out. */
async function userReferences(
  work: Work,
  people: NonNullable<CommentChange['userReferences']>,
): Promise<NewReference[]> {
  const ids = [...new Set(people.map(({ userId }) => userId))]
  const users = await findUsers(work.tx, ids)
  return users.map(({ id, username }) => ({
    type: 'user',
    resource: id,
    isAnchor: false,
    metadata: { userId: id, username },
  }))
}

function invalidImage(text: string): ApiError {
  return new ApiError('INVALID_INPUT', { detail: text, fields: { imageReferences: [text] } })
}
