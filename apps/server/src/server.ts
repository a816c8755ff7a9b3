import { mkdirSync } from 'node:fs'
import { resolveTxt } from 'node:dns/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { registerAccounts, registerAuthentication, SessionSockets } from './accounts/index.ts'
import type { ResolveTxt } from './accounts/index.ts'
import type { Configuration } from './configuration.ts'
import type { ServerContext } from './context.ts'
import { isDatabaseAway, openDatabase } from './database/database.ts'
import { startManagedPostgres } from './database/managedPostgres.ts'
import { migrate } from './database/migrate.ts'
import { isDiskFull } from './diskFull.ts'
import { registerGitHost } from './gitHost/gitHostPart.ts'
import { registerGraphql } from './graphql/routes.ts'
import { Health, healthSchema } from './health.ts'
import { installation } from './installation.ts'
import { lockHome } from './homeLock.ts'
import { createApp } from './http/app.ts'
import type { App } from './http/app.ts'
import { Gateway } from './http/gateway.ts'
import { createHostMatcher } from './http/hosts.ts'
import { registerOpenApi } from './http/openApi.ts'
import { registerWebApp } from './http/webApp.ts'
import { createLogger, logDestination } from './logger.ts'
import type { Logger } from './logger.ts'
import { findPackageRegistries } from './packageRegistries.ts'
import type { Timers } from './packs/prepareAhead.ts'
import { registerPacks } from './packs/registerPacks.ts'
import { sandboxOfPage } from './packs/sandboxOfPage.ts'
import { registerLive } from './live/routes.ts'
import { registerVersions } from './machines/versionRoutes.ts'
import { registerRegistries } from './registries/routes.ts'
import { registerGitSandboxes } from './repositories/gitSandboxRoutes.ts'
import { registerRepositories } from './repositories/index.ts'
import { registerSandboxGit } from './repositories/sandboxGitRoutes.ts'
import { registerRooms } from './rooms/registerRooms.ts'
import { readTemplates, registerSandboxes } from './sandboxes/index.ts'
import type { TemplateCatalogue } from './sandboxes/index.ts'
import type { MachineDirectory } from './sandboxes/index.ts'
import { registerSocket } from './socket/registerSocket.ts'
import { loadOperatorToken } from './operatorToken.ts'
import { StartError } from './startError.ts'
import { loadSealer } from './tokens/sealer.ts'
import { loadSigningKey } from './tokens/signingKey.ts'
import { createTokens } from './tokens/tokens.ts'
import { registerMail } from './mail/index.ts'
import { registerAudit } from './audit/routes.ts'
import { registerBilling } from './billing/routes.ts'
import { StripePayments } from './billing/stripePayments.ts'
import { registerCurators } from './curators/routes.ts'
import { registerExtensions } from './extensions/routes.ts'
import { registerFlags } from './flags/routes.ts'
import { registerIntegrations } from './integrations/routes.ts'
import { registerLikes } from './likes/routes.ts'
import { registerProfiles } from './profiles/routes.ts'
import { registerUploads } from './uploads/routes.ts'
import { registerWorkspaceMachines } from './workspaces/machineRoutes.ts'
import { diskUploadStore } from './uploads/uploadStore.ts'
import { version } from './version.ts'

export interface Server {
  app: App
  context: ServerContext
  /** Starts to listen. Throws StartError when the port is taken. */
  listen(): Promise<void>
  /** Stops in the opposite order of the start. Safe to call more than once. */
  close(): Promise<void>
}

export interface ServerMachines {
  service: MachineDirectory
  /** What the page of an editor begins with. Absent where nothing runs that could tell. */
  firstText?(request: FastifyRequest): Promise<object | null>
  close(): Promise<void>
}

export interface ServerParts {
  /** Registers what runs devboxes: its routes, sockets and previews. Without it the server has no devboxes. */
  machines?: (app: App, context: ServerContext, templates: TemplateCatalogue) => Promise<ServerMachines>
  /** Standard output when absent. */
  log?: Logger
  /** Official templates; those of the repository when absent. */
  templatesFolder?: string
  /** The built web app; that of the repository when absent. */
  webAppFolder?: string
  /** By which what people will open is made ready ahead; those of the system when absent. */
  aheadTimers?: Timers
  /** The DNS; that of the system when absent. */
  resolveTxt?: ResolveTxt
}

