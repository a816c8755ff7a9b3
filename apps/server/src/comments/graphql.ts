import { validInput } from '../graphql/validInput.ts'
import { userLoader } from '../accounts/loaders.ts'
import type { Builder } from '../graphql/builder.ts'
import { requireUser } from '../graphql/requireUser.ts'
import type { GraphqlTypes } from '../graphql/types.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import { ApiError } from '@boxyard/api'
import { sandboxLoader } from '../sandboxes/loaders.ts'
import { codeAnchorSchema, commentChangeSchema, newCommentSchema, previewAnchorSchema } from './commentInput.ts'
import { createComment, deleteComment, findComment, markRead, setResolved, updateComment } from './comments.ts'
import type { ReferenceMetadataShape, ReferenceRow } from './graphqlTypes.ts'
import {
  commentLoader,
  isReadLoader,
  referencesLoader,
  repliesLoader,
  replyCountLoader,
  sandboxCommentsLoader,
} from './loaders.ts'

/** What the query API says about comments. */
export function defineComments(builder: Builder, types: GraphqlTypes): void {
  types.comment.implement({
    fields: (t) => ({
      anchorReference: t.field({
        type: types.reference,
        nullable: true,
        resolve: async ({ id }, _args, context) =>
          (await referencesLoader(context).load(id)).find(({ isAnchor }) => isAnchor) ?? null,
      }),
      comments: t.field({
        type: [types.comment],
        nullable: false,
        resolve: ({ id }, _args, context) => repliesLoader(context).load(id),
      }),
      content: t.expose('content', { type: 'String', nullable: true }),
      id: t.expose('id', { type: 'UUID4', nullable: false }),
      insertedAt: t.expose('insertedAt', { type: 'NaiveDateTime', nullable: false }),
      isRead: t.boolean({ nullable: false, resolve: ({ id }, _args, context) => isReadLoader(context).load(id) }),
      isResolved: t.expose('isResolved', { type: 'Boolean', nullable: false }),
      parentComment: t.field({
        type: types.comment,
        nullable: true,
        resolve: ({ parentCommentId }, _args, context) =>
          parentCommentId === null ? null : commentLoader(context).load(parentCommentId),
      }),
      references: t.field({
        type: [types.reference],
        nullable: false,
        resolve: async ({ id }, _args, context) =>
          (await referencesLoader(context).load(id)).filter(({ isAnchor }) => !isAnchor),
      }),
      replyCount: t.int({ nullable: false, resolve: ({ id }, _args, context) => replyCountLoader(context).load(id) }),
      sandbox: t.field({
        type: types.sandbox,
        nullable: false,
        resolve: async ({ sandboxId }, _args, context) => present(await sandboxLoader(context).load(sandboxId)),
      }),
      updatedAt: t.expose('updatedAt', { type: 'NaiveDateTime', nullable: false }),
      user: t.field({
        type: types.user,
        nullable: false,
        resolve: async ({ userId }, _args, context) => present(await userLoader(context).load(userId)),
      }),
    }),
  })

  types.reference.implement({
    fields: (t) => ({
      id: t.expose('id', { type: 'UUID4', nullable: false }),
      metadata: t.field({ type: types.referenceMetadata, nullable: false, resolve: metadataOf }),
      resource: t.expose('resource', { type: 'String', nullable: false }),
      type: t.expose('type', { type: 'String', nullable: false }),
    }),
  })

  defineMetadata(types)

  builder.objectFields(types.sandbox, (t) => ({
    comments: t.field({
      type: [types.comment],
      nullable: false,
      resolve: ({ id }, _args, context) => sandboxCommentsLoader(context).load(id),
    }),
    comment: t.field({
      type: types.comment,
      nullable: true,
      args: { commentId: t.arg({ type: 'UUID4', required: true }) },
      // Whoever asks for one comment looks at it.
      resolve: async ({ id }, { commentId }, { database, user }) => {
        const comment = await findComment(database, id, commentId)
        if (comment && user) await markRead(database, user.id, comment.id)
        return comment
      },
    }),
  }))

  builder.mutationFields((t) => {
    const commentId = t.arg({ type: 'UUID4', required: true })
    const sandboxId = t.arg.id({ required: true })
    const references = {
      codeReferences: t.arg({ type: [types.codeReference] }),
      imageReferences: t.arg({ type: [types.imageReference] }),
      userReferences: t.arg({ type: [types.userReference] }),
    }
    const newComment = {
      content: t.arg.string({ required: true }),
      id: t.arg.id(),
      parentCommentId: t.arg.id(),
      sandboxId,
      ...references,
    }
    return {
      createComment: t.field({
        type: types.comment,
        nullable: false,
        args: newComment,
        resolve: (_root, args, context) => {
          const user = requireUser(context)
          const input = { ...validInput(newCommentSchema, args), sandboxId: args.sandboxId }
          return inTransaction(context.database, user, (work) =>
            createComment(work, context.server.uploads, user, input),
          )
        },
      }),
      createCodeComment: t.field({
        type: types.comment,
        nullable: false,
        args: { ...newComment, anchorReference: t.arg({ type: types.codeReference, required: true }) },
        resolve: (_root, args, context) => {
          const user = requireUser(context)
          const input = {
            ...validInput(newCommentSchema, args),
            sandboxId: args.sandboxId,
            anchor: { type: 'code' as const, reference: validInput(codeAnchorSchema, args.anchorReference) },
          }
          return inTransaction(context.database, user, (work) =>
            createComment(work, context.server.uploads, user, input),
          )
        },
      }),
      createPreviewComment: t.field({
        type: types.comment,
        nullable: false,
        args: { ...newComment, anchorReference: t.arg({ type: types.previewReference, required: true }) },
        resolve: (_root, args, context) => {
          const user = requireUser(context)
          const input = {
            ...validInput(newCommentSchema, args),
            sandboxId: args.sandboxId,
            anchor: { type: 'preview' as const, reference: validInput(previewAnchorSchema, args.anchorReference) },
          }
          return inTransaction(context.database, user, (work) =>
            createComment(work, context.server.uploads, user, input),
          )
        },
      }),
      updateComment: t.field({
        type: types.comment,
        nullable: false,
        args: { commentId, content: t.arg.string(), sandboxId, ...references },
        resolve: (_root, args, context) => {
          const user = requireUser(context)
          const { sandboxId: inSandbox, commentId: id } = args
          const change = { ...validInput(commentChangeSchema, args), sandboxId: inSandbox, commentId: id }
          return inTransaction(context.database, user, (work) =>
            updateComment(work, context.server.uploads, user, change),
          )
        },
      }),
      deleteComment: t.field({
        type: types.comment,
        nullable: false,
        args: { commentId, sandboxId },
        resolve: (_root, args, context) => {
          const user = requireUser(context)
          return inTransaction(context.database, user, (work) => deleteComment(work, user, args))
        },
      }),
      resolveComment: t.field({
        type: types.comment,
        nullable: false,
        args: { commentId, sandboxId },
        resolve: (_root, args, context) => {
          const user = requireUser(context)
          return inTransaction(context.database, user, (work) => setResolved(work, user, { ...args, isResolved: true }))
        },
      }),
      unresolveComment: t.field({
        type: types.comment,
        nullable: false,
        args: { commentId, sandboxId },
        resolve: (_root, args, context) => {
          const user = requireUser(context)
          return inTransaction(context.database, user, (work) =>
            setResolved(work, user, { ...args, isResolved: false }),
          )
        },
      }),
    }
  })
}

