import { gitHost } from '@boxyard/git-host'
import fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGitHostStorage } from '../gitHost/drizzleStorage.ts'
import { TestBrowser } from '../testing/browser.ts'
import { createTestDatabase } from '../testing/database.ts'
import type { TestDatabase } from '../testing/database.ts'
import { freePort, startTestServer, TEST_PASSWORD } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'

const client = { id: 'some-app', secret: 'its-secret', name: 'Boxyard' }

let server: TestServer
let elsewhere: FastifyInstance
let accounts: TestDatabase
let elsewhereOrigin: string
let elsewherePort: number

beforeAll(async () => {
  elsewherePort = await freePort()
  elsewhereOrigin = `http://127.0.0.1:${elsewherePort}`
  server = await startTestServer({
    GITHUB_CLIENT_ID: client.id,
    GITHUB_CLIENT_SECRET: client.secret,
    GITHUB_URL: `${elsewhereOrigin}/ghes`,
  })
  accounts = await createTestDatabase()
  elsewhere = fastify()
  await elsewhere.register(gitHost, {
    prefix: '/ghes',
    storage: createGitHostStorage(accounts.database),
    clients: [{ ...client, redirectUris: [`${server.origin}/auth/github/callback`] }],
    hostName: 'Elsewhere',
    publicUrl: `${elsewhereOrigin}/ghes`,
    secureCookies: false,
    signUp: 'open',
  })
  await elsewhere.listen({ port: elsewherePort, host: '127.0.0.1' })
})
afterAll(async () => {
  await server.close()
  await elsewhere.close()
  await accounts.drop()
})

/** Signs up at the other git host and comes back with the answer of our callback. */
async function signInElsewhere(browser: TestBrowser, login: string) {
  const begun = await browser.request('/auth/github?version=2')
  const there = new TestBrowser(elsewhereOrigin, elsewherePort)
  const page = await there.open(begun.headers.location!)
  const join = page.url.includes('/join')
    ? page
    : await there.open(/<a href="([^"]*\/join\?[^"]*)"/.exec(page.text)![1]!)
  const fields = { login, email: `${login}@example.test`, password: TEST_PASSWORD }
  const granted = await there.submit(join, '/join', fields)
  return browser.open(granted.headers.location!)
}

describe('sign-in at another git host', () => {
  it('makes the very first user the administrator, and no administrator of that host after', async () => {
    const roles: string[] = []
    for (const login of ['first', 'second']) {
      const browser = server.browser()
      const result = await signInElsewhere(browser, login)
      const id = /"id":"([^"]+)"/.exec(result.text)?.[1]
      expect((await browser.call('POST', '/api/v1/users/finalize', { id, username: login })).status).toBe(200)
      const { data } = (await browser.call('GET', '/api/v1/users/current')).body as {
        data: { role: string; username: string }
      }
      expect(data.username).toBe(login)
      roles.push(data.role)
    }
    expect(roles).toEqual(['admin', 'member'])
  })

  it('is named in the features, and the local git host is not there', async () => {
    const { body } = await server.browser().call('GET', '/api/meta/features')
    expect(body).toMatchObject({ login_with_github: true, git_host_name: `127.0.0.1:${elsewherePort}` })
    expect((await server.browser().request('/_git/login')).status).toBe(404)
  })

  it('SI90: says so when that host does not confirm anyone', async () => {
    const browser = server.browser()
    const begun = await browser.request('/auth/github?version=2')
    const state = new URL(begun.headers.location!).searchParams.get('state')
    const wrongCode = await browser.open(`/auth/github/callback?code=made-up&state=${state}`)
    expect([wrongCode.status, wrongCode.text.includes(`Sign in to 127.0.0.1:${elsewherePort} failed.`)]).toEqual([
      400,
      true,
    ])
    const again = await browser.request('/auth/github?version=2')
    const denied = new URL(again.headers.location!).searchParams.get('state')
    const refused = await browser.open(`/auth/github/callback?error=access_denied&state=${denied}`)
    expect(refused.status).toBe(400)
    expect((await browser.call('GET', '/api/v1/users/current')).status).toBe(401)
  })

  it('says so when that host is down', async () => {
    const browser = server.browser()
    const begun = await browser.request('/auth/github?version=2')
    const state = new URL(begun.headers.location!).searchParams.get('state')
    await elsewhere.close()
    const answer = await browser.open(`/auth/github/callback?code=any&state=${state}`)
    expect([answer.status, answer.text.includes('You are not signed in')]).toEqual([400, true])
  })
})
