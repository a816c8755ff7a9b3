import { z } from 'zod'
import { privacySchema } from './sandboxes.ts'

/** A sandbox in a list, without its files. */
export const smallSandboxSchema = z.object({
  id: z.string(),
  alias: z.string(),
  title: z.string().nullable(),
  description: z.string().nullable(),
  template: z.string(),
  /** The official template that it descends from. */
  forked_template: z.object({ id: z.string(), title: z.string(), icon_url: z.string().nullable() }).nullable(),
  privacy: privacySchema,
  v2: z.boolean(),
  is_frozen: z.boolean(),
  tags: z.array(z.string()),
  author: z
    .object({ id: z.string(), username: z.string(), name: z.string().nullable(), avatar_url: z.string().nullable() })
    .nullable(),
  view_count: z.number().int(),
  like_count: z.number().int(),
  fork_count: z.number().int(),
  screenshot_url: z.string().nullable(),
  inserted_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})
export type SmallSandboxAnswer = z.infer<typeof smallSandboxSchema>

/** A person as everybody may see them. */
export const profileAnswerSchema = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string().nullable(),
  avatar_url: z.string().nullable(),
  github_username: z.string().nullable(),
  bio: z.string().nullable(),
  social_links: z.array(z.string()),
  /** Of public sandboxes alone, as are the other numbers. */
  view_count: z.number().int(),
  sandbox_count: z.number().int(),
  template_count: z.number().int(),
  received_like_count: z.number().int(),
  given_like_count: z.number().int(),
  forked_count: z.number().int(),
  subscription_since: z.string().nullable(),
  showcased_sandbox_shortid: z.string().nullable(),
  badges: z.array(z.object({ id: z.string(), name: z.string(), visible: z.boolean() })),
  featured_sandboxes: z.array(smallSandboxSchema),
  personal_workspace_id: z.string(),
  /** Those that whoever asks is a member of, too. */
  teams: z.array(z.object({ id: z.string(), name: z.string(), avatar_url: z.string().nullable() })),
})
export type ProfileAnswer = z.infer<typeof profileAnswerSchema>

/** What someone shows at the top of their profile. Only their own public sandboxes. */
export const profileChangeSchema = z.object({
  user: z.object({
    showcased_sandbox_shortid: z.string().max(100).nullish(),
    featured_sandboxes: z.array(z.string().max(100)).max(20, 'At most 20 sandboxes.').optional(),
  }),
})
export type ProfileChange = z.infer<typeof profileChangeSchema>['user']
