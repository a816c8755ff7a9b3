import { ApiError, dataOf } from '@boxyard/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { userOf } from '../accounts/authentication.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { rateLimit } from '../http/rateLimit.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import { contentTypeOf, isImage } from '../uploads/contentType.ts'
import { findUpload } from '../uploads/uploads.ts'
import { addExtension } from './addExtension.ts'
import { assetTypes, PACKAGE_ASSET } from './assetTypes.ts'
import type { ExtensionName } from './extensionName.ts'
import { extensionNameSchema, extensionVersionSchema, publisherSchema, targetPlatformSchema } from './extensionName.ts'
import { ExtensionPackage, LARGEST_PACKAGE } from './extensionPackage.ts'
import { ExtensionRegistry } from './extensionRegistry.ts'
import { fileHeaders, fileType } from './fileAnswer.ts'
import { galleryAnswerSchema } from './galleryAnswer.ts'
import { galleryQuerySchema } from './galleryQuery.ts'
import { PackageCache } from './packageCache.ts'

const GALLERY = '/api/v1/extensions/gallery'
const UPLOADS = '/api/v1/extensions/uploads'

const named = z.object({ publisher: publisherSchema, name: extensionNameSchema, version: extensionVersionSchema })
/** The editor says `1.2.3+web` for what a version has for web pages alone. */
const versionOnPlatform = z
  .string()
  .max(100)
  .transform((text, context) => {
    const [version, platform, ...rest] = text.split('+')
    const parsed = z
      .object({ version: extensionVersionSchema, targetPlatform: targetPlatformSchema.optional() })
      .safeParse({ version, targetPlatform: platform })
    if (parsed.success && rest.length === 0) return parsed.data
    context.addIssue({ code: 'custom', message: 'This is no version.' })
    return z.NEVER
  })
const inPackage = named.extend({ version: versionOnPlatform })
const path = z.object({ '*': z.string().max(2000) })

