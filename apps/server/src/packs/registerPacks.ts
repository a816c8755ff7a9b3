import { ApiError, dataOf } from '@boxyard/api'
import {
  isPackageName,
  MirrorIndexes,
  packManifestSchema,
  PackerError,
  packerErrors,
  packRequestSchema,
  pickVersion,
  SafeFetch,
  sourceTreeManifestSchema,
  sourceTreeRequestSchema,
  typePackManifestSchema,
  typePackRequestSchema,
} from '@boxyard/packer'
import type { PackManifest, PackRequest, SourceTreeRequest } from '@boxyard/packer'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { installation } from '../installation.ts'
import { limitConcurrency } from '../limitConcurrency.ts'
import { authorizeSandbox, findSandbox } from '../sandboxes/index.ts'
import type { SandboxAccess } from '../sandboxes/index.ts'
import type { TemplateCatalogue } from '../sandboxes/templates.ts'
import { lookInProcess } from './lookInProcess.ts'
import { makersFor } from './makersFor.ts'
import { PackMakers } from './packMakers.ts'
import type { Makers } from './packMakers.ts'
import { PrepareAhead } from './prepareAhead.ts'
import { compilationOf, compilationSchema, findPreparedPage } from './preparedPage.ts'
import type { PreparedPage } from './preparedPage.ts'
import { PreparedPages } from './preparedPages.ts'
import { projectOfFolder, savedProject } from './projectFiles.ts'
import { SandboxPreviews } from './sandboxPreviews.ts'

/** A pack keeps a core busy for seconds; what is there already does not wait. */
const MOST_PACKS = 2
const sandboxParams = z.object({ id: z.string().min(1).max(100) })

export interface PacksPart {
  /** The first page of a sandbox, if it is ready to run. Where it could be made ready, that is done when there is time. */
  preparedPage(access: SandboxAccess): Promise<PreparedPage | null>
  close(): Promise<void>
}