/** Builds the server from its settings. On failure everything that was started is stopped again before it throws. */
export async function createServer(configuration: Configuration, parts: ServerParts = {}): Promise<Server> {
  const log = parts.log ?? createLogger(configuration, logDestination(configuration, false))
  const stops: (() => Promise<void>)[] = []
  let closing: Promise<void> | null = null
  const close = () => (closing ??= stopAll(stops))

  try {
    // The user of PostgreSQL passes through; what is secret below is closed by itself.
    mkdirSync(configuration.home, { recursive: true, mode: 0o711 })
    const lock = lockHome(configuration.home)
    stops.push(async () => lock.release())

    // The package managers take a second to answer; PostgreSQL starts meanwhile.
    const asking = findPackageRegistries(configuration, log)
    const connection = await connectDatabase(configuration, log, stops)
    await migrate(connection.pool)
    const registries = await asking

    const gateway = new Gateway(createHostMatcher(configuration), configuration.appOrigin)
    const health = new Health()
    health.register('database', async () => {
      try {
        await connection.database.execute(sql`select 1`)
        return null
      } catch (error) {
        if (!isDatabaseAway(error)) throw error
        return 'PostgreSQL does not answer. Nothing that was saved is lost.'
      }
    })
    const keys = join(configuration.home, 'keys')
    const tokens = createTokens(await loadSigningKey(keys))
    const sessionSockets = new SessionSockets(connection.database, (error) =>
      log.warn({ err: error }, 'the sessions of open connections could not be looked up'),
    )
    stops.push(async () => sessionSockets.close())
    const context: ServerContext = {
      configuration,
      database: connection.database,
      connection: connection.target,
      gateway,
      health,
      log,
      payments: configuration.payments ? new StripePayments(configuration.payments) : null,
      registries,
      sealer: loadSealer(keys),
      operatorToken: loadOperatorToken(configuration.home),
      eventHandlers: [],
      sessionSockets,
      tokens,
      uploads: diskUploadStore(join(configuration.home, 'uploads')),
    }
    const app = await createApp({
      gateway,
      log,
      appOrigin: configuration.appOrigin,
      https: configuration.protocol === 'https',
    })
    stops.push(() => app.close())

    await registerOpenApi(app, configuration)

    app.get(
      '/api/health',
      { schema: { response: { 200: healthSchema, 503: healthSchema } } },
      async (_request, reply) => {
        const { ok, parts } = await health.report()
        return reply.code(ok ? 200 : 503).send({ status: ok ? 'ok' : 'down', version, parts })
      },
    )
    registerAuthentication(app, context)
    await registerGitHost(app, context)
    registerAccounts(app, context, parts.resolveTxt ?? resolveTxt)
    const templates = readTemplates(parts.templatesFolder ?? installation.templates)
    const machines = (await parts.machines?.(app, context, templates)) ?? null
    if (machines) stops.push(() => machines.close())
    stops.push(async () => gateway.close())
    const packs = registerPacks(app, context, templates, parts.aheadTimers)
    stops.push(() => packs.close())
    registerVersions(app)
    const { sandboxGit, ...git } = registerRepositories(app, context, machines?.service ?? null)
    const sandboxParts = { templates, machines: machines?.service ?? null }
    registerSandboxes(app, context, {
      ...sandboxParts,
      changesInRepository: (user, sandbox) => sandboxGit.changes(user, sandbox),
    })
    registerGitSandboxes(app, context, { ...sandboxParts, repositories: git.repositories })
    registerSandboxGit(app, context, { templates, git: sandboxGit })
    registerLive(app, context)
    const graphql = registerGraphql(app, { server: context, templates, machines: machines?.service ?? null, ...git })
    context.eventHandlers.push(registerRooms(app, context))
    registerSocket(app, context, graphql)
    registerRegistries(app, context)
    registerUploads(app, context)
    registerExtensions(app, context)
    registerMail(app, context)
    registerIntegrations(app, context)
    registerLikes(app, context)
    registerProfiles(app, context, templates)
    registerFlags(app, context)
    registerCurators(app, context)
    registerAudit(app, context)
    registerWorkspaceMachines(app, context)
    registerBilling(app, context)
    await registerWebApp(app, {
      gateway,
      appOrigin: configuration.appOrigin,
      base: configuration.base,
      folder: parts.webAppFolder ?? installation.webApp,
      firstText: async (request) => (await machines?.firstText?.(request)) ?? null,
      sandbox: (request) => sandboxOfPage(context, packs.preparedPage, request),
    })
    await app.ready()

    return { app, context, listen: () => listen(app, configuration), close }
  } catch (error) {
    await close()
    if (!isDiskFull(error)) throw error
    const text = `The disk of ${configuration.home} is full. What was saved is safe. Free some space and start again.`
    throw new StartError(text, { cause: error })
  }
}

async function connectDatabase(
  configuration: Configuration,
  log: ServerContext['log'],
  stops: (() => Promise<void>)[],
): Promise<ReturnType<typeof openDatabase>> {
  const onError = (error: Error) => log.error({ err: error }, 'a database connection broke')
  if (configuration.databaseUrl) {
    const connection = openDatabase({ connectionString: configuration.databaseUrl }, onError)
    stops.push(() => connection.close())
    return connection
  }
  const postgres = await startManagedPostgres({ folder: join(configuration.home, 'postgres'), log })
  stops.push(() => postgres.stop())
  const connection = openDatabase(postgres.connection, onError)
  stops.push(() => connection.close())
  return connection
}

async function listen(app: App, { port, host }: Configuration): Promise<void> {
  try {
    await app.listen({ port, host })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE') {
      throw new StartError(`Port ${port} is in use. Stop the other program or set PORT.`, { cause: error })
    }
    if (code === 'EACCES') {
      throw new StartError(`Port ${port} needs more rights than this user has. Set PORT to 1024 or higher.`, {
        cause: error,
      })
    }
    throw error
  }
}

async function stopAll(stops: (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = []
  for (const stop of stops.toReversed()) await stop().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw new AggregateError(failures, 'Parts of the server did not stop in order')
}
