import { machineDefaultsSchema } from '@boxyard/api'
import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import type { App } from '../App.ts'

const schema = z.object({
  vmTier: machineDefaultsSchema.shape.vm_tier,
  idleMinutes: machineDefaultsSchema.shape.idle_minutes,
  largestVmTier: z.int(),
})
export type MachineDefaults = z.output<typeof schema>

const pathOf = (teamId: string): string => `/teams/${encodeURIComponent(teamId)}/machines`

/** What machines of a workspace are like where nothing else is chosen for one. */
export const machineDefaults = (app: App, teamId: string) =>
  queryOptions({
    queryKey: ['workspace', teamId, 'machines'],
    queryFn: ({ signal }) => app.rest.get(pathOf(teamId), { schema, signal }),
  })

export async function changeMachineDefaults(
  app: App,
  teamId: string,
  change: Partial<Pick<MachineDefaults, 'vmTier' | 'idleMinutes'>>,
): Promise<void> {
  const changed = await app.rest.patch(pathOf(teamId), { body: change, schema })
  app.queries.setQueryData(machineDefaults(app, teamId).queryKey, changed)
}
