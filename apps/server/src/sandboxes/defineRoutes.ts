import { ApiError, definitionSchema } from '@boxyard/api'
import type { Definition } from '@boxyard/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { acceptForms } from '../accounts/acceptForms.ts'
import { userOf } from '../accounts/authentication.ts'
import { sendPage } from '../accounts/signInPage.ts'
import type { ServerContext } from '../context.ts'
import { MAX_BODY_BYTES } from '../http/app.ts'
import type { App } from '../http/app.ts'
import { DEFINE_PATH, isFromApp } from '../http/crossSite.ts'
import { rateLimit } from '../http/rateLimit.ts'
import { createDefined } from './createDefined.ts'
import { decompressLz } from './decompressLz.ts'
import type { MachineDirectory } from './machineDirectory.ts'

/** Characters of the files together. */
const MOST_DEFINED = 10 * 1024 * 1024

const options = z.object({
  /** What LZ-string made of `{files, template}`. */
  parameters: z.string().optional(),
  files: z.unknown().optional(),
  template: z.unknown().optional(),
  /** `server` asks for a devbox. */
  environment: z.string().max(40).optional(),
  /** For the address of the editor that follows. */
  query: z.string().max(2000).optional(),
  json: z.coerce.string().max(5).optional(),
})
type Options = z.infer<typeof options>
const made = z.object({ sandbox_id: z.string() })

/**
 * Sandboxes out of files that another site or a program makes up. A program is answered with the sandbox. A browser that comes from
 * another site has no rights here, so what it brings is handed to a page of the app, where its user decides.
 */
export function registerDefine(
  app: App,
  { configuration, database }: ServerContext,
  { machines, creating }: { machines: MachineDirectory | null; creating: <T>(task: () => Promise<T>) => Promise<T> },
): void {
  // Unpacking what strangers send costs more than sending it.
  const onRequest = [rateLimit({ limit: 60, windowMs: 60_000 }), app.authenticate.optional]

  async function answer(request: FastifyRequest, reply: FastifyReply, given: Options): Promise<z.infer<typeof made>> {
    // Before anything else: whoever is sent on learns here what is wrong with it.
    const definition = definitionOf(given)
    // A page, or the way to one, is no JSON.
    if (given.json !== '1') return handOver(request, reply, given) as never
    if (!isFromApp(request.headers, configuration.appOrigin)) throw new ApiError('CROSS_SITE')
    if (!request.user) throw new ApiError('UNAUTHENTICATED')
    const user = userOf(request)
    const isDevbox = given.environment === 'server'
    const sandbox = await creating(() => createDefined(database, user, { definition, isDevbox, machines }))
    request.log.info({ sandbox: sandbox.id }, 'created a sandbox from a definition')
    reply.header('cache-control', 'no-store')
    return { sandbox_id: sandbox.id }
  }

  app.get(
    DEFINE_PATH,
    { onRequest, schema: { querystring: options.omit({ files: true, template: true }), response: { 200: made } } },
    (request, reply) => answer(request, reply, { ...request.query, files: undefined, template: undefined }),
  )
  void app.register(async (forms: App) => {
    acceptForms(forms, MAX_BODY_BYTES)
    forms.post(
      DEFINE_PATH,
      {
        onRequest,
        schema: {
          querystring: options.pick({ environment: true, query: true, json: true }),
          body: options,
          response: { 200: made },
        },
      },
      (request, reply) => answer(request, reply, joined(request.query, request.body)),
    )
  })
}

/** What the body says counts; what it does not say may be in the address. */
function joined(query: Partial<Options>, body: Options): Options {
  const { environment, json } = query
  return {
    ...body,
    environment: body.environment ?? environment,
    query: body.query ?? query.query,
    json: body.json ?? json,
  }
}

function definitionOf({ parameters, files, template }: Options): Definition {
  const parsed = definitionSchema.safeParse(
    parameters === undefined ? { files, template } : parseJson(decompressLz(parameters, MOST_DEFINED)),
  )
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = issue?.path.join('.').slice(0, 200) || 'parameters'
  throw new ApiError('INVALID_INPUT', { fields: { [field]: [issue?.message ?? 'is not valid'] } })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ApiError('INVALID_INPUT', { fields: { parameters: ['They do not hold JSON.'] }, cause: error })
  }
}

/** Takes it to the page of the app, which reads it from the part of the address that no server sees, or from the tab. */
function handOver(request: FastifyRequest, reply: FastifyReply, given: Options): FastifyReply {
  const { parameters, environment, query } = given
  if (parameters === undefined) {
    throw new ApiError('INVALID_INPUT', { fields: { json: ['Programs that send files as JSON ask with json=1.'] } })
  }
  const rest = { ...(environment === undefined ? {} : { environment }), ...(query === undefined ? {} : { query }) }
  if (request.method === 'GET') {
    return reply.redirect(`/define#${new URLSearchParams({ parameters, ...rest }).toString()}`, 302)
  }
  const data = JSON.stringify({ parameters, ...rest }).replaceAll('<', '\\u003c')
  const body = `<p>The project is on its way to the editor.</p>
    <script nonce="${request.nonce}">
      sessionStorage.setItem('boxyard.define', JSON.stringify(${data}))
      location.replace('/define')
    </script>`
  return sendPage(reply, request.nonce, { status: 200, title: 'Opening a project', body })
}
