import type { ServerContext } from '../context.ts'
import { GIT_HOST_PATH, LOCAL_CLIENT_ID, localClientSecret } from '../gitHost/gitHostPart.ts'
import type { App } from '../http/app.ts'
import { insideFetch } from '../http/insideFetch.ts'
import { registerCommandLine } from './commandLine.ts'
import { registerDevelopmentSignIn } from './developmentSignIn.ts'
import { registerPeople } from './peopleRoutes.ts'
import { createGitHubProvider } from './providers/githubProvider.ts'
import { registerSession } from './session.ts'
import { registerSignIn } from './signIn.ts'
import { SignInProviders } from './signInProviders.ts'
import type { ResolveTxt } from './sso/ssoConnections.ts'
import { registerSso } from './sso/ssoRoutes.ts'

export { holderOf, registerAuthentication, userOf } from './authentication.ts'
export { findTokenHolder } from './findTokenHolder.ts'
export { SessionSockets } from './sessionSockets.ts'
export type { ResolveTxt } from './sso/ssoConnections.ts'
export { hasNoUsers } from './users.ts'
export type { User } from './users.ts'

/** Routes of accounts and sign-in. Authentication has to be registered before. */
export function registerAccounts(app: App, context: ServerContext, resolveTxt: ResolveTxt): void {
  const { configuration } = context
  const redirectUri = `${configuration.appOrigin}/auth/github/callback`
  const gitHost = configuration.github
    ? createGitHubProvider({
        ...configuration.github,
        redirectUri,
        trustsAdministrators: false,
        namesAreOurs: false,
        transport: fetch,
      })
    : createGitHubProvider({
        url: `${configuration.appOrigin}${GIT_HOST_PATH}`,
        apiUrl: `${configuration.appOrigin}${GIT_HOST_PATH}/api/v3`,
        clientId: LOCAL_CLIENT_ID,
        clientSecret: localClientSecret(configuration),
        redirectUri,
        trustsAdministrators: true,
        namesAreOurs: true,
        transport: insideFetch(app),
      })
  const providers = new SignInProviders(context, gitHost)
  app.addHook('onClose', () => providers.close())
  registerPeople(app, context)
  registerSession(app, context, providers)
  registerSignIn(app, context, providers)
  registerSso(app, context, { providers, resolveTxt })
  registerCommandLine(app, context)
  registerDevelopmentSignIn(app, context)
}
