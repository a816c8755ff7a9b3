import { ApiError } from '@boxyard/api'
import { createOctokitGitHost, GitHostFailure } from '@boxyard/git-host'
import type { GitHost, GitHostFailureCode, RepositoryName } from '@boxyard/git-host'
import { gitHostUrl, LOCAL_CLIENT_ID, localClientSecret } from '../gitHost/gitHostPart.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { insideFetch } from '../http/insideFetch.ts'
import { findCredential, openToken } from './gitCredentials.ts'
import type { GitCredential } from './gitCredentials.ts'

const apiCodes = {
  SIGN_IN_NEEDED: 'GIT_HOST_NOT_CONNECTED',
  SCOPE_MISSING: 'GIT_HOST_SCOPE_MISSING',
  FORBIDDEN: 'GIT_HOST_FORBIDDEN',
  NOT_FOUND: 'NOT_FOUND',
  CONFLICT: 'GIT_HOST_CONFLICT',
  REFUSED: 'GIT_HOST_REFUSED',
  RATE_LIMITED: 'RATE_LIMITED',
  UNREACHABLE: 'GIT_HOST_UNREACHABLE',
} as const satisfies Record<GitHostFailureCode, string>

/** What a failure at the git host is called in our API; its own words and the missing scopes are in the message. */
export function asApiError(error: unknown): unknown {
  if (!(error instanceof GitHostFailure)) return error
  const scopes = error.scopes.length === 0 ? '' : ` It needs the scope ${error.scopes.join(' or ')}.`
  const detail = error.code === 'NOT_FOUND' ? error.message : `${error.message}: ${error.detail ?? ''}${scopes}`
  return new ApiError(apiCodes[error.code], { detail, cause: error })
}

export type AppInstallations = (repository: RepositoryName) => boolean

/** The git host of this installation, as each person sees it. */
export class GitHosts {
  /** Web address without a trailing slash. */
  readonly url: string
  readonly isLocal: boolean
  readonly clientId: string
  readonly clientSecret: string
  readonly fetch: typeof fetch
  readonly #apiUrl: string
  readonly #context: ServerContext

  constructor(app: App, context: ServerContext) {
    const { github } = context.configuration
    this.#context = context
    this.isLocal = github === undefined
    this.url = gitHostUrl(context.configuration)
    this.#apiUrl = github?.apiUrl ?? `${this.url}/api/v3`
    this.clientId = github?.clientId ?? LOCAL_CLIENT_ID
    this.clientSecret = github?.clientSecret ?? localClientSecret(context.configuration)
    this.fetch = github ? fetch : insideFetch(app)
  }

  withToken(token: string | null): GitHost {
    const host = createOctokitGitHost({ apiUrl: this.#apiUrl, token, fetch: this.fetch })
    return translating(host)
  }

  /** The host as someone, or as nobody for who is not connected. */
  async asOptional(user: { id: string } | null): Promise<GitHost> {
    const credential = user && (await findCredential(this.#context.database, user.id))
    return this.withToken(credential ? openToken(this.#context.sealer, credential) : null)
  }

  /** The host as someone. Throws GIT_HOST_NOT_CONNECTED for who did not allow it yet. */
  async as(user: { id: string }): Promise<GitHost> {
    return this.withToken((await this.credentialOf(user)).token)
  }

  /**
   * Tells for which repositories of these owners the platform's app is installed. The local host needs none, and neither does one where people
   * sign in without an app: nothing is missing there.
   */
  async appInstallations(host: GitHost, repositories: readonly RepositoryName[]): Promise<AppInstallations> {
    const everywhere = () => true
    if (this.isLocal || repositories.length === 0) return everywhere
    return (await host.appInstallations([...new Set(repositories.map(({ owner }) => owner))])) ?? everywhere
  }

  async credentialOf(user: { id: string }): Promise<{ credential: GitCredential; token: string }> {
    const credential = await findCredential(this.#context.database, user.id)
    if (!credential || credential.issuer !== this.url) throw new ApiError('GIT_HOST_NOT_CONNECTED')
    return { credential, token: openToken(this.#context.sealer, credential) }
  }
}

/** The same host, whose failures are errors of our API. */
function translating(host: GitHost): GitHost {
  return new Proxy(host, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return (...args: unknown[]) =>
        (method as (...args: unknown[]) => Promise<unknown>)(...args).catch((error: unknown) => {
          throw asApiError(error)
        })
    },
  })
}
