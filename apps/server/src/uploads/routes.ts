import { ApiError, dataOf, newUploadSchema, uploadListSchema, noContent } from '@boxyard/api'
import { z } from 'zod'
import { userOf } from '../accounts/authentication.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import { authorizeTeam } from '../workspaces/authorizeTeam.ts'
import { describeTeam } from '../workspaces/changeTeam.ts'
import { contentTypeOf, isImage } from './contentType.ts'
import { decodeDataUrl } from './dataUrl.ts'
import { addUpload, findUpload, MAX_UPLOADED, removeUpload, uploadPath, uploadsOf } from './uploads.ts'

/** Base64 takes a third more than the bytes, and the JSON around it a little. */
const LARGEST_BODY = 8 * 1024 * 1024

/** Files that people keep on the server. */
export function registerUploads(app: App, { database, uploads: store }: ServerContext): void {
  const { required } = app.authenticate

  for (const base of ['/api/v1/users/current_user/uploads', '/api/v1/users/current/uploads']) {
    app.get(base, { onRequest: required, schema: { response: { 200: dataOf(uploadListSchema) } } }, async (request) => {
      const uploads = await uploadsOf(database, userOf(request).id)
      return {
        data: {
          uploads: uploads.map((upload) => ({
            id: upload.id,
            url: uploadPath(upload),
            object_size: upload.objectSize,
            name: upload.name,
            path: `/${upload.name}`,
          })),
          max_size: MAX_UPLOADED,
          current_size: uploads.reduce((sum, { objectSize }) => sum + objectSize, 0),
        },
      }
    })

    app.post(
      base,
      {
        onRequest: required,
        bodyLimit: LARGEST_BODY,
        schema: { body: newUploadSchema, response: { 200: dataOf(z.object({ id: z.string(), url: z.string() })) } },
      },
      async (request) => {
        const user = userOf(request)
        const { name, content } = request.body
        const bytes = decodeDataUrl(content)
        if (!bytes) throw new ApiError('INVALID_INPUT', { fields: { content: ['This is no data URL.'] } })
        const upload = await inTransaction(database, user, (work) =>
          addUpload(work.tx, store, { userId: user.id, name, content: bytes }),
        )
        return { data: { id: upload.id, url: uploadPath(upload) } }
      },
    )

    app.delete(
      `${base}/:id`,
      { onRequest: required, schema: { params: z.object({ id: z.uuid() }), response: noContent } },
      async (request, reply) => {
        await removeUpload(database, store, { userId: userOf(request).id, id: request.params.id })
        return reply.code(204).send()
      },
    )
  }

  app.post(
    '/api/v1/teams/:teamId/avatar',
    {
      onRequest: required,
      bodyLimit: LARGEST_BODY,
      schema: {
        params: z.object({ teamId: z.uuid() }),
        body: z.object({ name: newUploadSchema.shape.name, avatar: newUploadSchema.shape.content }),
        response: { 200: dataOf(z.object({ id: z.string(), url: z.string() })) },
      },
    },
    async (request) => {
      const user = userOf(request)
      const { name, avatar } = request.body
      const content = decodeDataUrl(avatar)
      if (!content || !isImage(contentTypeOf(content))) {
        throw new ApiError('INVALID_INPUT', { fields: { avatar: ['This is no image.'] } })
      }
      const team = await inTransaction(database, user, async (work) => {
        const access = await authorizeTeam(work.tx, request.params.teamId, user, 'describe', { lock: true })
        const upload = await addUpload(work.tx, store, { userId: user.id, name, content })
        return describeTeam(work, access.team, { avatarUrl: uploadPath(upload) })
      })
      return { data: { id: team.id, url: team.avatarUrl! } }
    },
  )

  // Previews are other origins and show uploads too, so these answers may be read from everywhere; they carry no rights.
  app.get(
    '/api/v1/uploads/:id/:name',
    { schema: { hide: true, params: z.object({ id: z.uuid(), name: z.string().max(1000) }) } },
    async (request, reply) => {
      const upload = await findUpload(database, request.params.id)
      if (!upload) throw new ApiError('NOT_FOUND')
      reply.headers({
        'access-control-allow-origin': '*',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-length': upload.objectSize,
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'cross-origin',
        'content-disposition': `${isImage(upload.contentType) ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(upload.name)}`,
      })
      return reply.type(upload.contentType).send(store.read(upload.sha256))
    },
  )
}
