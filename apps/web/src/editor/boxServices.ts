import type { BoxServices } from '@boxyard/workbench'
import { z } from 'zod'
import type { RestClient } from '../api/RestClient.ts'
import { sandboxSchema, type Sandbox } from '../api/schemas.ts'
import { capabilitiesOf } from './capabilities.ts'

const secretsSchema = z.record(z.string(), z.string()).transform((variables) => Object.keys(variables).toSorted())
const portsSchema = z
  .object({ ports: z.array(z.object({ port: z.number(), visibility: z.enum(['private', 'workspace', 'public']) })) })
  .transform(({ ports }) => new Map(ports.map(({ port, visibility }) => [port, visibility])))

const tiersSchema = z
  .object({
    vmTiers: z.array(
      z.object({ tier: z.int(), name: z.string(), cpu: z.number(), memory: z.number(), storage: z.number() }),
    ),
  })
  .transform(({ vmTiers }) => vmTiers)

/** What this person can have the platform do for a devbox, for the editor's view of it. */
export function boxServices(options: { rest: RestClient; sandbox: Sandbox; restart: () => void }): BoxServices {
  const { rest, sandbox, restart } = options
  const capabilities = capabilitiesOf(sandbox)
  const path = `/sandboxes/${encodeURIComponent(sandbox.id)}`
  const secrets = { schema: secretsSchema, keepsKeys: true } as const
  return {
    restart: capabilities.restartContainer ? restart : undefined,
    secrets: capabilities.write
      ? {
          list: () => rest.get(`${path}/env`, secrets),
          set: (name, value) =>
            rest.post(`${path}/env`, { ...secrets, body: { environmentVariable: { name, value } } }),
          remove: (name) => rest.delete(`${path}/env/${encodeURIComponent(name)}`, secrets),
        }
      : undefined,
    sizes: capabilities.resize
      ? {
          // Somebody else may have changed it since this page was opened.
          list: async () => {
            const [sizes, { vmTier }] = await Promise.all([
              rest.get('/api/vm_tiers', { schema: tiersSchema }),
              rest.get(path, { schema: sandboxSchema }),
            ])
            return { sizes, current: vmTier ?? undefined }
          },
          set: (tier) => rest.patch(`${path}/vm_tier`, { schema: z.undefined(), body: { vmTier: tier } }),
        }
      : undefined,
    ports: capabilities.share
      ? {
          list: () => rest.get(`${path}/ports`, { schema: portsSchema }),
          set: (port, visibility) => rest.put(`${path}/ports/${port}`, { schema: portsSchema, body: { visibility } }),
        }
      : undefined,
  }
}
