import { deleteDueAccounts } from '../accounts/deleteAccount.ts'
import { emptyTrash } from './sandboxes.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import type { MachineDirectory } from './machineDirectory.ts'
import { registerSandboxes as registerRoutes } from './routes.ts'
import type { SandboxRoutes } from './routes.ts'

export type { MachineDirectory, MachineSource } from './machineDirectory.ts'
export {
  accessSandbox,
  authorizeSandbox,
  createDevbox,
  deleteSandbox,
  devServerAccess,
  findSandbox,
  roleIn,
} from './sandboxes.ts'
export type { NewDevbox, Sandbox, SandboxAccess } from './sandboxes.ts'
export { readTemplates } from './templates.ts'
export type { OfficialTemplate, TemplateCatalogue } from './templates.ts'

const DAY_MS = 86_400_000

/** Routes of sandboxes, and the daily round that empties the trash. */
export function registerSandboxes(app: App, context: ServerContext, options: SandboxRoutes): void {
  registerRoutes(app, context, options)
  let timer: NodeJS.Timeout | undefined
  app.addHook('onListen', async () => {
    await cleanTrash(context, options.machines)
    timer = setInterval(() => void cleanTrash(context, options.machines), DAY_MS)
  })
  app.addHook('preClose', async () => clearInterval(timer))
}

async function cleanTrash({ database, log }: ServerContext, machines: MachineDirectory | null): Promise<void> {
  try {
    const removed = await emptyTrash(database, machines, new Date())
    if (removed > 0) log.info({ removed }, 'emptied the trash')
    for (const id of await deleteDueAccounts(database, new Date())) await machines?.remove(id)
  } catch (error) {
    log.error({ err: error }, 'the trash could not be emptied; it is tried again tomorrow')
  }
}
