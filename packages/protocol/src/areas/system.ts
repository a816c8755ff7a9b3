import { z } from 'zod'
import { method } from '../method.ts'

/** `cpu.used` in percent of one core, memory in GiB, storage in GB. `configured` is the limit, equal to `total` where none is set. */
export const metricsSchema = z.object({
  cpu: z.object({ cores: z.number(), used: z.number(), configured: z.number() }),
  memory: z.object({ total: z.number(), used: z.number(), configured: z.number() }),
  storage: z.object({ total: z.number(), used: z.number(), configured: z.number() }),
})
export type Metrics = z.infer<typeof metricsSchema>

export const systemMethods = {
  /** Says that the caller is still active. */
  'system/update': method(z.object({}).optional(), z.object({}), 'system.update'),
  'system/hibernate': method(z.object({}).optional(), z.null(), 'system.hibernate'),
  'system/metrics': method(z.object({}).optional(), metricsSchema, 'system.metrics'),
}

export const systemNotifications = {
  'system/hibernate': z.object({}),
  'system/metrics': metricsSchema,
  /** `progress` and `nextProgress` in 0..100. */
  'system/initStatus': z.object({
    message: z.string(),
    progress: z.number(),
    nextProgress: z.number(),
    isError: z.boolean().optional(),
    stdout: z.string().optional(),
  }),
}
