import fastify, { LogController } from 'fastify'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import cookie from '@fastify/cookie'
import type { Logger } from '../logger.ts'
import { registerCrossSiteCheck } from './crossSite.ts'
import { registerErrorHandler } from './errorHandler.ts'
import type { Gateway } from './gateway.ts'
import { registerRequestLog } from './requestLog.ts'
import { registerSecurityHeaders } from './securityHeaders.ts'

/** Fastify with our schemas' types. Routes are typed by their zod schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression<RawServerDefault>,
  RawReplyDefaultExpression<RawServerDefault>,
  FastifyBaseLogger,
  ZodTypeProvider
>

export const MAX_BODY_BYTES = 5 * 1024 * 1024

/** The HTTP frame that every domain puts its routes into: host routing, headers, cross-site check, errors, schemas. */
export async function createApp(options: {
  gateway: Gateway
  log: Logger
  appOrigin: string
  https: boolean
}): Promise<App> {
  const app: App = fastify({
    serverFactory: (handler) => options.gateway.createServer(handler),
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_BODY_BYTES,
    // Only a proxy on this machine is believed about whom it speaks for.
    trustProxy: 'loopback',
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1000 },
  }).withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  registerRequestLog(app)
  registerErrorHandler(app)
  registerSecurityHeaders(app, { https: options.https })
  registerCrossSiteCheck(app, { appOrigin: options.appOrigin })
  await app.register(cookie)
  return app
}
