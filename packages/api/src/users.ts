import { z } from 'zod'

export const usernameSchema = z
  .string()
  .min(2, 'Use at least 2 characters.')
  .max(39, 'Use at most 39 characters.')
  .regex(
    /^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?$/i,
    'Use letters, digits, dashes and underscores, with a letter or digit first and last.',
  )

/** Bodies are snake_case on the wire; clients turn their keys into camelCase. */
export const currentUserSchema = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  username: z.string(),
  avatar_url: z.string().nullable(),
  role: z.enum(['member', 'admin']),
  /** Of the personal workspace. The amount is in the smallest unit of the currency. */
  subscription: z
    .object({
      since: z.iso.datetime(),
      amount: z.number().int(),
      cancel_at_period_end: z.boolean(),
      plan: z.enum(['pro', 'patron']),
      duration: z.enum(['monthly', 'yearly']),
    })
    .nullable(),
  experiments: z.record(z.string(), z.boolean()),
  metadata: z.record(z.string(), z.string()),
  curator_at: z.string().nullable(),
  badges: z.array(z.object({ id: z.string(), name: z.string(), visible: z.boolean() })),
  beta_access: z.boolean(),
  provider: z.enum(['github', 'google', 'apple', 'oidc', 'saml', 'workos']),
  integrations: z.object({
    zeit: z.object({ token: z.string(), email: z.string().nullable() }).nullable(),
    github: z.object({ email: z.string() }).nullable(),
  }),
  send_survey: z.boolean(),
  deletion_requested: z.boolean(),
  inserted_at: z.iso.datetime(),
  github_profile: z.union([
    z.object({
      data: z.object({
        avatar_url: z.string().nullable(),
        id: z.string(),
        login: z.string(),
        name: z.string().nullable(),
        scopes: z.array(z.string()),
      }),
      error: z.null(),
    }),
    z.object({ data: z.null(), error: z.object({ code: z.string(), message: z.string() }) }),
  ]),
})
export type CurrentUserAnswer = z.infer<typeof currentUserSchema>

export const pendingUserSchema = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string().nullable(),
  avatar_url: z.string().nullable(),
})

export const finalizeBodySchema = z.object({
  /** The id that the sign-in window handed over. */
  id: z.uuid(),
  username: usernameSchema,
  name: z.string().trim().max(100).nullish(),
  /** What the person does, and what for. */
  role: z.string().trim().max(100).nullish(),
  usage: z.string().trim().max(100).nullish(),
  company_name: z.string().trim().max(100).nullish(),
  company_size: z.string().trim().max(100).nullish(),
})

export const featuresSchema = z.object({
  login_with_github: z.boolean(),
  login_with_google: z.boolean(),
  login_with_apple: z.boolean(),
  login_with_workos: z.boolean(),
  /** What to call the git host that "GitHub" stands for, or null when it is github.com. */
  git_host_name: z.string().nullable(),
  /** Whether anyone may sign in as anyone, and a token may stand in for a sign-in. */
  development: z.boolean(),
})

/** Wraps an answer the way clients of `/api/v1` unwrap it. */
export function dataOf<T extends z.ZodType>(schema: T) {
  return z.object({ data: schema })
}

/** The answers of a call that has nothing to say but that it was done. */
export const noContent = { 204: z.undefined().describe('Done') }
