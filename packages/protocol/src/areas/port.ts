import { z } from 'zod'
import { method } from '../method.ts'

/** `url` is a bare host name without a scheme. */
export const portSchema = z.object({ port: z.number().int().min(1).max(65_535), url: z.string() })
export type Port = z.infer<typeof portSchema>

export const portMethods = {
  'port/list': method(z.object({}).optional(), z.object({ list: z.array(portSchema) })),
}

export const portNotifications = {
  /** Always the full list. */
  'port/changed': z.object({ list: z.array(portSchema) }),
}
