import { dataOf, installationPolicies, installationRoleOf } from '@boxyard/api'
import { BoxError } from '@boxyard/boxes'
import { inArray } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { userOf } from '../accounts/authentication.ts'
import type { ServerContext } from '../context.ts'
import { sandboxes } from '../database/schema.ts'
import type { App } from '../http/app.ts'
import type { MachineService } from './machineService.ts'
import { hibernatedSchema, machinesSchema, updatedSchema } from './operatorSchemas.ts'

/** For administrators of the installation: which machines are up or asleep in memory, what they cost, putting all to sleep and updating their dev servers. */
export function registerOperatorRoutes(app: App, { database, log }: ServerContext, machines: MachineService): void {
  const { required } = app.authenticate

  app.get(
    '/api/v1/admin/machines',
    { onRequest: required, schema: { response: { 200: dataOf(machinesSchema) } } },
    async (request) => {
      requireAdministrator(request)
      const found = await machines.inMemory()
      const ids = found.map(({ run }) => run.id)
      const rows = ids.length === 0 ? [] : await database.select().from(sandboxes).where(inArray(sandboxes.id, ids))
      const known = new Map(rows.map((row) => [row.id, row]))
      const list = await Promise.all(
        found.map(async ({ run, tier, lastUsedAt, awake }) => {
          const sandbox = known.get(run.id)
          const usage = await machines.usage(run.id)
          return {
            id: run.id,
            title: sandbox?.title ?? null,
            team_id: sandbox?.teamId ?? null,
            author_id: sandbox?.authorId ?? null,
            state: awake ? ('running' as const) : ('hibernated' as const),
            started_at: run.startedAt.toISOString(),
            last_used_at: lastUsedAt.toISOString(),
            tier: { cpu: tier.cpu, memory_mib: tier.memory, disk_mib: tier.disk },
            usage: usage && {
              cpu_usec: usage.cpuUsec,
              memory_bytes: usage.memoryBytes,
              disk_bytes: usage.diskBytes,
              processes: usage.processes,
            },
          }
        }),
      )
      return { data: { machines: list } }
    },
  )

  app.post(
    '/api/v1/admin/machines/hibernate',
    { onRequest: required, schema: { response: { 200: dataOf(hibernatedSchema) } } },
    async (request) => {
      requireAdministrator(request)
      const hibernated = (await machines.running()).map(({ run }) => run.id)
      await Promise.all(hibernated.map((id) => machines.hibernate(id)))
      log.info({ count: hibernated.length, by: userOf(request).id }, 'put every machine to sleep')
      return { data: { hibernated } }
    },
  )

  app.post(
    '/api/v1/admin/machines/update',
    { onRequest: required, schema: { response: { 200: dataOf(updatedSchema) } } },
    async (request) => {
      requireAdministrator(request)
      const updated: string[] = []
      const failed: { id: string; reason: string }[] = []
      // One after the other: each takes the processors for a moment.
      for (const { run } of await machines.running()) {
        try {
          if (await machines.update(run.id)) updated.push(run.id)
        } catch (error) {
          if (!(error instanceof BoxError)) throw error
          failed.push({ id: run.id, reason: error.message })
        }
      }
      log.info({ updated: updated.length, failed, by: userOf(request).id }, 'updated the dev server of every machine')
      return { data: { updated, failed } }
    },
  )

  app.post(
    '/api/v1/admin/machines/:id/hibernate',
    {
      onRequest: required,
      schema: { params: z.object({ id: z.string().max(100) }), response: { 200: dataOf(hibernatedSchema) } },
    },
    async (request) => {
      requireAdministrator(request)
      const { id } = request.params
      const isRunning = (await machines.running()).some(({ run }) => run.id === id)
      if (isRunning) await machines.hibernate(id)
      return { data: { hibernated: isRunning ? [id] : [] } }
    },
  )
}

export function requireAdministrator(request: FastifyRequest): void {
  installationPolicies.authorize(installationRoleOf(userOf(request)), 'operateMachines')
}