/** Extensions of the editor: those of a registry, which only the server asks, and those that people bring as a file. */
export function registerExtensions(app: App, { configuration, database, uploads }: ServerContext): void {
  const registry = new ExtensionRegistry(configuration.extensionRegistry)
  const cache = new PackageCache(join(configuration.home, 'extensions'), (extension) => registry.package(extension))
  app.addHook('onClose', () => registry.close())
  // Visitors have extensions too, so anybody may make this server ask; not without end.
  const asking = rateLimit({ limit: 1200, windowMs: 60_000 })
  const downloading = rateLimit({ limit: 60, windowMs: 60_000 })
  const base = configuration.appOrigin + GALLERY

  app.post(
    `${GALLERY}/extensionquery`,
    { onRequest: asking, schema: { body: galleryQuerySchema, response: { 200: galleryAnswerSchema } } },
    (request) => registry.query(request.body, `${base}/asset`),
  )

  app.get(
    `${GALLERY}/asset/:publisher/:name/:version/:type`,
    {
      onRequest: asking,
      schema: {
        params: named.extend({ type: z.string().max(200) }),
        querystring: z.object({ targetPlatform: targetPlatformSchema.optional() }),
        response: { 200: z.instanceof(Buffer).meta({ type: 'string', format: 'binary' }) },
      },
    },
    async (request, reply) => {
      const { type, ...extension } = request.params
      if (type === PACKAGE_ASSET) return sendPackage({ ...extension, ...request.query }, request, reply)
      const kind = Object.hasOwn(assetTypes, type) ? assetTypes[type] : undefined
      if (!kind) throw new ApiError('NOT_FOUND')
      const content = await registry.asset({ ...extension, ...request.query }, type, kind.mostBytes)
      const image = contentTypeOf(content)
      reply.headers({ ...fileHeaders, 'cache-control': 'public, max-age=86400' })
      return reply.type(kind.contentType ?? (isImage(image) ? image : 'application/octet-stream')).send(content)
    },
  )

  /** The archive as it is, for the VS Code server of a box. */
  const sendPackage = async (extension: ExtensionName, request: FastifyRequest, reply: FastifyReply) => {
    if (!(await cache.has(extension))) await downloading(request)
    const content = createReadStream(await cache.path(extension))
    // Removed to make room, it is read to its end all the same.
    await once(content, 'open')
    reply.headers({ ...fileHeaders, 'content-disposition': 'attachment' })
    return reply.type('application/octet-stream').send(content)
  }
  const openNamed = async (request: FastifyRequest, params: z.output<typeof inPackage>) => {
    const { publisher, name, version } = params
    const extension = { publisher, name, ...version }
    if (!(await cache.has(extension))) await downloading(request)
    return cache.open(extension)
  }
  const openUploaded = async (id: string) => {
    const upload = await findUpload(database, id)
    if (!upload?.name.endsWith('.vsix')) throw new ApiError('NOT_FOUND', { detail: 'This extension is not found' })
    return ExtensionPackage.open(uploads.path(upload.sha256))
  }
  const list = { response: { 200: z.array(z.string()) } }

  app.get(
    `${GALLERY}/packages/:publisher/:name/:version/extension`,
    { schema: { params: inPackage, ...list } },
    async (request, reply) =>
      sendTranslations(await openNamed(request, request.params), configuration.appOrigin + request.url, reply),
  )
  app.get(
    `${GALLERY}/packages/:publisher/:name/:version/extension/*`,
    { schema: { hide: true, params: inPackage.extend(path.shape) } },
    async (request, reply) => sendFile(await openNamed(request, request.params), request.params['*'], request, reply),
  )

  const uploaded = z.object({ id: z.uuid() })
  app.get(`${UPLOADS}/:id/extension`, { schema: { params: uploaded, ...list } }, async (request, reply) =>
    sendTranslations(await openUploaded(request.params.id), configuration.appOrigin + request.url, reply),
  )
  app.get(
    `${UPLOADS}/:id/extension/*`,
    { schema: { hide: true, params: uploaded.extend(path.shape) } },
    async (request, reply) => sendFile(await openUploaded(request.params.id), request.params['*'], request, reply),
  )

  void app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    scope.post(
      UPLOADS,
      {
        onRequest: app.authenticate.required,
        bodyLimit: LARGEST_PACKAGE,
        schema: {
          response: {
            200: dataOf(z.object({ id: z.string(), name: z.string(), version: z.string(), location: z.string() })),
          },
        },
      },
      async (request) => {
        const user = userOf(request)
        if (!Buffer.isBuffer(request.body)) throw new ApiError('MALFORMED', { detail: 'Send the bytes of the file' })
        const content = request.body
        const { upload, manifest } = await inTransaction(database, user, (work) =>
          addExtension(work, uploads, { userId: user.id, content }),
        )
        return {
          data: {
            id: upload.id,
            name: `${manifest.publisher}.${manifest.name}`,
            version: manifest.version,
            location: `${configuration.appOrigin}${UPLOADS}/${upload.id}/extension`,
          },
        }
      },
    )
  })
}

/** The addresses of the files with translations: what the editor asks for before it installs something. */
function sendTranslations(archive: ExtensionPackage, at: string, reply: FastifyReply) {
  archive.close()
  const names = archive.paths.filter((name) => /^package\.nls(?:\.[\w-]+)?\.json$/.test(name))
  return reply.headers(fileHeaders).send(names.map((name) => `${at}/${name}`))
}

async function sendFile(archive: ExtensionPackage, name: string, request: FastifyRequest, reply: FastifyReply) {
  const file = await archive.file(name).catch((error: unknown) => {
    archive.close()
    throw error
  })
  if (!file) {
    archive.close()
    throw new ApiError('NOT_FOUND', { detail: 'This extension does not have this file' })
  }
  if (file.bytes === 0) {
    archive.close()
    return reply.headers(fileHeaders).type('text/plain; charset=utf-8').send('')
  }
  const content = new PassThrough()
  const sent = pipeline(file.content, content).finally(() => archive.close())
  // The reply ends with the same error, and is cut off there.
  sent.catch(() => undefined)
  const first = await beginningOf(content)
  const site = request.headers['sec-fetch-site']
  reply.headers({ ...fileHeaders, 'content-length': file.bytes })
  return reply.type(fileType(name, first, typeof site === 'string' ? site : undefined)).send(content)
}

/** The first bytes of a stream, which stay in it. */
async function beginningOf(content: PassThrough): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    content.once('error', reject)
    content.once('readable', () => {
      content.off('error', reject)
      const first = content.read() as Buffer | null
      if (first) content.unshift(first)
      resolve(first ?? Buffer.alloc(0))
    })
  })
}
