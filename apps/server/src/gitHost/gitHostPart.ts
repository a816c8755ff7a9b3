import { gitHost } from '@boxyard/git-host'
import { SafeFetch } from '@boxyard/packer'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Configuration } from '../configuration.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { usesSecureCookies } from '../http/cookies.ts'
import { readSecret, writeSecret } from '../tokens/signingKey.ts'
import { createRepositoryStorage } from './drizzleRepositoryStorage.ts'
import { createGitHostStorage } from './drizzleStorage.ts'

export const GIT_HOST_PATH = '/_git'
export const LOCAL_CLIENT_ID = 'boxyard'

/** The secret that this server presents to its own git host, kept so that several instances share it. */
export function localClientSecret(configuration: Pick<Configuration, 'home'>): string {
  const path = join(configuration.home, 'keys', 'git-client.secret')
  return readSecret(path) ?? writeSecret(path, randomBytes(32).toString('base64url'))
}

/** Web address of the git host that this installation works with, without a trailing slash. */
export function gitHostUrl({ github, appOrigin }: Pick<Configuration, 'github' | 'appOrigin'>): string {
  return github?.url ?? `${appOrigin}${GIT_HOST_PATH}`
}

/** Serves the local git host, unless people sign in at another one. */
export async function registerGitHost(app: App, { configuration, database }: ServerContext): Promise<void> {
  if (configuration.github) return
  const outside = new SafeFetch({ trustedOrigins: [] })
  app.addHook('onClose', () => outside.close())
  await app.register(gitHost, {
    prefix: GIT_HOST_PATH,
    storage: createGitHostStorage(database),
    clients: [
      {
        id: LOCAL_CLIENT_ID,
        secret: localClientSecret(configuration),
        name: 'Boxyard',
        redirectUris: ['', '/repositories'].map((path) => `${configuration.appOrigin}/auth/github/callback${path}`),
      },
    ],
    hostName: 'Boxyard',
    publicUrl: `${configuration.appOrigin}${GIT_HOST_PATH}`,
    secureCookies: usesSecureCookies(configuration),
    signUp: configuration.signUp,
    repositories: {
      storage: createRepositoryStorage(database),
      folder: join(configuration.home, 'git'),
      sendWebhook: async (url, headers, body) => {
        // Our own host name may mean nothing on this machine, and its address is a private one.
        if (new URL(url).origin === configuration.appOrigin) {
          return (await app.inject({ method: 'POST', url, headers, payload: body })).statusCode
        }
        const answer = await outside.post(url, headers, body)
        await answer.body.resume()
        return answer.status
      },
    },
  })
}
