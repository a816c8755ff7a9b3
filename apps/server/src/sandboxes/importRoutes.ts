import { ApiError, dataOf } from '@boxyard/api'
import { z } from 'zod'
import { userOf } from '../accounts/authentication.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { rateLimit } from '../http/rateLimit.ts'
import { createDefined } from './createDefined.ts'
import type { MachineDirectory } from './machineDirectory.ts'
import { needsMachine } from './needsMachine.ts'
import { LARGEST_ARCHIVE, readProjectArchive } from './readProjectArchive.ts'

const query = z.object({
  /** What it is called when its package.json does not say. */
  name: z.string().trim().min(1).max(100).optional(),
})
const imported = dataOf(
  z.object({
    id: z.string(),
    title: z.string().nullable(),
    /** Whether it has a machine. */
    v2: z.boolean(),
    left_out: z.array(z.object({ path: z.string(), reason: z.string() })),
  }),
)

/** Drafts out of zip archives that people bring. */
export function registerImport(
  app: App,
  { database }: ServerContext,
  { machines, creating }: { machines: MachineDirectory | null; creating: <T>(task: () => Promise<T>) => Promise<T> },
): void {
  void app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    scope.post(
      '/api/v1/sandboxes/import',
      {
        onRequest: [rateLimit({ limit: 20, windowMs: 60_000 }), app.authenticate.required],
        bodyLimit: LARGEST_ARCHIVE,
        schema: { querystring: query, response: { 200: imported } },
      },
      async (request) => {
        const user = userOf(request)
        const { body } = request
        if (!Buffer.isBuffer(body)) throw new ApiError('MALFORMED', { detail: 'Send the bytes of the archive' })
        const { sandbox, leftOut } = await creating(async () => {
          const { files, leftOut } = await readProjectArchive(body)
          const isDevbox = machines !== null && needsMachine(files)
          const given = { definition: { files }, title: request.query.name, isDevbox, machines }
          return { sandbox: await createDefined(database, user, given), leftOut }
        })
        request.log.info({ sandbox: sandbox.id }, 'created a sandbox from an archive')
        const { id, title, isV2: v2 } = sandbox
        return { data: { id, title, v2, left_out: leftOut } }
      },
    )
  })
}
