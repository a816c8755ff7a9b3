import type { Builder } from '../graphql/builder.ts'
import type { GraphqlTypes } from '../graphql/types.ts'

/** What the query API says about comments. */
export function defineComments(builder: Builder, types: GraphqlTypes): void {
  types.comment.implement({
    fields: (t) => ({
      content: t.expose('content', { type: 'String', nullable: true }),
      id: t.expose('id', { type: 'UUID4', nullable: false }),
      insertedAt: t.expose('insertedAt', { type: 'NaiveDateTime', nullable: false }),
      isResolved: t.expose('isResolved', { type: 'Boolean', nullable: false }),
      updatedAt: t.expose('updatedAt', { type: 'NaiveDateTime', nullable: false }),
    }),
  })

  types.reference.implement({
    fields: (t) => ({
      id: t.expose('id', { type: 'UUID4', nullable: false }),
      resource: t.expose('resource', { type: 'String', nullable: false }),
      type: t.expose('type', { type: 'String', nullable: false }),
    }),
  })

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
