import { z } from 'zod'
import { SignInRefused } from '../signInProvider.ts'
import type { SignInProvider } from '../signInProvider.ts'
import type { WorkosSettings } from '../signInSettings.ts'

export interface WorkosProviderOptions extends WorkosSettings {
  organization: string
  identityIssuer: string
  teamId: string
  redirectUri: string
}

const answerSchema = z.object({
  profile: z.object({
    id: z.string().min(1),
    organization_id: z.string().nullish(),
    email: z.email().max(200),
    first_name: z.string().nullish(),
    last_name: z.string().nullish(),
  }),
})

/** Single sign-on by WorkOS, or by a service that answers the same two calls. */
export function createWorkosProvider(options: WorkosProviderOptions): SignInProvider {
  return {
    namesAreOurs: false,

    async authorizationUrl({ state }, { loginHint }) {
      const url = new URL(`${options.url}/sso/authorize`)
      url.search = new URLSearchParams({
        client_id: options.clientId,
        organization: options.organization,
        redirect_uri: options.redirectUri,
        response_type: 'code',
        state,
        ...(loginHint === undefined ? {} : { login_hint: loginHint }),
      }).toString()
      return url
    },

    async identify(callback) {
      const code = callback.searchParams.get('code')
      if (code === null) throw new SignInRefused(callback.searchParams.get('error') ?? 'There is no code')
      const { profile } = await exchange(code)
      // The code of another organization of the same client must not open this workspace.
      if (profile.organization_id !== options.organization) throw new SignInRefused('This is another organization')
      const name = [profile.first_name, profile.last_name].filter(Boolean).join(' ')
      return {
        provider: 'workos',
        issuer: options.identityIssuer,
        subject: profile.id,
        login: profile.email.split('@')[0]!,
        name: name === '' ? null : name,
        email: profile.email,
        avatarUrl: null,
        scopes: [],
        administrator: false,
        teamId: options.teamId,
      }
    },
  }

  async function exchange(code: string) {
    const { clientId, apiKey, url } = options
    try {
      const response = await fetch(`${url}/sso/token`, {
        method: 'POST',
        headers: { accept: 'application/json' },
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: clientId,
          client_secret: apiKey,
          code,
        }),
      })
      if (!response.ok) throw new SignInRefused(`The service answered ${response.status}`)
      return answerSchema.parse(await response.json())
    } catch (error) {
      throw error instanceof SignInRefused
        ? error
        : new SignInRefused('The service did not confirm the sign-in', { cause: error })
    }
  }
}