/** Sandboxes that run in the browser: the packs of their dependencies, their compiled pages, and the hosts of their previews. */
export function registerPacks(
  app: App,
  context: ServerContext,
  templates: TemplateCatalogue,
  quietMs?: number,
): PacksPart {
  const { configuration, database, gateway, log, registries, sealer } = context
  const fetch = new SafeFetch({ trustedOrigins: registries.npm === null ? [] : [registries.npm] })
  const makers = new PackMakers({ configuration, registries, sealer, fetch })
  const { typePacks } = makers.usual
  const making = limitConcurrency(MOST_PACKS)

  /** A package that nobody has, or a registry that is away, is said as people read it. */
  const make = async <Made>(what: string, work: () => Promise<Made>): Promise<Made> => {
    try {
      return await making(work)
    } catch (error) {
      if (!(error instanceof PackerError)) throw error
      log.info({ err: error }, `${what} could not be packed`)
      const detail = `${error.message}. ${packerErrors[error.code].next}`
      throw new ApiError(error.status >= 500 ? 'UNAVAILABLE' : 'PACK_FAILED', { detail, cause: error })
    }
  }
  const pack = async (access: SandboxAccess, request: PackRequest): Promise<PackManifest> => {
    const { packs } = await makersFor(database, makers, access, request.dependencies)
    return make('dependencies', () => packs.pack(request))
  }

  app.post(
    '/api/v1/sandboxes/:id/packs',
    {
      onRequest: app.authenticate.optional,
      schema: {
        params: sandboxParams,
        body: packRequestSchema,
        response: { 200: dataOf(packManifestSchema) },
      },
    },
    async (request) => {
      const access = await authorizeSandbox(database, request.params.id, request.user, 'open')
      return { data: await pack(access, request.body) }
    },
  )

  // What a program in a browser finds in node_modules; its files come from the host of the preview.
  app.post(
    '/api/v1/sandboxes/:id/sources',
    {
      onRequest: app.authenticate.optional,
      schema: {
        params: sandboxParams,
        body: sourceTreeRequestSchema,
        response: { 200: dataOf(sourceTreeManifestSchema) },
      },
    },
    async (request) => {
      const access = await authorizeSandbox(database, request.params.id, request.user, 'open')
      const { sources } = await makersFor(database, makers, access, request.body.dependencies)
      return { data: await make('sources', () => sources.tree(request.body)) }
    },
  )

  // What the compiler in the editor of a sandbox knows its packages from.
  app.post(
    '/api/v1/sandboxes/:id/types',
    {
      onRequest: app.authenticate.optional,
      schema: {
        params: sandboxParams,
        body: typePackRequestSchema,
        response: { 200: dataOf(typePackManifestSchema) },
      },
    },
    async (request) => {
      const access = await authorizeSandbox(database, request.params.id, request.user, 'open')
      const chosen = await makersFor(database, makers, access, request.body.dependencies)
      return { data: await make('types', () => chosen.typePacks.pack(request.body)) }
    },
  )

  app.get(
    '/api/v1/types/:id',
    {
      schema: {
        params: z.object({ id: z.string().max(100) }),
        response: { 200: z.instanceof(Buffer).describe('The declarations of the packages, as gzip of JSON') },
      },
    },
    async (request, reply) => {
      const content = await typePacks.file(request.params.id)
      if (!content) throw new ApiError('NOT_FOUND', { detail: 'There are no types of that name' })
      return reply
        .type('application/json')
        .header('content-encoding', 'gzip')
        .header('cache-control', 'public, max-age=31536000, immutable')
        .send(content)
    },
  )

  const indexes = new MirrorIndexes(makers.mirror, (ms) => setTimeout(ms))

  // Which version of a package a tag or a range means.
  app.get(
    '/api/v1/dependencies/*',
    {
      onRequest: app.authenticate.optional,
      schema: {
        params: z.object({ '*': z.string().min(1).max(400) }),
        response: { 200: dataOf(z.object({ name: z.string(), version: z.string() })) },
      },
    },
    async (request) => {
      const [, name = '', range = 'latest'] = /^(@?[^@]+)(?:@(.*))?$/.exec(request.params['*']) ?? []
      if (!isPackageName(name)) throw new ApiError('NOT_FOUND', { detail: 'This is not the name of a package' })
      try {
        return { data: { name, version: pickVersion(name, range, await indexes.get(name)) } }
      } catch (error) {
        if (!(error instanceof PackerError)) throw error
        const detail = `${error.message}. ${packerErrors[error.code].next}`
        throw new ApiError(error.status >= 500 ? 'UNAVAILABLE' : 'NOT_FOUND', { detail, cause: error })
      }
    },
  )

  const makersAhead = async (sandboxId: string | null, { dependencies }: SourceTreeRequest): Promise<Makers | null> => {
    if (sandboxId === null) return makers.usual
    const sandbox = await findSandbox(database, sandboxId)
    if (!sandbox || sandbox.isV2) return null
    // What it is saved with is there for whoever may open it.
    return makersFor(database, makers, { sandbox, role: 'read' }, dependencies)
  }
  const compiler = join(installation.preview, 'ahead.js')
  const pages = new PreparedPages({
    folder: join(configuration.home, 'packs', 'pages'),
    compiler: [compiler, join(installation.preview, 'oxc.wasm')],
  })
  const ahead = new PrepareAhead({
    filesOf: (id) => savedProject(database, id),
    async look(files) {
      const key = await pages.keyOf(files)
      const known = await pages.find(key)
      if (known) return known
      const found = await lookInProcess(compiler, files)
      await pages.write(key, found)
      return found
    },
    pack: async (sandboxId, request) => (await makersAhead(sandboxId, request))?.packs.pack(request),
    sources: async (sandboxId, request) => (await makersAhead(sandboxId, request))?.sources.tree(request),
    types: (request) => typePacks.pack(request),
    ...(quietMs !== undefined && { quietMs }),
    isUsed: () => gateway.isUsed,
    onFailure: (error, sandboxId) => log.info({ err: error, sandboxId }, 'could not be made ready ahead'),
  })
  app.addHook('onRequest', async ({ routeOptions }) => {
    if (routeOptions.url !== '/api/health') ahead.asked()
  })
  context.eventHandlers.push((event) => ahead.handle(event))
  ahead.prepareInQuiet(
    templates.all
      .filter(({ browser }) => browser)
      .map(
        ({ folder }) =>
          () =>
            projectOfFolder(folder),
      ),
  )
  const preparedPage = async (access: SandboxAccess): Promise<PreparedPage | null> => {
    const found = await findPreparedPage({ database, makers, pages }, access)
    if (!found.prepared && found.isToDo) ahead.opened(access.sandbox.id)
    return found.prepared
  }
  gateway.servePreviewsOf(
    new SandboxPreviews({ context, ...makers.usual, pack, preparedPage, scripts: installation.preview }),
  )

  // What the compiler in a browser needs not do once more.
  app.get(
    '/api/v1/sandboxes/:id/compilation',
    {
      onRequest: app.authenticate.optional,
      schema: { params: sandboxParams, response: { 200: dataOf(compilationSchema) } },
    },
    async (request) => {
      const access = await authorizeSandbox(database, request.params.id, request.user, 'open')
      const prepared = await preparedPage(access)
      if (!prepared) throw new ApiError('NOT_FOUND', { detail: 'This sandbox was not compiled ahead' })
      return { data: compilationOf(prepared) }
    },
  )

  return {
    preparedPage,
    close() {
      ahead.close()
      return fetch.close()
    },
  }
}
