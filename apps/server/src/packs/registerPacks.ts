import { ApiError, dataOf } from '@boxyard/api'
import { SafeFetch } from '@boxyard/packer'
import { join } from 'node:path'
import { z } from 'zod'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { installation } from '../installation.ts'
import { authorizeSandbox } from '../sandboxes/index.ts'
import type { SandboxAccess } from '../sandboxes/index.ts'
import type { TemplateCatalogue } from '../sandboxes/templates.ts'
import { registerDependencyRoutes } from './dependencyRoutes.ts'
import { makeAhead } from './makeAhead.ts'
import { PackMakers } from './packMakers.ts'
import { registerPackRoutes } from './packRoutes.ts'
import type { Timers } from './prepareAhead.ts'
import { compilationOf, compilationSchema, findPreparedPage } from './preparedPage.ts'
import type { PreparedPage } from './preparedPage.ts'
import { PreparedPages } from './preparedPages.ts'
import { SandboxPreviews } from './sandboxPreviews.ts'

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
  timers?: Timers,
): PacksPart {
  const { configuration, database, gateway, log, registries, sealer } = context
  const fetch = new SafeFetch({ trustedOrigins: registries.npm === null ? [] : [registries.npm] })
  const makers = new PackMakers({ configuration, registries, sealer, fetch })
  // Whoever asks meanwhile is served; what is too much goes when it is known.
  const opening = makers
    .open()
    .catch((err: unknown) => log.error({ err }, 'the store of packs could not be looked through'))
  const { pack } = registerPackRoutes(app, context, makers)
  registerDependencyRoutes(app, makers)

  const compiler = join(installation.preview, 'ahead.js')
  const pages = new PreparedPages({
    folder: join(configuration.home, 'packs', 'pages'),
    compiler: [compiler, join(installation.preview, 'oxc.wasm')],
  })
  const ahead = makeAhead(app, context, { makers, pages, compiler, templates, ...(timers && { timers }) })
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
    async close() {
      ahead.close()
      await fetch.close()
      await opening
    },
  }
}
