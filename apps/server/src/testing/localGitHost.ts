import type { TestBrowser } from './browser.ts'
import { gitToken } from './gitTokens.ts'
import type { TestServer } from './server.ts'

/** Lets the platform work with someone's repositories, as the button on the page of repositories does. */
export async function connectGitHost(browser: TestBrowser, scope: 'public_repos' | 'private_repos'): Promise<void> {
  const target = '/api/v1/users/current'
  const page = await browser.open(`/auth/github/connect?scope=${scope}&return_to=${target}`)
  const answer = page.text.includes('/login/oauth/authorize')
    ? await browser.submit(page, '/login/oauth/authorize')
    : page
  if (answer.url !== `${browser.origin}${target}`) throw new Error(`The account was not connected: ${answer.text}`)
}

/** Calls the REST API of the local git host as the owner of an account there. */
export async function callGitHost(
  server: TestServer,
  login: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const answer = await server.browser().request(`/_git/api/v3${path}`, {
    method,
    headers: {
      authorization: `Bearer ${await gitToken(server, login, ['repo'])}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  return answer.text === '' ? {} : (JSON.parse(answer.text) as Record<string, unknown>)
}
