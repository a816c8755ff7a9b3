import { z } from 'zod'
import { privacySchema } from './sandboxes.ts'

/** What an API key may be allowed to do. */
export const sdkScopes = [
  'sandbox_create',
  'sandbox_edit_code',
  'sandbox_read',
  'vm_manage',
  'template_create',
  'preview_token_manage',
  'workspace_create',
  'token_manage',
] as const
export type SdkScope = (typeof sdkScopes)[number]

/** What a key gets when its maker names no scopes: the work with sandboxes, but neither workspaces nor further keys. */
export const defaultSdkScopes: readonly SdkScope[] = sdkScopes.filter(
  (scope) => scope !== 'workspace_create' && scope !== 'token_manage',
)

/** Which scope each operation of the SDK's API needs. */
export const sdkPolicy = {
  createWorkspace: 'workspace_create',
  manageKeys: 'token_manage',
  listSandboxes: 'sandbox_read',
  readSandbox: 'sandbox_read',
  createSandbox: 'sandbox_create',
  forkSandbox: 'sandbox_create',
  readHostTokens: 'preview_token_manage',
  manageHostTokens: 'preview_token_manage',
  managePreviewHosts: 'preview_token_manage',
  createTemplate: 'template_create',
  tagVms: 'template_create',
  nameTemplate: 'template_create',
  listVms: 'sandbox_read',
  startVm: 'vm_manage',
  stopVm: 'vm_manage',
  deleteVm: 'vm_manage',
  configureVm: 'vm_manage',
  openReadSession: 'sandbox_read',
  openWriteSession: 'sandbox_edit_code',
} as const satisfies Record<string, SdkScope>
export type SdkOperation = keyof typeof sdkPolicy

export function keyMayDo(scopes: readonly string[], operation: SdkOperation): boolean {
  return scopes.includes(sdkPolicy[operation])
}

export interface MachineTier {
  /** Cores. */
  cpu: number
  /** GiB. */
  memory: number
  /** GB. */
  storage: number
}

/** The sizes of machines, smallest first. */
export const machineTiers = {
  Pico: { cpu: 1, memory: 2, storage: 20 },
  Nano: { cpu: 2, memory: 4, storage: 20 },
  Micro: { cpu: 4, memory: 8, storage: 20 },
  Small: { cpu: 8, memory: 16, storage: 30 },
  Medium: { cpu: 16, memory: 32, storage: 40 },
  Large: { cpu: 32, memory: 64, storage: 50 },
  XLarge: { cpu: 64, memory: 128, storage: 50 },
} as const satisfies Record<string, MachineTier>
/** The number of the size that a machine has when nobody chose one, smallest 1. */
export const USUAL_TIER = 3
export type TierName = keyof typeof machineTiers
export const tierNames = Object.keys(machineTiers) as [TierName, ...TierName[]]
export const tierSchema = z.enum(tierNames, `Choose one of ${tierNames.join(', ')}.`)

const titleSchema = z.string().trim().min(1).max(255)
const tagsSchema = z.array(z.string().trim().min(1).max(100)).max(50)
const hibernationSeconds = z.number().int().min(1).max(86_400)

/** Wraps an answer as the SDK unwraps it: an answer without `data` counts as a failure. */
export function sdkAnswer<T extends z.ZodType>(data: T) {
  return z.object({ data })
}

export const sdkEmpty = z.object({})

export const keyBodySchema = z.object({
  description: z.string().trim().max(255).nullish(),
  scopes: z.array(z.enum(sdkScopes)).max(sdkScopes.length).nullish(),
  expires_at: z.iso.datetime({ offset: true }).nullish(),
  default_version: z.literal('2023-07-01').nullish(),
})

export const keySchema = z.object({
  token_id: z.string(),
  team_id: z.string(),
  description: z.string().nullable(),
  scopes: z.array(z.string()),
  expires_at: z.string().nullable(),
})

