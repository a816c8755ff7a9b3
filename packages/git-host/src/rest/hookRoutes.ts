import { z } from 'zod'
import type { HookRecord } from '../repositories/records.ts'
import { enqueue } from '../webhooks/emit.ts'
import { moment } from './presenter.ts'
import { parse } from './restApi.ts'
import type { RestApi } from './restApi.ts'
import { RestError } from './restError.ts'

const hookConfig = z.object({
  url: z.url({ protocol: /^https?$/ }).max(2000),
  secret: z.string().min(1).max(500).optional(),
  content_type: z.literal('json').optional(),
})
const eventList = z
  .array(z.string().regex(/^[a-z_]+$|^\*$/))
  .min(1)
  .max(50)
const MOST_HOOKS = 20
const HOOKS = '/repos/:owner/:repo/hooks'

/** Webhooks of a repository, for its administrators. */
export function registerHookRoutes(api: RestApi): void {
  const { app, parts, present } = api
  const { storage } = parts

  app.get(HOOKS, async (request, reply) => {
    const { record } = await api.open(request, 'admin')
    const hooks = await storage.hooks.find({ repositoryId: record.id })
    return api.page(request, reply, hooks.length, (offset, limit) =>
      hooks.slice(offset, offset + limit).map((hook) => present.hook(hook)),
    )
  })

  app.post(HOOKS, async (request, reply) => {
    const { record } = await api.open(request, 'admin')
    const body = parse(
      z.object({ config: hookConfig, events: eventList.default(['push']), active: z.boolean().default(true) }),
      request.body,
      'Hook',
    )
    const present_ = await storage.hooks.find({ repositoryId: record.id })
    if (present_.some(({ url }) => url === body.config.url)) {
      throw new RestError(422, 'Validation Failed', [
        { resource: 'Hook', code: 'custom', message: 'Hook already exists on this repository' },
      ])
    }
    if (present_.length >= MOST_HOOKS)
      throw RestError.invalid('Hook', 'base', 'custom', `A repository has at most ${MOST_HOOKS} hooks`)
    const now = parts.now()
    const hook = await storage.transaction(async (tx) => {
      const made = await tx.hooks.insert({
        repositoryId: record.id,
        url: body.config.url,
        secret: body.config.secret ?? null,
        events: body.events,
        active: body.active,
        insertedAt: now,
        updatedAt: now,
      })
      await ping(tx, made)
      return made
    })
    parts.onDelivery()
    return reply.code(201).send(present.hook(hook))
  })

  app.get(`${HOOKS}/:hook`, async (request) => present.hook(await hookOf(request)))

  app.patch(`${HOOKS}/:hook`, async (request) => {
    const hook = await hookOf(request)
    const body = parse(
      z.object({
        config: hookConfig.partial().optional(),
        events: eventList.optional(),
        active: z.boolean().optional(),
      }),
      request.body,
      'Hook',
    )
    const { url, secret } = body.config ?? {}
    const change = {
      ...(url === undefined ? {} : { url }),
      ...(secret === undefined ? {} : { secret }),
      ...(body.events === undefined ? {} : { events: body.events }),
      ...(body.active === undefined ? {} : { active: body.active }),
    }
    const [changed] = await storage.hooks.update({ id: hook.id }, { ...change, updatedAt: parts.now() })
    return present.hook(changed!)
  })

  app.delete(`${HOOKS}/:hook`, async (request, reply) => {
    await storage.hooks.remove({ id: (await hookOf(request)).id })
    return reply.code(204).send()
  })

  app.post(`${HOOKS}/:hook/pings`, async (request, reply) => {
    await ping(storage, await hookOf(request))
    parts.onDelivery()
    return reply.code(204).send()
  })

  app.get(`${HOOKS}/:hook/deliveries`, async (request) => {
    const hook = await hookOf(request)
    const deliveries = await storage.deliveries.find({ hookId: hook.id }, { by: 'id', descending: true, limit: 50 })
    return deliveries.map((delivery) => ({
      id: delivery.id,
      guid: delivery.guid,
      event: delivery.event,
      action: delivery.action,
      delivered_at: delivery.deliveredAt && moment(delivery.deliveredAt),
      redelivery: delivery.attempts > 1,
      status_code: delivery.statusCode,
      status: delivery.deliveredAt ? 'OK' : delivery.nextAttemptAt ? 'pending' : 'failed',
    }))
  })

  async function hookOf(request: Parameters<RestApi['open']>[0]): Promise<HookRecord> {
    const { record } = await api.open(request, 'admin')
    const id = Number((request.params as { hook: string }).hook)
    const [hook] = Number.isSafeInteger(id) ? await storage.hooks.find({ id, repositoryId: record.id }) : []
    if (!hook) throw RestError.notFound()
    return hook
  }

  async function ping(tx: typeof storage, hook: HookRecord): Promise<void> {
    const payload = { zen: 'Keep it logically awesome.', hook_id: hook.id, hook: present.hook(hook) }
    await enqueue(tx, hook, { event: 'ping', action: null, payload }, parts.now())
  }
}
