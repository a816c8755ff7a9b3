import { z } from 'zod'
import { directorySchema, moduleSchema } from './sandboxFiles.ts'
import { sandboxOperations, sandboxRoles } from './policies.ts'
import type { SandboxOperation, SandboxRole } from './policies.ts'

export const privacySchema = z.union([z.literal(0), z.literal(1), z.literal(2)])

export const authorizations = sandboxRoles
export type Authorization = SandboxRole

/** snake_case, and a bare array on the wire. */
export const officialTemplatesSchema = z.array(
  z.object({
    title: z.string(),
    sandboxes: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        /** The name of its folder; a fork accepts it in place of the id. */
        alias: z.string(),
        description: z.string().nullable(),
        tags: z.array(z.string()),
        v2: z.boolean(),
        /** Whether it can also be a sandbox that runs in the browser. */
        browser: z.boolean(),
        fork_count: z.number().int(),
        view_count: z.number().int(),
        environment: z.string(),
        custom_template: z.object({ icon_url: z.string().nullable() }),
      }),
    ),
  }),
)

const workspaceTemplateSchema = z.object({
  id: z.string(),
  title: z.string().nullable(),
  color: z.string().nullable(),
  icon_url: z.string().nullable(),
  published: z.boolean(),
  url: z.string().nullable(),
  v2: z.boolean(),
})
export type WorkspaceTemplateAnswer = z.infer<typeof workspaceTemplateSchema>

const abilitiesSchema = z.object(
  Object.fromEntries(sandboxOperations.map((operation) => [operation, z.boolean()])) as Record<
    SandboxOperation,
    z.ZodBoolean
  >,
)

/** A place in a repository. `path` is a folder of it, empty for its root. */
export const gitPlaceSchema = z.object({
  username: z.string(),
  repo: z.string(),
  branch: z.string(),
  path: z.string(),
  commit_sha: z.string().nullable(),
})

/** What another one was made of. */
const forkedSandboxSchema = z.object({
  id: z.string(),
  alias: z.string(),
  title: z.string().nullable(),
  template: z.string(),
  custom_template: workspaceTemplateSchema.nullable(),
  privacy: privacySchema,
  git: gitPlaceSchema.nullable(),
  inserted_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

const authorSchema = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string().nullable(),
  avatar_url: z.string().nullable(),
  badges: z.array(z.object({ id: z.string(), name: z.string(), visible: z.boolean() })),
  /** Since when the personal workspace has a plan that costs something, and how older clients call that. */
  subscription_since: z.iso.datetime().nullable(),
  subscription_plan: z.enum(['pro', 'patron']).nullable(),
})

const originalGitChangesSchema = z.object({
  added: z.array(z.string()),
  modified: z.array(z.string()),
  deleted: z.array(z.string()),
  /** What whoever asks may do in the repository. */
  rights: z.enum(['none', 'read', 'write', 'admin']),
})
export type OriginalGitChanges = z.infer<typeof originalGitChangesSchema>

