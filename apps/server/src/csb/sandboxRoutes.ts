import {
  ApiError,
  sandboxListQuery,
  sandboxListSchema,
  sdkAnswer,
  sdkCreateBodySchema,
  sdkForkBodySchema,
  sdkSandboxSchema,
} from '@boxyard/api'
import type { SdkSandboxSettings } from '@boxyard/api'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../http/app.ts'
import { limitConcurrency } from '../limitConcurrency.ts'
import { startAnswerSchema } from '../machines/startAnswer.ts'
import { createDevbox } from '../sandboxes/index.ts'
import type { NewDevbox, Sandbox } from '../sandboxes/index.ts'
import { aliasOf } from '../sandboxes/sandboxIds.ts'
import type { SdkParts } from './registerSdk.ts'
import type { SdkCaller } from './sdkCaller.ts'
import { applySettings, listTeamSandboxes, machineChange, presentSdkSandbox } from './sdkSandboxes.ts'
import { startMachine } from './startMachine.ts'
import { sandboxesBehind } from './vmTags.ts'
import { withFiles } from '../sandboxes/withFiles.ts'

/** A creation holds a connection to the database while its machine may need another, so fewer run at a time than there are. */
const MOST_CREATIONS = 4
const created = z.object({ id: z.string(), alias: z.string(), title: z.string().nullable() })
const params = z.object({ id: z.string().min(1).max(255) })

/** Lists, reads, creates and forks sandboxes. */
export function registerSdkSandboxes(app: App, parts: SdkParts): void {
  const { authorization, machines } = parts
  const { database } = parts.context
  const creator = sandboxCreator(parts)

  app.get(
    '/csb/sdk/sandbox',
    { schema: { querystring: sandboxListQuery, response: { 200: sdkAnswer(sandboxListSchema) } } },
    async (request) => {
      const { teamId } = await authorization.caller(request, 'listSandboxes')
      const { tags, order_by: orderBy, direction, page, page_size: pageSize, status } = request.query
      const ids = status === 'running' ? (await machines.running()).map(({ run }) => run.id) : undefined
      const { rows, total } = await listTeamSandboxes(database, teamId, {
        tags,
        orderBy,
        direction,
        page,
        pageSize,
        ids,
      })
      const next = page * pageSize < total ? page + 1 : null
      return {
        data: {
          sandboxes: rows.map(presentSdkSandbox),
          pagination: { current_page: page, next_page: next, total_records: total },
        },
      }
    },
  )

  app.get(
    '/csb/sdk/sandbox/:id',
    { schema: { params, response: { 200: sdkAnswer(sdkSandboxSchema) } } },
    async (request) => {
      const { sandbox } = await authorization.sandbox(request, 'readSandbox', request.params.id, 'see')
      return { data: presentSdkSandbox(sandbox) }
    },
  )

  app.post(
    '/csb/sdk/sandbox',
    { schema: { body: sdkCreateBodySchema, response: { 200: sdkAnswer(created) } } },
    async (request) => {
      const caller = await authorization.caller(request, 'createSandbox')
      const { files, runtime: _runtime, ...settings } = request.body
      const sandbox = await withFiles(files, (folder) => creator.create(caller, { kind: 'files', folder }, settings))
      return { data: { id: sandbox.id, alias: aliasOf(sandbox), title: sandbox.title } }
    },
  )

  app.post(
    '/csb/sdk/sandbox/:id/fork',
    {
      schema: {
        params,
        body: sdkForkBodySchema,
        response: { 200: sdkAnswer(created.extend({ start_response: startAnswerSchema.nullable() })) },
      },
    },
    async (request) => {
      const { start_options: startOptions, ...settings } = request.body
      const { caller, source } = await creator.source(request, request.params.id)
      const sandbox = await creator.create(caller, source, settings)
      const start = startOptions
        ? await startMachine(parts, request, caller, sandbox, machineChange(startOptions))
        : null
      return { data: { id: sandbox.id, alias: aliasOf(sandbox), title: sandbox.title, start_response: start } }
    },
  )
}

export interface SandboxCreator {
  /** What `reference` stands for, if the caller may copy it: a template, a sandbox, a tag or an alias. */
  source(request: FastifyRequest, reference: string): Promise<{ caller: SdkCaller; source: NewDevbox['source'] }>
  create(caller: SdkCaller, source: NewDevbox['source'], settings: SdkSandboxSettings): Promise<Sandbox>
}

export function sandboxCreator({
  context: { database },
  authorization,
  machines,
  templates,
}: SdkParts): SandboxCreator {
  const creating = limitConcurrency(MOST_CREATIONS)
  return {
    async source(request, reference) {
      const caller = await authorization.caller(request, 'forkSandbox')
      const template = templates.find(reference)
      if (template) return { caller, source: { kind: 'template', template } }
      const isTag = /^pt_|@/.test(reference)
      const ids = isTag ? await sandboxesBehind(database, reference) : [reference]
      const [first] = ids ?? []
      if (first === undefined) throw new ApiError('NOT_FOUND', { detail: 'This template is not found' })
      const { sandbox } = await authorization.sandbox(request, 'forkSandbox', first, 'fork')
      return { caller, source: { kind: 'sandbox', sandbox } }
    },
    async create(caller, source, settings) {
      const sandbox = await creating(() =>
        createDevbox(database, machines, caller.user, {
          source,
          teamId: caller.teamId,
          privacy: settings.privacy ?? undefined,
          title: settings.title ?? undefined,
        }),
      )
      // The SDK's previews do not wake a machine by a socket unless their maker says so.
      await machines.configure(sandbox.id, { wake: { http: true, websocket: false } })
      return applySettings(database, sandbox, settings)
    },
  }
}
