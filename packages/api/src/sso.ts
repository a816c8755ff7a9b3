import { z } from 'zod'

const httpsUrl = z.url({ protocol: /^https?$/ }).max(1000)

/** What a workspace says about its identity provider. The client secret is kept apart, encrypted. */
export const ssoSettingsSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('oidc'), issuer: httpsUrl, client_id: z.string().min(1).max(300) }),
  z.object({
    kind: z.literal('saml'),
    /** Where its sign-in page is. */
    entry_point: httpsUrl,
    /** How it calls itself. */
    entity_id: z.string().min(1).max(1000),
    /** PEM, or the base64 of its metadata. */
    certificate: z
      .string()
      .max(20_000)
      .regex(/^(?:-----BEGIN CERTIFICATE-----)?[A-Za-z0-9+/=\s]+(?:-----END CERTIFICATE-----)?\s*$/, {
        message: 'This is not a certificate.',
      }),
  }),
  z.object({ kind: z.literal('workos'), organization: z.string().min(1).max(200) }),
])
export type SsoSettings = z.infer<typeof ssoSettingsSchema>

export const ssoBodySchema = z.object({
  settings: ssoSettingsSchema,
  /** For OpenID Connect. When it is left out the present one stays. */
  client_secret: z.string().min(1).max(1000).optional(),
  /** Whether people with an address of the workspace's verified domains may sign in no other way. */
  enforced: z.boolean().default(false),
})

export const ssoDomainBodySchema = z.object({
  domain: z
    .string()
    .trim()
    .toLowerCase()
    .max(253)
    .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/, 'This is not a domain.'),
})

export const ssoSchema = z.object({
  connection: z
    .object({
      id: z.string(),
      settings: ssoSettingsSchema,
      has_client_secret: z.boolean(),
      enforced: z.boolean(),
      /** What the identity provider is to send people back to. */
      callback_url: z.string(),
      metadata_url: z.string().nullable(),
    })
    .nullable(),
  domains: z.array(
    z.object({
      id: z.string(),
      domain: z.string(),
      /** The TXT record that proves it. */
      record_name: z.string(),
      record_value: z.string(),
      verified_at: z.iso.datetime().nullable(),
    }),
  ),
})
export type SsoAnswer = z.infer<typeof ssoSchema>
