import type { ServerContext } from '../context.ts'
import { GIT_HOST_PATH, LOCAL_CLIENT_ID, localClientSecret } from '../gitHost/gitHostPart.ts'
import type { App } from '../http/app.ts'
import { createGitHubProvider } from './githubProvider.ts'
import type { Transport } from './githubProvider.ts'
import { registerPeople } from './peopleRoutes.ts'
import { registerSession } from './session.ts'
import { registerSignIn } from './signIn.ts'

export { registerAuthentication, userOf } from './authentication.ts'
export { hasNoUsers } from './users.ts'
export type { User } from './users.ts'

/** Routes of accounts and sign-in. Authentication has to be registered before. */
export function registerAccounts(app: App, context: ServerContext): void {
  const { configuration } = context
  const redirectUri = `${configuration.appOrigin}/auth/github/callback`
  const provider = configuration.github
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
        transport: insideTransport(app),
      })
  registerPeople(app, context)
  registerSession(app, context)
  registerSignIn(app, context, provider)
}

/** Reaches this server's own routes without a network: its host name may mean nothing on the server itself. */
function insideTransport(app: App): Transport {
  return async (url, { method, headers, body }) => {
    const answer = await app.inject({
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      headers,
      ...(body === undefined ? {} : { payload: body }),
    })
    const answerHeaders = Object.entries(answer.headers).map(
      ([name, value]) => [name, String(value)] as [string, string],
    )
    return new Response(answer.body, { status: answer.statusCode, headers: answerHeaders })
  }
}
