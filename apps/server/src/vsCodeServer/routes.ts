import { dataOf } from '@boxyard/api'
import { BoxError } from '@boxyard/boxes'
import { PackerError } from '@boxyard/packer'
import { z } from 'zod'
import { startVsCodeServer } from '../edge/boxHttp.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import type { MachineService } from '../machines/machineService.ts'
import { requireAdministrator } from '../machines/operatorRoutes.ts'
import { authorizeSandbox } from '../sandboxes/index.ts'
import type { SharedServer } from './sharedServer.ts'

const startedSchema = z.discriminatedUnion('result', [
  z.object({
    result: z.literal('running'),
    port: z.number(),
    token: z.string(),
    /** The version that a client has to say it is. */
    commit: z.string(),
  }),
  z.object({ result: z.literal('error'), error: z.string() }),
])
export type VsCodeServerStart = z.infer<typeof startedSchema>

export const vsCodeServerInstalledSchema = z.object({ installed: z.literal(true) })

/** The VS Code server of a box: starts it where it does not run, and fetches it for this installation where nobody wanted it before. */
export function registerVsCodeServer(
  app: App,
  { database, log }: ServerContext,
  machines: Pick<MachineService, 'connect'>,
  shared: SharedServer,
): void {
  const { required } = app.authenticate

  app.post(
    '/api/vm/:id/vscode-server',
    {
      onRequest: required,
      schema: { params: z.object({ id: z.string().min(1).max(100) }), response: { 200: dataOf(startedSchema) } },
    },
    async (request): Promise<{ data: VsCodeServerStart }> => {
      const { sandbox } = await authorizeSandbox(database, request.params.id, request.user, 'edit')
      const failed = (error: string) => ({ data: { result: 'error' as const, error } })
      if (!sandbox.isV2) return failed('Shell capabilities are not enabled.')
      try {
        const connect = () => machines.connect(sandbox.id)
        const place = await shared.inBox(sandbox.id, connect)
        if ('error' in place) return failed(place.error)
        const answer = await startVsCodeServer(await connect(), place.folder)
        return 'error' in answer ? failed(answer.error) : { data: { result: 'running', ...answer } }
      } catch (error) {
        if (!(error instanceof PackerError) && !(error instanceof BoxError)) throw error
        log.warn({ err: error, box: sandbox.id }, 'a VS Code server did not start')
        return failed(error.message)
      }
    },
  )

  app.post(
    '/api/v1/admin/vscode-server',
    { onRequest: required, schema: { response: { 200: dataOf(vsCodeServerInstalledSchema) } } },
    async (request) => {
      requireAdministrator(request)
      await shared.install()
      return { data: { installed: true as const } }
    },
  )
}
