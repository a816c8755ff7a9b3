import { z } from 'zod'

export const sessionsSchema = z.array(
  z.object({
    id: z.string(),
    kind: z.enum(['browser', 'bearer']),
    /** What a token is for. */
    label: z.string().nullable(),
    user_agent: z.string().nullable(),
    inserted_at: z.iso.datetime(),
    last_used_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    /** Whether it is the one that asks. */
    current: z.boolean(),
  }),
)
export type SessionsAnswer = z.infer<typeof sessionsSchema>

export const identitiesSchema = z.array(
  z.object({
    id: z.string(),
    provider: z.enum(['github', 'google', 'apple', 'oidc', 'saml', 'workos']),
    login: z.string(),
    inserted_at: z.iso.datetime(),
  }),
)
export type IdentitiesAnswer = z.infer<typeof identitiesSchema>

/** What a page reports when the session came to an error. */
export const sessionErrorBodySchema = z.object({ code: z.string().max(40), message: z.string().max(500) })

export const deviceCodeSchema = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.string(),
  expires_in: z.number(),
  interval: z.number(),
})

/** The code of a waiting program as a person types it. */
export const userCodeSchema = z
  .string()
  .max(20)
  .transform((code) => code.toUpperCase().replace(/[^A-Z]/g, ''))
