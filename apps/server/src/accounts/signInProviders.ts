import type { SsoSettings } from '@boxyard/api'
import { PackerError, SafeFetch } from '@boxyard/packer'
import { buffer } from 'node:stream/consumers'
import { ClientSecretPost } from 'openid-client'
import type { CustomFetch } from 'openid-client'
import type { ServerContext } from '../context.ts'
import { appleClientAuth } from './providers/appleClientAuth.ts'
import { createOidcProvider } from './providers/oidcProvider.ts'
import { createSamlProvider } from './providers/samlProvider.ts'
import type { SamlProviderOptions } from './providers/samlProvider.ts'
import { createWorkosProvider } from './providers/workosProvider.ts'
import type { SignInProvider } from './signInProvider.ts'
import { clientSecretOf, findConnection } from './sso/ssoConnections.ts'
import type { SsoConnection } from './sso/ssoConnections.ts'

export const popupProviders = ['github', 'google', 'apple'] as const
export type PopupProvider = (typeof popupProviders)[number]

/** Every place where people of this server can prove who they are, by the route of its sign-in. */
export class SignInProviders {
  readonly #context: Pick<ServerContext, 'configuration' | 'database' | 'sealer'>
  readonly #popups: ReadonlyMap<string, SignInProvider>
  readonly #safeFetch: SafeFetch

  constructor(context: Pick<ServerContext, 'configuration' | 'database' | 'sealer'>, gitHost: SignInProvider) {
    this.#context = context
    const { signIn } = context.configuration
    this.#safeFetch = new SafeFetch({ trustedOrigins: signIn.ssoOrigins })
    this.#popups = signIn.ssoOnly ? new Map() : this.#createPopups(gitHost)
  }

  has(popup: PopupProvider): boolean {
    return this.#popups.has(popup)
  }

  /** `route` is `github`, `google`, `apple`, or `sso/` and the id of a connection. Null when people do not sign in there. */
  async find(route: string): Promise<SignInProvider | null> {
    const popup = this.#popups.get(route)
    if (popup || !route.startsWith('sso/')) return popup ?? null
    const connection = await findConnection(this.#context.database, route.slice('sso/'.length))
    return connection && this.#ofConnection(connection)
  }

  /** Why these settings can not work here, in words, or null. */
  problemOf(settings: SsoSettings): string | null {
    const { signIn } = this.#context.configuration
    if (settings.kind === 'workos' && !signIn.workos) {
      return 'This server has no WorkOS client. Whoever runs it can set WORKOS_CLIENT_ID.'
    }
    if (settings.kind !== 'oidc') return null
    return this.#isAllowed(settings.issuer) ? null : 'The issuer has to be an https address.'
  }

  ssoCallback(connectionId: string): string {
    return `${this.#context.configuration.appOrigin}/auth/sso/${connectionId}/callback`
  }

  ssoMetadata(connectionId: string): string {
    return `${this.#context.configuration.appOrigin}/auth/sso/${connectionId}/metadata`
  }

  samlSettings({ id, teamId, settings }: SsoConnection): SamlProviderOptions | null {
    if (settings.kind !== 'saml') return null
    return {
      entryPoint: settings.entry_point,
      idpEntityId: settings.entity_id,
      // A form may have lost the line breaks that PEM needs.
      certificate: settings.certificate.replace(/-----[A-Z ]+-----|\s/g, ''),
      entityId: this.ssoMetadata(id),
      identityIssuer: id,
      teamId,
      redirectUri: this.ssoCallback(id),
    }
  }

  close(): Promise<void> {
    return this.#safeFetch.close()
  }

  #createPopups(gitHost: SignInProvider): ReadonlyMap<string, SignInProvider> {
    const { appOrigin, signIn } = this.#context.configuration
    const popups = new Map<string, SignInProvider>([['github', gitHost]])
    const common = { teamId: null, wantsConfirmedEmail: true, fetch: fetch as CustomFetch }
    if (signIn.google) {
      const { issuer, clientId, clientSecret } = signIn.google
      popups.set(
        'google',
        createOidcProvider({
          ...common,
          provider: 'google',
          issuer,
          identityIssuer: issuer,
          clientId,
          clientAuth: ClientSecretPost(clientSecret),
          redirectUri: `${appOrigin}/auth/google/callback`,
          scope: 'openid email profile',
        }),
      )
    }
    if (signIn.apple) {
      const { issuer, clientId } = signIn.apple
      popups.set(
        'apple',
        createOidcProvider({
          ...common,
          provider: 'apple',
          issuer,
          identityIssuer: issuer,
          clientId,
          clientAuth: appleClientAuth(signIn.apple),
          redirectUri: `${appOrigin}/auth/apple/callback`,
          scope: 'openid name email',
          // Apple answers a request for the name only by a post.
          parameters: { response_mode: 'form_post' },
        }),
      )
    }
    return popups
  }

  #ofConnection(connection: SsoConnection): SignInProvider | null {
    const { id, teamId, settings } = connection
    const { signIn } = this.#context.configuration
    const saml = this.samlSettings(connection)
    if (saml) return createSamlProvider(saml)
    const common = { identityIssuer: id, teamId, redirectUri: this.ssoCallback(id) }
    if (settings.kind === 'workos') {
      if (!signIn.workos) return null
      return createWorkosProvider({ ...common, ...signIn.workos, organization: settings.organization })
    }
    if (settings.kind !== 'oidc') return null
    return createOidcProvider({
      ...common,
      provider: 'oidc',
      issuer: settings.issuer,
      clientId: settings.client_id,
      clientAuth: ClientSecretPost(clientSecretOf(connection, this.#context.sealer)),
      scope: 'openid email profile',
      wantsConfirmedEmail: false,
      fetch: (url, init) => this.#fetchFromStranger(url, init),
    })
  }

  /** A workspace chose the address, so it is a stranger's. */
  async #fetchFromStranger(url: string, init: Parameters<CustomFetch>[1]): Promise<Response> {
    if (!this.#isAllowed(url)) throw new PackerError('NOT_ALLOWED', url)
    const { status, headers, body } =
      init.method === 'POST'
        ? await this.#safeFetch.post(url, init.headers, String(init.body))
        : await this.#safeFetch.fetch(url, init.headers)
    const text = await limited(body)
    const pairs = Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one) => [name, one] as [string, string]),
    )
    return new Response(status === 204 ? null : new Uint8Array(text), { status, headers: pairs })
  }

  /** Metadata may name further addresses; they follow the same rule as the issuer. */
  #isAllowed(url: string): boolean {
    const { protocol, origin } = new URL(url)
    return protocol === 'https:' || this.#context.configuration.signIn.ssoOrigins.includes(origin)
  }
}

const MOST_BYTES = 1024 * 1024

async function limited(body: NodeJS.ReadableStream): Promise<Buffer> {
  let size = 0
  const counted = (async function* () {
    for await (const chunk of body) {
      size += chunk.length
      if (size > MOST_BYTES) throw new PackerError('UPSTREAM', 'the answer is too long')
      yield chunk as Buffer
    }
  })()
  return buffer(counted)
}
