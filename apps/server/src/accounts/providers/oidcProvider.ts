import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  fetchUserInfo,
} from 'openid-client'
import type { ClientAuth, Configuration as OAuthConfiguration, CustomFetch } from 'openid-client'
import { z } from 'zod'
import { SignInRefused } from '../signInProvider.ts'
import type { SignInProvider } from '../signInProvider.ts'

export interface OidcProviderOptions {
  provider: 'google' | 'apple' | 'oidc'
  /** The address whose OpenID configuration is read. */
  issuer: string
  /** Whose subjects they are: the issuer itself, or the id of the connection of a workspace. */
  identityIssuer: string
  teamId: string | null
  clientId: string
  clientAuth: ClientAuth
  redirectUri: string
  scope: string
  /** Further parameters of the address people are sent to. */
  parameters?: Readonly<Record<string, string>>
  /** Whether an address counts only when the provider says that it was confirmed. */
  wantsConfirmedEmail: boolean
  fetch: CustomFetch
}

/** Some providers write booleans as texts. */
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')])
const claimsSchema = z.object({
  sub: z.string().min(1),
  email: z.string().optional(),
  email_verified: flag.optional(),
  name: z.string().optional(),
  preferred_username: z.string().optional(),
  picture: z.string().optional(),
})

/** Apple tells the name once, beside the code and not inside what it signs. */
const namePosted = z.object({
  name: z.object({ firstName: z.string().optional(), lastName: z.string().optional() }).optional(),
})

/** Sign-in at Google, Apple, or any provider of OpenID Connect. */
export function createOidcProvider(options: OidcProviderOptions): SignInProvider {
  let configured: Promise<OAuthConfiguration> | null = null

  function configuration(): Promise<OAuthConfiguration> {
    configured ??= discovery(new URL(options.issuer), options.clientId, undefined, options.clientAuth, {
      execute: options.issuer.startsWith('http:') ? [allowInsecureRequests] : [],
      [customFetch]: options.fetch,
    })
    configured.catch(() => (configured = null))
    return configured
  }

  async function told<T>(what: string, call: () => Promise<T>): Promise<T> {
    try {
      return await call()
    } catch (error) {
      throw error instanceof SignInRefused ? error : new SignInRefused(what, { cause: error })
    }
  }

  return {
    namesAreOurs: false,

    authorizationUrl: ({ state, codeVerifier, nonce }, { loginHint }) =>
      told('The provider can not be reached', async () =>
        buildAuthorizationUrl(await configuration(), {
          redirect_uri: options.redirectUri,
          scope: options.scope,
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
          ...(loginHint === undefined ? {} : { login_hint: loginHint }),
          ...options.parameters,
        }),
      ),

    identify: (callback, { state, codeVerifier, nonce }) =>
      told('The provider did not confirm the sign-in', async () => {
        const client = await configuration()
        const answer = await authorizationCodeGrant(client, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        })
        let claims = claimsSchema.parse(answer.claims())
        if (claims.email === undefined && client.serverMetadata().userinfo_endpoint !== undefined) {
          claims = claimsSchema.parse(await fetchUserInfo(client, answer.access_token, claims.sub))
        }
        const email = z.email().max(200).safeParse(claims.email)
        if (!email.success) throw new SignInRefused('The provider told no email address')
        const isConfirmed = options.wantsConfirmedEmail
          ? claims.email_verified === true
          : claims.email_verified !== false
        if (!isConfirmed) throw new SignInRefused('The email address is not confirmed at the provider')
        return {
          provider: options.provider,
          issuer: options.identityIssuer,
          subject: claims.sub,
          login: claims.preferred_username ?? email.data.split('@')[0]!,
          name: claims.name ?? postedName(callback) ?? null,
          email: email.data,
          avatarUrl: claims.picture?.startsWith('https://') ? claims.picture : null,
          scopes: [],
          administrator: false,
          teamId: options.teamId,
        }
      }),
  }
}

function postedName(callback: URL): string | undefined {
  const text = callback.searchParams.get('user')
  if (text === null) return undefined
  try {
    const { name } = namePosted.parse(JSON.parse(text))
    return [name?.firstName, name?.lastName].filter(Boolean).join(' ').slice(0, 100) || undefined
  } catch {
    // Only a suggestion for a field that the person fills in next.
    return undefined
  }
}
