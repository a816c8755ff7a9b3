import { ApiError } from '@boxyard/api'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { asApiError } from '../machines/asApiError.ts'
import { fileBytes } from './fileBytes.ts'
import { filePaths } from './filePaths.ts'
import type { MachineDirectory } from './machineDirectory.ts'
import { readFiles } from './sandboxFiles.ts'
import { aliasOf } from './sandboxIds.ts'
import { requireExportable } from './requireExportable.ts'
import { authorizeSandbox } from './sandboxes.ts'
import { zipOf } from './zipOf.ts'

const archive = z.unknown().describe('A zip archive')

/** The files of a sandbox to take away, as one archive. */
export function registerExport(app: App, context: ServerContext, machines: MachineDirectory | null): void {
  const { database, uploads } = context

  app.get(
    '/api/v1/sandboxes/:id/export',
    {
      onRequest: app.authenticate.optional,
      schema: { params: z.object({ id: z.string().min(1).max(100) }), response: { 200: archive } },
    },
    async (request, reply) => {
      const { sandbox } = await authorizeSandbox(database, request.params.id, request.user, 'export')
      await requireExportable(database, sandbox)
      const content = sandbox.isV2 ? await fromMachine(sandbox.id) : zipOf(await contentsOf(sandbox.id))
      reply.headers({
        'cache-control': 'no-store',
        'content-disposition': `attachment; filename="${aliasOf(sandbox)}.zip"`,
      })
      return reply.type('application/zip').send(content)
    },
  )

  async function fromMachine(id: string): Promise<Readable> {
    if (!machines) throw new ApiError('MACHINES_UNAVAILABLE')
    try {
      return await machines.archive(id)
    } catch (error) {
      throw asApiError(error)
    }
  }

  async function contentsOf(id: string): Promise<(readonly [path: string, content: Buffer])[]> {
    const files = filePaths(await readFiles(database, id))
    return Promise.all(
      files.map(async ([path, module]) => [path, await fileBytes({ database, uploads }, path, module)] as const),
    )
  }
}
