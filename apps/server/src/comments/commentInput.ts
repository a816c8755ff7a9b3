import { z } from 'zod'

const MOST_REFERENCES = 50
const position = z.number().int().min(0)
const size = z.number().int().min(0).max(100_000)
const path = z.string().min(1).max(1000)

const codeReference = z.object({
  anchor: position,
  head: position,
  code: z.string().max(20_000, 'A reference holds at most 20000 characters of code.'),
  path,
  lastUpdatedAt: z.string().max(100),
})
const imageReference = z.object({
  fileName: z.string().min(1).max(255),
  resolution: z.array(size).length(2, 'The resolution is a width and a height.'),
  src: z.string().nullish(),
  url: z.string().max(2000).nullish(),
})
const userReference = z.object({ userId: z.uuid('This is no id of a user.'), username: z.string().max(100) })
const previewReference = z.object({
  height: size,
  width: size,
  x: z.number().int().min(-100_000).max(100_000),
  y: z.number().int().min(-100_000).max(100_000),
  previewPath: path,
  screenshotSrc: z.string().nullish(),
  userAgent: z.string().max(1000),
  responsive: z.boolean().nullish(),
})

const content = z.string().trim().max(20_000, 'A comment has at most 20000 characters.')
const references = {
  codeReferences: z.array(codeReference).max(MOST_REFERENCES).nullish(),
  imageReferences: z.array(imageReference).max(10, 'A comment has at most 10 images.').nullish(),
  userReferences: z.array(userReference).max(MOST_REFERENCES).nullish(),
}

export type CommentAnchor =
  | { type: 'code'; reference: z.infer<typeof codeReference> }
  | { type: 'preview'; reference: z.infer<typeof previewReference> }

export const newCommentSchema = z
  .object({
    id: z.uuid('The id of a comment is a UUID.').nullish(),
    content,
    parentCommentId: z.uuid('This comment is not found.').nullish(),
    ...references,
  })
  .refine((comment) => comment.content !== '' || (comment.imageReferences ?? []).length > 0, {
    path: ['content'],
    message: 'Write something.',
  })
export type NewComment = z.infer<typeof newCommentSchema>

export const commentChangeSchema = z.object({ content: content.min(1, 'Write something.').nullish(), ...references })
export type CommentChange = z.infer<typeof commentChangeSchema>

export const codeAnchorSchema = codeReference
export const previewAnchorSchema = previewReference
