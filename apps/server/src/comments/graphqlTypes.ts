import type { Builder } from '../graphql/builder.ts'
import type {
  CodeReferenceMetadata,
  ImageReferenceMetadata,
  PreviewReferenceMetadata,
  UserReferenceMetadata,
} from '../database/schema.ts'
import type { comments, commentReferences } from '../database/schema.ts'

export type CommentRow = typeof comments.$inferSelect
export type ReferenceRow = typeof commentReferences.$inferSelect
export type CodeReferenceMetadataShape = CodeReferenceMetadata & { __typename: 'CodeReferenceMetadata' }
export type ImageReferenceMetadataShape = ImageReferenceMetadata & { __typename: 'ImageReferenceMetadata' }
export type PreviewReferenceMetadataShape = PreviewReferenceMetadata & { __typename: 'PreviewReferenceMetadata' }
export type UserReferenceMetadataShape = UserReferenceMetadata & { __typename: 'UserReferenceMetadata' }
export type ReferenceMetadataShape =
  CodeReferenceMetadataShape | ImageReferenceMetadataShape | PreviewReferenceMetadataShape | UserReferenceMetadataShape

/** The types of this domain, so that others can refer to them before they have fields. */
export function commentsTypes(builder: Builder) {
  const codeReference = builder.inputType('CodeReference', {
    fields: (t) => ({
      anchor: t.field({ type: 'Int', required: true }),
      code: t.field({ type: 'String', required: true }),
      head: t.field({ type: 'Int', required: true }),
      lastUpdatedAt: t.field({ type: 'String', required: true }),
      path: t.field({ type: 'String', required: true }),
    }),
  })
  const imageReference = builder.inputType('ImageReference', {
    fields: (t) => ({
      fileName: t.field({ type: 'String', required: true }),
      resolution: t.field({ type: ['Int'], required: true }),
      src: t.field({ type: 'Base64' }),
      url: t.field({ type: 'String' }),
    }),
  })
  const userReference = builder.inputType('UserReference', {
    fields: (t) => ({
      userId: t.field({ type: 'String', required: true }),
      username: t.field({ type: 'String', required: true }),
    }),
  })
  const previewReference = builder.inputType('PreviewReference', {
    fields: (t) => ({
      height: t.field({ type: 'Int', required: true }),
      previewPath: t.field({ type: 'String', required: true }),
      screenshotSrc: t.field({ type: 'Base64' }),
      userAgent: t.field({ type: 'String', required: true }),
      width: t.field({ type: 'Int', required: true }),
      x: t.field({ type: 'Int', required: true }),
      y: t.field({ type: 'Int', required: true }),
      responsive: t.field({ type: 'Boolean' }),
    }),
  })
  const comment = builder.objectRef<CommentRow>('Comment')
  const reference = builder.objectRef<ReferenceRow>('Reference')
  const codeReferenceMetadata = builder.objectRef<CodeReferenceMetadataShape>('CodeReferenceMetadata')
  const imageReferenceMetadata = builder.objectRef<ImageReferenceMetadataShape>('ImageReferenceMetadata')
  const previewReferenceMetadata = builder.objectRef<PreviewReferenceMetadataShape>('PreviewReferenceMetadata')
  const userReferenceMetadata = builder.objectRef<UserReferenceMetadataShape>('UserReferenceMetadata')
  const referenceMetadata = builder.unionType('ReferenceMetadata', {
    types: [codeReferenceMetadata, imageReferenceMetadata, previewReferenceMetadata, userReferenceMetadata],
    resolveType: ({ __typename }) => __typename,
  })
  return {
    codeReference,
    imageReference,
    userReference,
    previewReference,
    comment,
    reference,
    codeReferenceMetadata,
    imageReferenceMetadata,
    previewReferenceMetadata,
    userReferenceMetadata,
    referenceMetadata,
  }
}
