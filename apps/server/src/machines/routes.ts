import { ApiError, dataOf } from '@boxyard/api'
import { BoxError, boxErrors } from '@boxyard/boxes'
import type { BoxErrorCode, StartedBox } from '@boxyard/boxes'
import { ANONYMOUS_USERNAME } from '@boxyard/protocol'
import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { authorizeSandbox, devServerAccess } from '../sandboxes/index.ts'
import type { SandboxAccess } from '../sandboxes/index.ts'
import { BoxFiles } from './boxFiles.ts'
import { firstText, firstTextSchema } from './firstText.ts'
import type { MachineService } from './machineService.ts'
import { presentProgress } from './presentProgress.ts'
import {
  mintDevServerToken,
  mintPlatformToken,
  presentStart,
  startAnswerSchema,
  startFailureSchema,
} from './startAnswer.ts'
import type { StartAnswer, StartFailure } from './startAnswer.ts'

const KEEP_ALIVE_MS = 15_000

const params = z.object({ id: z.string().min(1).max(100) })
const startResponses = {
  200: z.object({ data: startAnswerSchema }),
  404: startFailureSchema,
  503: startFailureSchema,
  507: startFailureSchema,
}

const done = { 200: dataOf(z.object({})) }
const logAnswer = { 200: dataOf(z.object({ log: z.string() })) }
const progressEvents = z.unknown().describe('Server-sent events, each with the phases of the start so far')

