import { accessLevels } from '@boxyard/protocol'
import { z } from 'zod'

/** What a person may do in this box from now on, as the platform tells it. */
export const accessChangeSchema = z.object({
  user: z.string().min(1).max(200),
  access: z.enum(['none', ...accessLevels]),
})
export type AccessChange = z.infer<typeof accessChangeSchema>
