import { z } from 'zod'
import { capabilitiesSchema, permissionsSchema } from '../access.ts'
import { method } from '../method.ts'

export const clientSchema = z.object({
  clientId: z.string(),
  username: z.string(),
  name: z.string(),
  avatarUrl: z.string().nullable(),
  /** A CSS colour, the same for everybody who sees this client. */
  color: z.string(),
  appId: z.string(),
})
export type Client = z.infer<typeof clientSchema>

export const subscriptionsSchema = z.object({
  client: z.object({ status: z.boolean().optional() }).optional(),
  file: z
    .object({ status: z.boolean().optional(), selection: z.boolean().optional(), ot: z.boolean().optional() })
    .optional(),
  fs: z.object({ operations: z.boolean().optional() }).optional(),
  git: z.object({ status: z.boolean().optional(), operations: z.boolean().optional() }).optional(),
  port: z.object({ status: z.boolean().optional() }).optional(),
  setup: z.object({ progress: z.boolean().optional() }).optional(),
  shell: z.object({ status: z.boolean().optional() }).optional(),
  system: z.object({ metrics: z.boolean().optional() }).optional(),
})
export type Subscriptions = z.infer<typeof subscriptionsSchema>

export const joinResultSchema = z.object({
  client: clientSchema,
  workspacePath: z.string(),
  version: z.string(),
  protocolVersion: z.string(),
  latestPitcherVersion: z.string(),
  capabilities: capabilitiesSchema,
  permissions: permissionsSchema,
  isProtected: z.boolean(),
  reconnectToken: z.string(),
})
export type JoinResult = z.infer<typeof joinResultSchema>

export const clientMethods = {
  'client/join': method(
    z.object({
      clientInfo: z.object({ protocolVersion: z.string().max(40), appId: z.string().max(100) }),
      /** True on the first join: `system/initStatus` notifications are sent until the answer. */
      asyncProgress: z.boolean().optional(),
      subscriptions: subscriptionsSchema.default({}),
    }),
    joinResultSchema,
  ),
  'client/list': method(z.object({}).optional(), z.array(clientSchema)),
}

export const clientNotifications = {
  'client/connected': clientSchema,
  'client/updated': clientSchema,
  'client/disconnected': z.object({
    clientId: z.string(),
    reason: z.enum(['AuthorizationChanged', 'Disconnect', 'PitcherShutdown']),
  }),
  'client/permissions': z.object({ isProtected: z.boolean(), permissions: permissionsSchema }),
}
