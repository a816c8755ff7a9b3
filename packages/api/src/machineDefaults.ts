import { z } from 'zod'

const DAY_MINUTES = 24 * 60

/** Minutes without use after which a machine goes to sleep; null for what applies where nothing is chosen. */
export const idleMinutesSchema = z.int().min(1).max(DAY_MINUTES).nullable()

/** What machines of a workspace are like where nothing else is chosen for one. */
export const machineDefaultsSchema = z.object({
  /** Number of the size, smallest 1; null for the usual one. */
  vm_tier: z.int().min(1).max(7).nullable(),
  idle_minutes: idleMinutesSchema,
})
