import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import type { App } from '../App.ts'

const machineSchema = z.object({
  id: z.string(),
  title: z.string().nullable(),
  state: z.enum(['running', 'hibernated']),
  startedAt: z.iso.datetime().transform((text) => new Date(text)),
  lastUsedAt: z.iso.datetime().transform((text) => new Date(text)),
  tier: z.object({ cpu: z.number(), memoryMib: z.number(), diskMib: z.number() }),
  usage: z
    .object({ cpuUsec: z.number(), memoryBytes: z.number(), diskBytes: z.number(), processes: z.number() })
    .nullable(),
})

export type Machine = z.output<typeof machineSchema>

/** What is up or asleep in memory on this installation, asked again as long as somebody looks. For administrators only. */
export const machinesInMemory = (app: App) =>
  queryOptions({
    queryKey: ['machines'],
    queryFn: async ({ signal }) => {
      const schema = z.object({ machines: z.array(machineSchema) })
      return (await app.rest.get('/admin/machines', { schema, signal })).machines
    },
    refetchInterval: 5_000,
  })

/** Puts one machine to sleep, or all that run. Resolves with how many were running. */
export async function hibernate(app: App, id: string | null): Promise<number> {
  const path = id === null ? '/admin/machines/hibernate' : `/admin/machines/${encodeURIComponent(id)}/hibernate`
  const { hibernated } = await app.rest.post(path, { schema: z.object({ hibernated: z.array(z.string()) }) })
  await app.queries.invalidateQueries({ queryKey: ['machines'] })
  return hibernated.length
}
