import { ApiError, dataOf, deviceCodeSchema, userCodeSchema, noContent } from '@boxyard/api'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { rateLimit } from '../http/rateLimit.ts'
import { acceptForms } from './acceptForms.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import { userOf } from './authentication.ts'
import {
  addCommandLineCode,
  answerDeviceGrant,
  beginDeviceGrant,
  DEVICE_SECONDS,
  findDeviceGrant,
  pollDeviceGrant,
  POLL_SECONDS,
  takeCommandLineCode,
} from './commandLineGrants.ts'
import { createSession } from './sessions.ts'

const MINUTE = 60_000
const DEVICE_GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:device_code'

/** How programs get a token: with a code that a person pastes, with a code that a person types elsewhere, or from a session. */
export function registerCommandLine(app: App, { configuration, database }: ServerContext): void {
  const { appOrigin, signIn } = configuration
  const required = app.authenticate.required
  const limited = () => rateLimit({ limit: signIn.limit, windowMs: MINUTE })
  const tokenAnswer = { 200: dataOf(z.object({ token: z.string() })) }

  app.get(
    '/api/v1/auth/auth-token',
    { onRequest: [fromOwnPage, required], schema: { response: tokenAnswer } },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return { data: { token: await newToken(userOf(request).id, request, 'Program') } }
    },
  )

  app.post(
    '/api/v1/auth/cli-code',
    { onRequest: required, schema: { response: { 200: dataOf(z.object({ code: z.string() })) } } },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return { data: { code: await addCommandLineCode(database, userOf(request).id, new Date()) } }
    },
  )

  app.get(
    '/api/v1/auth/verify/:token',
    { onRequest: limited(), schema: { params: z.object({ token: z.string().max(200) }), response: tokenAnswer } },
    async (request, reply) => {
      const userId = await takeCommandLineCode(database, request.params.token, new Date())
      if (userId === null) throw new ApiError('CODE_EXPIRED')
      reply.header('cache-control', 'no-store')
      return { data: { token: await newToken(userId, request, 'Command line') } }
    },
  )

  // RFC 8628. Its two calls answer in OAuth's own shape.
  void app.register(async (forms: App) => {
    acceptForms(forms)
    forms.post(
      '/auth/device/code',
      { onRequest: limited(), schema: { hide: true, body: z.object({ client_id: z.string().min(1).max(60) }) } },
      async (request, reply) => {
        const program = request.body.client_id.replace(/[^\w .:@/-]/g, '')
        const { deviceCode, userCode } = await beginDeviceGrant(database, { program, address: request.ip }, new Date())
        reply.header('cache-control', 'no-store')
        return deviceCodeSchema.parse({
          device_code: deviceCode,
          user_code: userCode,
          verification_uri: `${appOrigin}/device`,
          verification_uri_complete: `${appOrigin}/device?code=${userCode}`,
          expires_in: DEVICE_SECONDS,
          interval: POLL_SECONDS,
        })
      },
    )
    forms.post(
      '/auth/device/token',
      {
        schema: {
          hide: true,
          body: z.object({ grant_type: z.literal(DEVICE_GRANT_TYPE), device_code: z.string().max(200) }),
        },
      },
      async (request, reply) => {
        reply.header('cache-control', 'no-store')
        const grant = await pollDeviceGrant(database, request.body.device_code, new Date())
        if ('error' in grant) return reply.code(400).send(grant)
        const token = await newToken(grant.userId, request, grant.program)
        return { access_token: token, token_type: 'bearer' }
      },
    )
  })

  const byCode = z.object({ code: userCodeSchema })
  app.get(
    '/api/v1/auth/device/:code',
    {
      // Limited, because whoever guesses a code could let a stranger's program in.
      onRequest: [limited(), required],
      schema: { params: byCode, response: { 200: dataOf(z.object({ program: z.string(), address: z.string() })) } },
    },
    async (request) => {
      const grant = await findDeviceGrant(database, request.params.code, new Date())
      if (!grant) throw new ApiError('CODE_EXPIRED')
      return { data: { program: grant.program, address: grant.address } }
    },
  )
  app.post(
    '/api/v1/auth/device/:code',
    {
      onRequest: [limited(), required],
      schema: { params: byCode, body: z.object({ allow: z.boolean() }), response: noContent },
    },
    async (request, reply) => {
      const { id } = userOf(request)
      const { allow } = request.body
      if (!(await answerDeviceGrant(database, request.params.code, allow ? id : null, new Date()))) {
        throw new ApiError('CODE_EXPIRED')
      }
      return reply.code(204).send()
    },
  )

  function newToken(userId: string, request: FastifyRequest, label: string): Promise<string> {
    return inTransaction(database, { id: userId }, async ({ tx, audit }) => {
      await audit('token.created', { userId, detail: { label } })
      return createSession(tx, { userId, kind: 'bearer', userAgent: request.headers['user-agent'], label })
    })
  }
}

/** A page of the same site, such as a preview, can make the browser send this request; it must not make tokens. */
async function fromOwnPage(request: FastifyRequest): Promise<void> {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new ApiError('CROSS_SITE')
}
