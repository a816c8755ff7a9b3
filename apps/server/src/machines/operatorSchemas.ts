import { z } from 'zod'

const machineSchema = z.object({
  id: z.string(),
  title: z.string().nullable(),
  team_id: z.string().nullable(),
  author_id: z.string().nullable(),
  state: z.enum(['running', 'hibernated']),
  started_at: z.iso.datetime(),
  last_used_at: z.iso.datetime(),
  tier: z.object({ cpu: z.number(), memory_mib: z.number(), disk_mib: z.number() }),
  /** What it costs now. Null when it ended while it was measured. */
  usage: z
    .object({ cpu_usec: z.number(), memory_bytes: z.number(), disk_bytes: z.number(), processes: z.number() })
    .nullable(),
})

/** A machine that is up, or asleep in memory, and what it costs. */
export type Machine = z.output<typeof machineSchema>

export const machinesSchema = z.object({ machines: z.array(machineSchema) })

/** Ids of the machines that have the installed dev server now, and those that go on with what they had, each with the reason. */
export const updatedSchema = z.object({
  updated: z.array(z.string()),
  failed: z.array(z.object({ id: z.string(), reason: z.string() })),
})

/** Ids of the machines that were put to sleep. */
export const hibernatedSchema = z.object({ hibernated: z.array(z.string()) })
