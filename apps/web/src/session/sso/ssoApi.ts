import { z } from 'zod'

const settingsSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('oidc'), issuer: z.string(), clientId: z.string() }),
  z.object({ kind: z.literal('saml'), entryPoint: z.string(), entityId: z.string(), certificate: z.string() }),
  z.object({ kind: z.literal('workos'), organization: z.string() }),
])
export type SsoSettings = z.output<typeof settingsSchema>

export const ssoSchema = z.object({
  connection: z
    .object({
      settings: settingsSchema,
      hasClientSecret: z.boolean(),
      enforced: z.boolean(),
      callbackUrl: z.string(),
      metadataUrl: z.string().nullable(),
    })
    .nullable(),
  domains: z.array(
    z.object({
      id: z.string(),
      domain: z.string(),
      recordName: z.string(),
      recordValue: z.string(),
      verifiedAt: z.string().nullable(),
    }),
  ),
})
export type Sso = z.output<typeof ssoSchema>
export type SsoDomain = Sso['domains'][number]

export interface SsoChange {
  settings: SsoSettings
  clientSecret?: string
  enforced: boolean
}

/** What each kind of provider is asked for, in the order of its form. */
export const settingFields: Readonly<Record<SsoSettings['kind'], readonly { name: string; label: string }[]>> = {
  oidc: [
    { name: 'issuer', label: 'Issuer' },
    { name: 'clientId', label: 'Client id' },
  ],
  saml: [
    { name: 'entryPoint', label: 'Address of its sign-in page' },
    { name: 'entityId', label: 'Entity id' },
    { name: 'certificate', label: 'Certificate' },
  ],
  workos: [{ name: 'organization', label: 'Organization' }],
}

export const kindNames: readonly { value: SsoSettings['kind']; label: string }[] = [
  { value: 'oidc', label: 'OpenID Connect' },
  { value: 'saml', label: 'SAML 2.0' },
  { value: 'workos', label: 'WorkOS' },
]
