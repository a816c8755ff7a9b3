import { z } from 'zod'
import { GitHostError } from './errors.ts'

/** A program that people sign in to with their account here. */
export interface OAuthClient {
  id: string
  secret: string
  name: string
  /** Compared as a whole. */
  redirectUris: readonly string[]
}

const querySchema = z.object({
  client_id: z.string(),
  redirect_uri: z.string().optional(),
  scope: z.string().max(500).default(''),
  state: z.string().max(500).optional(),
  code_challenge: z.string().max(200).optional(),
  code_challenge_method: z.literal('S256').optional(),
})

export interface AuthorizationRequest {
  client: OAuthClient
  redirectUri: string
  scopes: string[]
  state: string | undefined
  codeChallenge: string | null
}

/** Checks a request for sign-in. Until client and address are known to belong together, nobody is redirected anywhere. */
export function readAuthorizationRequest(query: unknown, clients: readonly OAuthClient[]): AuthorizationRequest {
  const parsed = querySchema.safeParse(query)
  const client = parsed.success ? clients.find(({ id }) => id === parsed.data.client_id) : undefined
  if (!parsed.success || !client) throw new GitHostError('UNKNOWN_CLIENT')
  const redirectUri = parsed.data.redirect_uri ?? client.redirectUris[0]!
  if (!client.redirectUris.includes(redirectUri)) throw new GitHostError('WRONG_REDIRECT')
  return {
    client,
    redirectUri,
    scopes: [...new Set(parsed.data.scope.split(/[\s,]+/).filter((scope) => scope !== ''))],
    state: parsed.data.state,
    codeChallenge: parsed.data.code_challenge ?? null,
  }
}