/** A sandbox as the editor reads it. A devbox keeps its files on its machine, so `modules` and `directories` are empty. */
export const sandboxSchema = z.object({
  id: z.string(),
  alias: z.string(),
  title: z.string().nullable(),
  description: z.string().nullable(),
  v2: z.boolean(),
  privacy: privacySchema,
  is_frozen: z.boolean(),
  draft: z.boolean(),
  restricted: z.boolean(),
  owned: z.boolean(),
  authorization: z.enum(authorizations),
  /** What the one who asks may do, by operation. */
  abilities: abilitiesSchema,
  author: authorSchema.nullable(),
  team: z.object({ id: z.string(), name: z.string(), avatar_url: z.string().nullable() }),
  template: z.string(),
  /** The file to show first, when the template names one. */
  entry: z.string().nullable(),
  /** Present when it is a template of its workspace. */
  custom_template: workspaceTemplateSchema.nullable(),
  forked_template: workspaceTemplateSchema.nullable(),
  /** The template of a workspace that it was made of, as far as whoever asks may see that. */
  forked_template_sandbox: forkedSandboxSchema.nullable(),
  forked_from_sandbox: forkedSandboxSchema.nullable(),
  tags: z.array(z.string()),
  view_count: z.number().int(),
  fork_count: z.number().int(),
  like_count: z.number().int(),
  user_liked: z.boolean(),
  modules: z.array(moduleSchema),
  directories: z.array(directorySchema),
  external_resources: z.array(z.string()),
  npm_registries: z.array(
    z.object({
      enabled_scopes: z.array(z.string()),
      limit_to_scopes: z.boolean(),
      proxy_enabled: z.boolean(),
      registry_url: z.string().nullable(),
      registry_auth_type: z.enum(['basic', 'bearer']).nullable(),
    }),
  ),
  npm_dependencies: z.record(z.string(), z.string()),
  environment_variables: z.null(),
  feature_flags: z.record(z.string(), z.boolean()),
  git: gitPlaceSchema.nullable(),
  original_git: gitPlaceSchema.nullable(),
  base_git: gitPlaceSchema.nullable(),
  original_git_commit_sha: z.string().nullable(),
  base_git_commit_sha: z.string().nullable(),
  /**
   * What it has changed since the commit of the repository that it is from, for who may edit it. Null for any other one, in answers to
   * changes, and while the git host does not say.
   */
  original_git_changes: originalGitChangesSchema.nullable(),
  pr_number: z.number().int().nullable(),
  /** Opens its preview for ten minutes, for whoever asks, while it is private. Null where no preview needs one. */
  preview_secret: z.string().nullable(),
  room_id: z.string().nullable(),
  source_id: z.string(),
  source: z.object({ template: z.string() }),
  /** The folder of its workspace that it is in; null for a draft. */
  collection: z.object({ path: z.string() }).nullable(),
  /** The number of its machine's size, smallest 1; null without a machine of its own. */
  vm_tier: z.int().nullable(),
  /** Whether artificial intelligence may read it. */
  ai_consent: z.boolean(),
  version: z.number().int(),
  screenshot_url: z.string().nullable(),
  permissions: z.object({ prevent_sandbox_leaving: z.boolean(), prevent_sandbox_export: z.boolean() }),
  inserted_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})
export type SandboxAnswer = z.infer<typeof sandboxSchema>

export const forkBodySchema = z
  .object({
    /** True: a devbox. False: a sandbox that runs in the browser. Absent: a devbox from a template, else what the source is. */
    v2: z.boolean().optional(),
    /** The workspace it goes to; the personal one when absent. */
    team_id: z.uuid().nullish(),
    /** The folder it goes to; a draft when absent. */
    collection_id: z.uuid().nullish(),
    privacy: privacySchema.optional(),
    title: z.string().trim().min(1).max(100).optional(),
    /** What older clients call the title. */
    alias: z.string().trim().min(1).max(100).optional(),
  })
  .nullish()

export const sandboxChangeSchema = z.object({
  title: z.string().trim().min(1, 'Give it a title.').max(100, 'At most 100 characters.').optional(),
  description: z.string().trim().max(500, 'At most 500 characters.').nullable().optional(),
  privacy: privacySchema.optional(),
  is_frozen: z.boolean().optional(),
  /** A name for addresses; null for the one that follows from the title. */
  alias: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{1,98}[a-z0-9])$/, 'Use small letters, digits and dashes, at least three.')
    .nullable()
    .optional(),
})
export type SandboxChange = z.infer<typeof sandboxChangeSchema>

/** Who may look at a port of a sandbox: its owners, its workspace, or everybody. */
export const portVisibilities = ['private', 'workspace', 'public'] as const
export type PortVisibility = (typeof portVisibilities)[number]

/** Port 0 stands for every port that has no entry of its own. */
export const portPoliciesSchema = z.object({
  ports: z.array(z.object({ port: z.number().int(), visibility: z.enum(portVisibilities) })),
})
/** `null` takes the choice back: the privacy of the sandbox decides again. */
export const portPolicyBodySchema = z.object({ visibility: z.enum(portVisibilities).nullable() })