/** The calls that start, stop and watch machines. */
export function registerMachineRoutes(app: App, context: ServerContext, machines: MachineService): void {
  const { configuration, database, tokens, log } = context
  const { optional, required } = app.authenticate

  app.post(
    '/api/vm/:id/start',
    { onRequest: optional, schema: { params, response: startResponses } },
    async (request, reply) => {
      const access = await authorizeSandbox(database, request.params.id, request.user, 'open')
      return answered(reply, access, request, () => machines.start(access.sandbox.id))
    },
  )

  app.post(
    '/api/vm/:id/restart',
    { onRequest: required, schema: { params, response: startResponses } },
    async (request, reply) => {
      const access = await authorizeSandbox(database, request.params.id, request.user, 'restart')
      return answered(reply, access, request, () => machines.restart(access.sandbox.id, { clean: true }))
    },
  )

  app.post('/api/vm/:id/shutdown', { onRequest: required, schema: { params, response: done } }, async (request) => {
    const { sandbox } = await authorizeSandbox(database, request.params.id, request.user, 'restart')
    await machines.stop(sandbox.id)
    return { data: {} }
  })

  app.post('/api/vm/:id/hibernate', { onRequest: required, schema: { params, response: done } }, async (request) => {
    const { sandbox } = await authorizeSandbox(database, request.params.id, request.user, 'restart')
    await machines.hibernate(sandbox.id)
    return { data: {} }
  })

  app.get('/api/vm/:id/log', { onRequest: optional, schema: { params, response: logAnswer } }, async (request) => {
    const { sandbox } = await authorizeSandbox(database, request.params.id, request.user, 'open')
    return { data: { log: await logOf(sandbox.id) } }
  })

  const files = new BoxFiles(machines, (boxId, epoch) => mintPlatformToken(tokens, boxId, epoch))
  app.get(
    '/api/vm/:id/files',
    {
      onRequest: optional,
      schema: { params, response: { 200: z.object({ data: z.object({ paths: z.array(z.string()).nullable() }) }) } },
    },
    async (request) => {
      const { sandbox } = await authorizeSandbox(database, request.params.id, request.user, 'open')
      return { data: { paths: await files.paths(sandbox.id) } }
    },
  )

  app.get(
    '/api/vm/:id/files/text',
    {
      onRequest: optional,
      schema: {
        params,
        querystring: z.object({ path: z.string().min(1).max(1_000) }),
        response: { 200: z.object({ data: z.object({ text: z.string().nullable() }) }) },
      },
    },
    async (request) => {
      const { sandbox } = await authorizeSandbox(database, request.params.id, request.user, 'open')
      return { data: { text: await files.text(sandbox.id, request.query.path) } }
    },
  )

  app.get(
    '/api/vm/:id/first-text',
    {
      onRequest: optional,
      schema: {
        params,
        querystring: z.object({ path: z.string().min(1).max(1_000), scheme: z.enum(['dark', 'light']) }),
        response: { 200: z.object({ data: firstTextSchema.nullable() }) },
      },
    },
    async (request) => {
      const access = await authorizeSandbox(database, request.params.id, request.user, 'open')
      const canWrite = devServerAccess(access) === 'write'
      const { path, scheme } = request.query
      return { data: await firstText(machines, { boxId: access.sandbox.id, path, scheme, canWrite }) }
    },
  )

  app.get(
    '/api/vm/:id/start/progress',
    { onRequest: optional, schema: { params, response: { 200: progressEvents } } },
    async (request, reply) => {
      const { sandbox } = await authorizeSandbox(database, request.params.id, request.user, 'open')
      reply.hijack()
      const { raw } = reply
      raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      })
      const stop = await machines.onProgress(sandbox.id, (progress) =>
        raw.write(`event: progress\ndata: ${JSON.stringify(presentProgress(progress))}\n\n`),
      )
      const keepAlive = setInterval(() => raw.write(': still here\n\n'), KEEP_ALIVE_MS)
      raw.once('close', () => {
        stop()
        clearInterval(keepAlive)
      })
    },
  )

  async function answered(
    reply: FastifyReply,
    access: SandboxAccess,
    request: FastifyRequest,
    start: () => Promise<StartedBox>,
  ): Promise<{ data: StartAnswer } | StartFailure> {
    const { id } = access.sandbox
    if (!access.sandbox.isV2)
      throw new ApiError('NOT_FOUND', { detail: 'This sandbox runs in the browser and has no machine' })
    try {
      return { data: await startAnswer(access, request, await start()) }
    } catch (error) {
      if (!(error instanceof BoxError)) throw error
      log.warn({ sandbox: id, code: error.code, err: error }, 'a machine did not start')
      const { message, next } = boxErrors[error.code]
      reply.code(statusOf(error.code))
      return { errors: [message], code: error.code, phase: await lastPhase(id), detail: error.detail, next }
    }
  }

  async function logOf(id: string): Promise<string> {
    try {
      return await machines.log(id)
    } catch (error) {
      // A box whose first start failed before it had a disk wrote nothing.
      if (error instanceof BoxError && error.code === 'BOX_NOT_FOUND') return ''
      throw error
    }
  }

  async function lastPhase(id: string): Promise<string> {
    let last = 'queued'
    try {
      const stop = await machines.onProgress(id, ({ phase }) => (last = phase))
      stop()
    } catch (error) {
      // A box that is not known has no phases.
      if (!(error instanceof BoxError)) throw error
    }
    return last
  }

  async function startAnswer(
    access: SandboxAccess,
    { user, session }: FastifyRequest,
    { epoch, bootType, run }: StartedBox,
  ): Promise<StartAnswer> {
    const { id } = access.sandbox
    const visitor = {
      id: `anonymous-${randomUUID()}`,
      username: ANONYMOUS_USERNAME,
      name: 'Anonymous',
      avatarUrl: null,
    }
    return presentStart({
      origin: configuration.appOrigin,
      isolation: machines.isolation,
      started: { epoch, bootType, run },
      token: await mintDevServerToken(
        tokens,
        id,
        epoch,
        { ...(user ?? visitor), sessionId: session?.sessionId ?? undefined },
        devServerAccess(access),
      ),
    })
  }
}

function statusOf(code: BoxErrorCode): number {
  if (code === 'BOX_NOT_FOUND') return 404
  if (code === 'DISK_FULL') return 507
  return 503
}
