import { aliasParamsSchema, sdkAnswer, templateBodySchema } from '@boxyard/api'
import { z } from 'zod'
import type { App } from '../http/app.ts'
import { CLUSTER } from '../machines/startAnswer.ts'
import type { SdkParts } from './registerSdk.ts'
import { sandboxCreator } from './sandboxRoutes.ts'
import { createVmTag, nameVmTag } from './vmTags.ts'

/** Templates of a workspace: machines that are built once, tagged, named and forked. */
export function registerSdkTemplates(app: App, parts: SdkParts): void {
  const { authorization } = parts
  const { database } = parts.context
  const creator = sandboxCreator(parts)

  app.post(
    '/csb/sdk/templates',
    {
      schema: {
        body: templateBodySchema,
        response: {
          200: sdkAnswer(
            z.object({ tag: z.string(), sandboxes: z.array(z.object({ id: z.string(), cluster: z.string() })) }),
          ),
        },
      },
    },
    async (request) => {
      await authorization.caller(request, 'createTemplate')
      const { forkOf, title, description, tags } = request.body
      const { caller, source } = await creator.source(request, forkOf)
      const sandbox = await creator.create(caller, source, { title, description, tags })
      const tag = await createVmTag(database, caller.teamId, [sandbox.id])
      return { data: { tag: tag.id, sandboxes: [{ id: sandbox.id, cluster: CLUSTER }] } }
    },
  )

  app.post(
    '/csb/sdk/vm/tag',
    {
      schema: {
        body: z.object({ vm_ids: z.array(z.string().min(1).max(100)).min(1).max(100) }),
        response: { 200: sdkAnswer(z.object({ tag_id: z.string() })) },
      },
    },
    async (request) => {
      const caller = await authorization.caller(request, 'tagVms')
      const ids: string[] = []
      for (const id of request.body.vm_ids) {
        ids.push((await authorization.sandbox(request, 'tagVms', id, 'share')).sandbox.id)
      }
      return { data: { tag_id: (await createVmTag(database, caller.teamId, ids)).id } }
    },
  )

  app.put(
    '/csb/sdk/vm/alias/:namespace/:alias',
    {
      schema: {
        params: aliasParamsSchema,
        body: z.object({ tag_id: z.string().min(1).max(100) }),
        response: {
          200: sdkAnswer(
            z.object({
              namespace: z.string(),
              alias: z.string(),
              tag_id: z.string(),
              tag_alias_id: z.string(),
              team_id: z.string(),
            }),
          ),
        },
      },
    },
    async (request) => {
      const { teamId } = await authorization.caller(request, 'nameTemplate')
      const named = await nameVmTag(database, teamId, request.params, request.body.tag_id)
      const { id, namespace, alias, tagId } = named
      return { data: { namespace, alias, tag_id: tagId, tag_alias_id: id, team_id: teamId } }
    },
  )
}
