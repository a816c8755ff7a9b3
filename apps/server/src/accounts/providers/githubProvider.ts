import {
  allowInsecureRequests,
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientError,
  ClientSecretPost,
  Configuration as OAuthConfiguration,
  customFetch,
  ResponseBodyError,
} from 'openid-client'
import { z } from 'zod'
import { SignInRefused } from '../signInProvider.ts'
import type { SignInProvider } from '../signInProvider.ts'

/** The part of `fetch` that signing in needs; the local git host is reached without a network. */
export type Transport = (url: string, init: TransportRequest) => Promise<Response>
export interface TransportRequest {
  method: string
  headers: Record<string, string>
  body?: string
}

export interface GitHubProviderOptions {
  /** Web address of the git host, without a trailing slash. */
  url: string
  apiUrl: string
  clientId: string
  clientSecret: string
  redirectUri: string
  /** Whether its site administrators administer this server too. */
  trustsAdministrators: boolean
  /** Whether people chose their user names for this server. */
  namesAreOurs: boolean
  transport: Transport
}

const userSchema = z.object({
  id: z.number().int(),
  login: z.string(),
  name: z.string().nullish(),
  avatar_url: z.string(),
  site_admin: z.boolean().default(false),
})
const emailsSchema = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

/** Sign-in at GitHub, at a GitHub Enterprise Server or at the local git host, which speak the same. */
export function createGitHubProvider(options: GitHubProviderOptions): SignInProvider {
  const { url, apiUrl } = options
  const transport: Transport = async (target, init) => {
    try {
      return await options.transport(target, init)
    } catch (error) {
      throw new SignInRefused('The git host does not answer', { cause: error })
    }
  }
  const configuration = new OAuthConfiguration(
    {
      issuer: url,
      authorization_endpoint: `${url}/login/oauth/authorize`,
      token_endpoint: `${url}/login/oauth/access_token`,
    },
    options.clientId,
    { client_secret: options.clientSecret },
    ClientSecretPost(options.clientSecret),
  )
  // Without this header the token comes as a form.
  configuration[customFetch] = (target, init) =>
    transport(target, {
      method: init.method,
      headers: { ...init.headers, accept: 'application/json' },
      ...(init.body === undefined || init.body === null ? {} : { body: String(init.body) }),
    })
  if (url.startsWith('http:')) allowInsecureRequests(configuration)

  async function call<T>(path: string, token: string, schema: z.ZodType<T>): Promise<{ body: T; scopes: string[] }> {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json', 'user-agent': 'boxyard' }
    const response = await transport(`${apiUrl}${path}`, { method: 'GET', headers })
    if (!response.ok) throw new SignInRefused(`The git host answered ${response.status} to ${path}`)
    const parsed = schema.safeParse(await response.json().catch(() => undefined))
    if (!parsed.success)
      throw new SignInRefused(`The git host answered something unexpected to ${path}`, { cause: parsed.error })
    const scopes = (response.headers.get('x-oauth-scopes') ?? '').split(/[\s,]+/).filter((scope) => scope !== '')
    return { body: parsed.data, scopes }
  }

  return {
    namesAreOurs: options.namesAreOurs,

    async authorizationUrl({ state, codeVerifier }, { scopes }) {
      return buildAuthorizationUrl(configuration, {
        redirect_uri: options.redirectUri,
        scope: scopes.join(' '),
        state,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      })
    },

    async identify(callback, { state, codeVerifier }) {
      const token = await exchange(callback, state, codeVerifier)
      const { body: user, scopes } = await call('/user', token, userSchema)
      const { body: emails } = await call('/user/emails', token, emailsSchema)
      const email = emails.find(({ primary }) => primary)?.email ?? emails[0]?.email
      if (email === undefined) throw new SignInRefused('The account at the git host has no email address')
      return {
        provider: 'github',
        issuer: url,
        subject: String(user.id),
        login: user.login,
        name: user.name ?? null,
        email,
        avatarUrl: user.avatar_url,
        scopes,
        administrator: options.trustsAdministrators && user.site_admin,
        teamId: null,
      }
    },
  }

  async function exchange(callback: URL, expectedState: string, pkceCodeVerifier: string): Promise<string> {
    try {
      const answer = await authorizationCodeGrant(configuration, callback, { expectedState, pkceCodeVerifier })
      return answer.access_token
    } catch (error) {
      if (error instanceof AuthorizationResponseError)
        throw new SignInRefused(error.error_description ?? error.error, { cause: error })
      if (error instanceof ResponseBodyError || error instanceof ClientError) {
        throw new SignInRefused('The git host did not accept the sign-in', { cause: error })
      }
      throw error
    }
  }
}
