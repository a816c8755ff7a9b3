import {
  ApiError,
  dataOf,
  directoryChangeSchema,
  directoryCreationSchema,
  directorySchema,
  entriesCreationSchema,
  moduleChangeSchema,
  moduleChangesSchema,
  moduleCreationSchema,
  moduleSchema,
  ROOM_PERSON_HEADER,
  noContent,
} from '@boxyard/api'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { userOf } from '../accounts/authentication.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { presentDirectory, presentModule } from './presentFiles.ts'
import { createEntries } from './createEntries.ts'
import {
  createDirectory,
  createModule,
  deleteDirectory,
  deleteModule,
  updateDirectory,
  updateModules,
} from './sandboxFiles.ts'
import type { FilesPlace } from './sandboxFiles.ts'
import { authorizeSandbox } from './sandboxes.ts'

const sandboxParams = z.object({ id: z.string().min(1).max(100) })
const entryParams = sandboxParams.extend({ shortid: z.string().min(1).max(40) })

/** The files of sandboxes that run in the browser, over REST. */
export function registerFileRoutes(app: App, { database }: ServerContext): void {
  const onRequest = app.authenticate.required

  /** A sandbox whose files may be changed by whoever asks. */
  async function editable(request: FastifyRequest, id: string): Promise<FilesPlace> {
    const { sandbox } = await authorizeSandbox(database, id, userOf(request), 'edit')
    if (sandbox.isV2) throw new ApiError('NOT_FOUND', { detail: 'A devbox has its files on its machine' })
    if (sandbox.isFrozen) throw new ApiError('FORBIDDEN', { detail: 'This sandbox is frozen' })
    const by = request.headers[ROOM_PERSON_HEADER]
    return { sandboxId: sandbox.id, by: typeof by === 'string' && by.length <= 40 ? by : null }
  }

  app.post(
    '/api/v1/sandboxes/:id/modules',
    {
      onRequest,
      schema: { params: sandboxParams, body: moduleCreationSchema, response: { 200: dataOf(moduleSchema) } },
    },
    async (request) => {
      const place = await editable(request, request.params.id)
      return { data: presentModule(await createModule(database, place, request.body)) }
    },
  )

  // Folders come with the shortids that the files name them by.
  app.post(
    '/api/v1/sandboxes/:id/modules/mcreate',
    {
      onRequest,
      schema: {
        params: sandboxParams,
        body: entriesCreationSchema,
        response: { 200: dataOf(z.object({ modules: z.array(moduleSchema), directories: z.array(directorySchema) })) },
      },
    },
    async (request) => {
      const place = await editable(request, request.params.id)
      const { modules, directories } = await createEntries(database, place, request.body)
      return { data: { modules: modules.map(presentModule), directories: directories.map(presentDirectory) } }
    },
  )

  app.put(
    '/api/v1/sandboxes/:id/modules/mupdate',
    {
      onRequest,
      schema: { params: sandboxParams, body: moduleChangesSchema, response: { 200: dataOf(z.array(moduleSchema)) } },
    },
    async (request) => {
      const place = await editable(request, request.params.id)
      return { data: (await updateModules(database, place, request.body.modules)).map(presentModule) }
    },
  )

  app.put(
    '/api/v1/sandboxes/:id/modules/:shortid',
    { onRequest, schema: { params: entryParams, body: moduleChangeSchema, response: { 200: dataOf(moduleSchema) } } },
    async (request) => {
      const place = await editable(request, request.params.id)
      const [changed] = await updateModules(database, place, [{ ...request.body, shortid: request.params.shortid }])
      return { data: presentModule(changed!) }
    },
  )

  app.delete(
    '/api/v1/sandboxes/:id/modules/:shortid',
    { onRequest, schema: { params: entryParams, response: noContent } },
    async (request, reply) => {
      await deleteModule(database, await editable(request, request.params.id), request.params.shortid)
      return reply.code(204).send()
    },
  )

  app.post(
    '/api/v1/sandboxes/:id/directories',
    {
      onRequest,
      schema: { params: sandboxParams, body: directoryCreationSchema, response: { 200: dataOf(directorySchema) } },
    },
    async (request) => {
      const place = await editable(request, request.params.id)
      return { data: presentDirectory(await createDirectory(database, place, request.body)) }
    },
  )

  app.put(
    '/api/v1/sandboxes/:id/directories/:shortid',
    {
      onRequest,
      schema: { params: entryParams, body: directoryChangeSchema, response: { 200: dataOf(directorySchema) } },
    },
    async (request) => {
      const place = await editable(request, request.params.id)
      return { data: presentDirectory(await updateDirectory(database, place, request.params.shortid, request.body)) }
    },
  )

  app.delete(
    '/api/v1/sandboxes/:id/directories/:shortid',
    { onRequest, schema: { params: entryParams, response: noContent } },
    async (request, reply) => {
      await deleteDirectory(database, await editable(request, request.params.id), request.params.shortid)
      return reply.code(204).send()
    },
  )
}
