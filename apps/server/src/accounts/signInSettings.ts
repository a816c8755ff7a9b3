import { z } from 'zod'
import { httpUrl, settingDocumentation } from '../settingDocumentation.ts'
import { settingsTogether } from '../settingsTogether.ts'

const text = z.string().min(1).optional()
const secretNext = (name: string) => `needed with ${name}`

/** The settings of the ways to sign in, beside the git host. */
export const signInEnvironment = {
  GOOGLE_CLIENT_ID: text.register(settingDocumentation, {
    description: 'The id of an OAuth client at Google. With it people can sign in with Google.',
    expected: 'the client id of an OAuth client',
    fallback: 'no sign-in with Google',
  }),
  GOOGLE_CLIENT_SECRET: text.register(settingDocumentation, {
    description: 'The secret of that client.',
    expected: 'the client secret of an OAuth client',
    fallback: secretNext('GOOGLE_CLIENT_ID'),
    secret: true,
  }),
  GOOGLE_ISSUER: httpUrl.default('https://accounts.google.com').register(settingDocumentation, {
    description: 'The address whose OpenID configuration is used for Google.',
    expected: 'an http or https address',
    fallback: 'https://accounts.google.com',
  }),
  APPLE_CLIENT_ID: text.register(settingDocumentation, {
    description: 'The services id at Apple. With it people can sign in with Apple.',
    expected: 'the identifier of a services id',
    fallback: 'no sign-in with Apple',
  }),
  APPLE_TEAM_ID: text.register(settingDocumentation, {
    description: 'The team that the services id belongs to.',
    expected: 'the id of a team at Apple',
    fallback: secretNext('APPLE_CLIENT_ID'),
  }),
  APPLE_KEY_ID: text.register(settingDocumentation, {
    description: 'The id of the key that signs for it.',
    expected: 'the id of a key at Apple',
    fallback: secretNext('APPLE_CLIENT_ID'),
  }),
  APPLE_PRIVATE_KEY: text.register(settingDocumentation, {
    description: 'That key. Line breaks may be written as `\\n`.',
    expected: 'a private key in PEM',
    fallback: secretNext('APPLE_CLIENT_ID'),
    secret: true,
  }),
  APPLE_ISSUER: httpUrl.default('https://appleid.apple.com').register(settingDocumentation, {
    description: 'The address whose OpenID configuration is used for Apple.',
    expected: 'an http or https address',
    fallback: 'https://appleid.apple.com',
  }),
  WORKOS_CLIENT_ID: text.register(settingDocumentation, {
    description:
      'The client id at WorkOS, or at a service that speaks like it. With it workspaces can use its organizations for single sign-on.',
    expected: 'the client id',
    fallback: 'workspaces use OpenID Connect or SAML of their own',
  }),
  WORKOS_API_KEY: text.register(settingDocumentation, {
    description: 'The API key that belongs to it.',
    expected: 'an API key',
    fallback: secretNext('WORKOS_CLIENT_ID'),
    secret: true,
  }),
  WORKOS_URL: httpUrl.default('https://api.workos.com').register(settingDocumentation, {
    description: 'The address of that service.',
    expected: 'an http or https address',
    fallback: 'https://api.workos.com',
  }),
  BOXYARD_SSO_ONLY: z.enum(['true', 'false']).default('false').register(settingDocumentation, {
    description:
      'Whether people sign in by the single sign-on of their workspaces and in no other way. Set up a workspace and try its sign-in first; BOXYARD_ADMIN_TOKEN works all the same.',
    expected: 'true or false',
    fallback: 'false',
  }),
  BOXYARD_SSO_ORIGINS: z
    .string()
    .transform((value) => value.split(/[\s,]+/).filter((origin) => origin !== ''))
    .pipe(z.array(z.url({ protocol: /^https?$/ })))
    .optional()
    .register(settingDocumentation, {
      description:
        'Origins of identity providers on the intranet that workspaces may use. Any other one has to be https on a public address.',
      expected: 'http or https addresses, separated by commas',
      fallback: 'none',
    }),
  BOXYARD_SIGN_IN_LIMIT: z.coerce.number().int().min(1).default(30).register(settingDocumentation, {
    description: 'How many sign-ins may begin in a minute from one address. Raise it where many people share one.',
    expected: 'a whole number, at least 1',
    fallback: '30',
  }),
}

export interface OAuthClientSettings {
  clientId: string
  clientSecret: string
  issuer: string
}

export interface AppleSettings {
  clientId: string
  teamId: string
  keyId: string
  privateKey: string
  issuer: string
}

export interface WorkosSettings {
  clientId: string
  apiKey: string
  url: string
}

export interface SignInSettings {
  google: OAuthClientSettings | undefined
  apple: AppleSettings | undefined
  workos: WorkosSettings | undefined
  ssoOnly: boolean
  ssoOrigins: readonly string[]
  /** Beginnings a minute and address. */
  limit: number
}

type SignInEnvironment = z.output<z.ZodObject<typeof signInEnvironment>>

/** Reads them together. What is wrong is added to `problems`. */
export function readSignInSettings(env: SignInEnvironment, problems: string[]): SignInSettings {
  const groups = [
    ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
    ['APPLE_CLIENT_ID', 'APPLE_TEAM_ID', 'APPLE_KEY_ID', 'APPLE_PRIVATE_KEY'],
    ['WORKOS_CLIENT_ID', 'WORKOS_API_KEY'],
  ] as const
  for (const names of groups) settingsTogether(env, names, problems)
  return {
    google:
      env.GOOGLE_CLIENT_ID && env.GOOGLE_CLIENT_SECRET
        ? { clientId: env.GOOGLE_CLIENT_ID, clientSecret: env.GOOGLE_CLIENT_SECRET, issuer: env.GOOGLE_ISSUER }
        : undefined,
    apple:
      env.APPLE_CLIENT_ID && env.APPLE_TEAM_ID && env.APPLE_KEY_ID && env.APPLE_PRIVATE_KEY
        ? {
            clientId: env.APPLE_CLIENT_ID,
            teamId: env.APPLE_TEAM_ID,
            keyId: env.APPLE_KEY_ID,
            privateKey: env.APPLE_PRIVATE_KEY.replaceAll('\\n', '\n'),
            issuer: env.APPLE_ISSUER,
          }
        : undefined,
    workos:
      env.WORKOS_CLIENT_ID && env.WORKOS_API_KEY
        ? { clientId: env.WORKOS_CLIENT_ID, apiKey: env.WORKOS_API_KEY, url: env.WORKOS_URL }
        : undefined,
    ssoOnly: env.BOXYARD_SSO_ONLY === 'true',
    ssoOrigins: (env.BOXYARD_SSO_ORIGINS ?? []).map((url) => new URL(url).origin),
    limit: env.BOXYARD_SIGN_IN_LIMIT,
  }
}
