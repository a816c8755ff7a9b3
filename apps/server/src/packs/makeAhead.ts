import type { SourceTreeRequest } from '@boxyard/packer'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { findSandbox } from '../sandboxes/index.ts'
import type { TemplateCatalogue } from '../sandboxes/templates.ts'
import { guessPack } from './guessPack.ts'
import { lookInProcess } from './lookInProcess.ts'
import { makersFor } from './makersFor.ts'
import type { Makers, PackMakers } from './packMakers.ts'
import { PrepareAhead } from './prepareAhead.ts'
import type { Timers } from './prepareAhead.ts'
import type { PreparedPages } from './preparedPages.ts'
import { projectOfFolder, savedProject } from './projectFiles.ts'

export interface MakeAheadOptions {
  makers: PackMakers
  pages: PreparedPages
  /** The script that compiles. */
  compiler: string
  templates: TemplateCatalogue
  timers?: Timers
}

/** Makes ready what people will open: with the makers of this server, told of its events and of what it is asked. */
export function makeAhead(app: App, context: ServerContext, options: MakeAheadOptions): PrepareAhead {
  const { database, gateway, log } = context
  const { makers, pages, compiler, templates, timers } = options
  const makersAhead = async (sandboxId: string | null, { dependencies }: SourceTreeRequest): Promise<Makers | null> => {
    if (sandboxId === null) return makers.usual
    const sandbox = await findSandbox(database, sandboxId)
    if (!sandbox || sandbox.isV2) return null
    // What it is saved with is there for whoever may open it.
    return makersFor(database, makers, { sandbox, role: 'read' }, dependencies)
  }
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
    guess: guessPack,
    pack: async (sandboxId, request) => (await makersAhead(sandboxId, request))?.packs.pack(request),
    sources: async (sandboxId, request) => (await makersAhead(sandboxId, request))?.sources.tree(request),
    types: (request) => makers.usual.typePacks.pack(request),
    ...(timers && { timers }),
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
  return ahead
}
