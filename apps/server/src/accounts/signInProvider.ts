import type { ProviderIdentity } from './users.ts'

/** What ties the callback of a sign-in to its beginning. */
export interface SignInSecrets {
  state: string
  /** PKCE code verifier. */
  codeVerifier: string
}

/** A sign-in that the provider or the person ended without a result. */
export class SignInRefused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SignInRefused'
  }
}

/** A place where people prove who they are. */
export interface SignInProvider {
  /** Whether its user names were chosen for this server. Whoever is new then keeps the name and is not asked for one again. */
  namesAreOurs: boolean
  /** Where to send the browser. */
  authorizationUrl(secrets: SignInSecrets, scopes: readonly string[]): Promise<URL>
  /** Turns the address of the callback into who it is. Throws SignInRefused. */
  identify(callback: URL, secrets: SignInSecrets): Promise<ProviderIdentity>
}
