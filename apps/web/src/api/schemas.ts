import { z } from 'zod'

/** Answers of the REST API as the app sees them, in camelCase. Unknown members are dropped. */
export const currentUserSchema = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string().nullable(),
  email: z.string().nullish(),
  avatarUrl: z.string().nullish(),
  /** On this installation. */
  role: z.enum(['member', 'admin']),
})
export type CurrentUser = z.infer<typeof currentUserSchema>

export const pendingUserSchema = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string().nullable(),
  avatarUrl: z.string().nullable(),
})
export type PendingUser = z.infer<typeof pendingUserSchema>

export const featuresSchema = z.object({
  loginWithGithub: z.boolean().default(false),
  loginWithGoogle: z.boolean().default(false),
  loginWithApple: z.boolean().default(false),
  loginWithWorkos: z.boolean().default(false),
  /** The name of the git host, when it isn't github.com. */
  gitHostName: z.string().nullish(),
  development: z.boolean().default(false),
})
export type Features = z.infer<typeof featuresSchema>

export const sessionsSchema = z.array(
  z.object({
    id: z.string(),
    kind: z.enum(['browser', 'bearer']),
    label: z.string().nullable(),
    userAgent: z.string().nullable(),
    insertedAt: z.string(),
    lastUsedAt: z.string(),
    current: z.boolean(),
  }),
)
export type SessionEntry = z.infer<typeof sessionsSchema>[number]

export const identitiesSchema = z.array(z.object({ id: z.string(), provider: z.string(), login: z.string() }))

export const officialTemplateSchema = z.object({
  id: z.string(),
  title: z.string(),
  alias: z.string().nullish(),
  description: z.string().nullish(),
  v2: z.boolean().default(false),
  /** It can also run in the browser. */
  browser: z.boolean().default(false),
  environment: z.string().nullish(),
  customTemplate: z.object({ iconUrl: z.string().nullish(), color: z.string().nullish() }).nullish(),
})
export type OfficialTemplate = z.infer<typeof officialTemplateSchema>

export const officialTemplatesSchema = z.array(
  z.object({ title: z.string().nullish(), sandboxes: z.array(officialTemplateSchema) }),
)

export const sandboxSchema = z.object({
  id: z.string(),
  alias: z.string().nullish(),
  title: z.string().nullable(),
  description: z.string().nullish(),
  v2: z.boolean().default(false),
  /** What this person may do. */
  abilities: z.object({
    edit: z.boolean(),
    restart: z.boolean(),
    rename: z.boolean(),
    share: z.boolean().default(false),
    fork: z.boolean().default(false),
    changeMachine: z.boolean().default(false),
  }),
  /** The number of its machine's size. */
  vmTier: z.int().nullish(),
  privacy: z.number().default(0),
  isFrozen: z.boolean().default(false),
  entry: z.string().nullish(),
  /** The branch of a repository that it is the box of. */
  git: z.object({ username: z.string(), repo: z.string(), branch: z.string() }).nullish(),
  author: z.object({ username: z.string() }).nullish(),
  team: z.object({ id: z.string(), name: z.string() }).nullish(),
  /** What its owner or its workspace keeps everybody from. */
  permissions: z.object({ preventSandboxExport: z.boolean() }).optional(),
})
export type Sandbox = z.infer<typeof sandboxSchema>

export const isolationSchema = z.enum(['none', 'namespace', 'userspace-kernel', 'vm'])
export type Isolation = z.infer<typeof isolationSchema>

export const startedBoxSchema = z.object({
  id: z.string(),
  bootupType: z.enum(['RUNNING', 'RESUME', 'CLEAN', 'FORK']),
  pitcherUrl: z.string(),
  pitcherToken: z.string(),
  workspacePath: z.string(),
  /** The version of the dev server that a machine which starts now has. */
  latestPitcherVersion: z.string().optional(),
  isolation: isolationSchema.optional(),
})
export type StartedBox = z.infer<typeof startedBoxSchema>

export const startProgressSchema = z.object({
  phase: z.string(),
  message: z.string(),
  /** 0..55 */
  progress: z.number(),
  elapsedMs: z.number(),
  /** What the phase is busy with, such as the last line of an installation. */
  detail: z.string().nullish(),
  phases: z.array(
    z.object({ phase: z.string(), message: z.string(), startedMs: z.number(), endedMs: z.number().nullable() }),
  ),
})
export type StartProgress = z.infer<typeof startProgressSchema>