export const sdkSandboxSchema = z.object({
  id: z.string(),
  title: z.string().nullable(),
  description: z.string().nullable(),
  privacy: privacySchema,
  tags: z.array(z.string()),
  is_frozen: z.boolean(),
  settings: z.object({ use_pint: z.literal(false) }),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

/** Pages of more than this are cut; the clients follow `next_page`. */
export const LONGEST_PAGE = 50

export const sandboxListQuery = z.object({
  tags: z
    .string()
    .max(2000)
    .transform((text) => text.split(',').filter((tag) => tag !== ''))
    .optional(),
  order_by: z.enum(['inserted_at', 'updated_at']).default('updated_at'),
  direction: z.enum(['asc', 'desc']).default('desc'),
  page_size: z.coerce
    .number()
    .int()
    .min(1)
    .default(20)
    .transform((size) => Math.min(size, LONGEST_PAGE)),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  status: z.literal('running').optional(),
})

export const sandboxListSchema = z.object({
  sandboxes: z.array(sdkSandboxSchema),
  pagination: z.object({
    current_page: z.number().int(),
    next_page: z.number().int().nullable(),
    total_records: z.number().int(),
  }),
})

export const vmStartBodySchema = z.object({
  tier: tierSchema.nullish(),
  ipcountry: z.string().length(2).nullish(),
  hibernation_timeout_seconds: hibernationSeconds.nullish(),
  automatic_wakeup_config: z.object({ http: z.boolean().nullish(), websocket: z.boolean().nullish() }).nullish(),
})
export type VmStartBody = z.infer<typeof vmStartBodySchema>

const sandboxSettings = {
  title: titleSchema.nullish(),
  description: z.string().trim().max(2000).nullish(),
  tags: tagsSchema.nullish(),
  /** The folder in the dashboard. */
  path: z.string().max(1000).nullish(),
  privacy: privacySchema.nullish(),
  /** False lets everybody look at the previews of a private sandbox. */
  private_preview: z.boolean().nullish(),
  is_frozen: z.boolean().nullish(),
}
export type SdkSandboxSettings = { [K in keyof typeof sandboxSettings]?: z.infer<(typeof sandboxSettings)[K]> }

export const sdkForkBodySchema = z.object({ ...sandboxSettings, start_options: vmStartBodySchema.nullish() })

export const sdkCreateBodySchema = z.object({
  ...sandboxSettings,
  files: z.record(
    z.string().min(1).max(1000),
    z.object({
      code: z.string().nullish(),
      binary_content: z.base64().nullish(),
      is_binary: z.boolean().nullish(),
    }),
  ),
  runtime: z.literal('vm', 'Only sandboxes with runtime "vm" can be created here.').nullish(),
})

export const previewTokenSchema = z.object({
  token_id: z.string(),
  token_prefix: z.string(),
  expires_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
})
export const previewTokenBodySchema = z.object({ expires_at: z.iso.datetime({ offset: true }).nullish() })

export const templateBodySchema = z.object({
  forkOf: z.string().min(1).max(255),
  title: titleSchema.nullish(),
  description: z.string().trim().max(2000).nullish(),
  tags: tagsSchema.nullish(),
  image: z
    .undefined({ error: 'Templates from container images can not be built here; build from a folder.' })
    .optional(),
})

export const aliasParamsSchema = z.object({
  namespace: z.string().regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/),
  alias: z.string().regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/),
})

export const sessionBodySchema = z.object({
  session_id: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'Use letters, digits, dashes and underscores, at most 64.'),
  permission: z.enum(['read', 'write']).default('write'),
})

export const runningVmsSchema = z.object({
  concurrent_vm_count: z.number().int(),
  concurrent_vm_limit: z.number().int(),
  vms: z.array(
    z.object({
      id: z.string(),
      /** Milliseconds since the epoch: the SDK reads ISO text as a number. */
      last_active_at: z.number().int(),
      session_started_at: z.number().int(),
      specs: z.object({ cpu: z.number(), memory: z.number(), storage: z.number() }),
    }),
  ),
})

/** A regular expression that a parent page's host name has to match to use the preview API. */
export const previewHostsBodySchema = z.object({
  hosts: z
    .array(
      z
        .string()
        .min(1)
        .max(255)
        .regex(/^[^\s/]+$/, 'A host name, without a path.'),
    )
    .max(100),
})
export const previewHostsSchema = z.object({
  preview_hosts: z.array(z.object({ host: z.string(), inserted_at: z.string() })),
})

export const hibernationTimeoutBodySchema = z.object({ hibernation_timeout_seconds: hibernationSeconds })
export const tierBodySchema = z.object({ tier: tierSchema })
