import type { ProviderIdentity } from './users.ts'

/** What ties the callback of a sign-in to its beginning. */
export interface SignInSecrets {
  state: string
  /** PKCE code verifier. */
  codeVerifier: string
  /** Comes back inside what the provider signs. */
  nonce: string
}

/** A sign-in that the provider or the person ended without a result. */
export class SignInRefused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SignInRefused'
  }
}

export interface SignInWishes {
  /** What the app wants to do at a git host. Other providers ignore it. */
  scopes: readonly string[]
  /** The address that the person typed. */
  loginHint?: string | undefined
}

/** A place where people prove who they are. */
export interface SignInProvider {
  /** Whether its user names were chosen for this server. Whoever is new then keeps the name and is not asked for one again. */
  namesAreOurs: boolean
  /** Where to send the browser. Throws SignInRefused when the provider can not be reached. */
  authorizationUrl(secrets: SignInSecrets, wishes: SignInWishes): Promise<URL>
  /** Turns the address of the callback, with all that came back in its query, into who it is. Throws SignInRefused. */
  identify(callback: URL, secrets: SignInSecrets): Promise<ProviderIdentity>
}