function defineMetadata(types: GraphqlTypes): void {
  types.codeReferenceMetadata.implement({
    fields: (t) => ({
      anchor: t.expose('anchor', { type: 'Int', nullable: false }),
      code: t.expose('code', { type: 'String', nullable: false }),
      head: t.expose('head', { type: 'Int', nullable: false }),
      path: t.expose('path', { type: 'String', nullable: false }),
      sandboxId: t.expose('sandboxId', { type: 'String', nullable: false }),
    }),
  })

  types.imageReferenceMetadata.implement({
    fields: (t) => ({
      fileName: t.expose('fileName', { type: 'String', nullable: false }),
      resolution: t.expose('resolution', { type: ['Int'], nullable: false }),
      uploadId: t.expose('uploadId', { type: 'UUID4', nullable: false }),
      url: t.expose('url', { type: 'String', nullable: false }),
    }),
  })

  types.previewReferenceMetadata.implement({
    fields: (t) => ({
      height: t.expose('height', { type: 'Int', nullable: false }),
      previewPath: t.expose('previewPath', { type: 'String', nullable: false }),
      screenshotUrl: t.expose('screenshotUrl', { type: 'String', nullable: true }),
      userAgent: t.expose('userAgent', { type: 'String', nullable: false }),
      width: t.expose('width', { type: 'Int', nullable: false }),
      x: t.expose('x', { type: 'Int', nullable: false }),
      y: t.expose('y', { type: 'Int', nullable: false }),
      responsive: t.expose('responsive', { type: 'Boolean', nullable: true }),
    }),
  })

  types.userReferenceMetadata.implement({
    fields: (t) => ({
      userId: t.expose('userId', { type: 'String', nullable: false }),
      username: t.expose('username', { type: 'String', nullable: false }),
    }),
  })
}

const typeNames = {
  code: 'CodeReferenceMetadata',
  image: 'ImageReferenceMetadata',
  preview: 'PreviewReferenceMetadata',
  user: 'UserReferenceMetadata',
} as const

function metadataOf({ type, metadata }: ReferenceRow): ReferenceMetadataShape {
  return { ...metadata, __typename: typeNames[type] } as ReferenceMetadataShape
}

function present<T>(row: T | null): T {
  if (row === null) throw new ApiError('NOT_FOUND')
  return row
}
