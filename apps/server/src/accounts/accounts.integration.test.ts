import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, TEST_ADMIN_TOKEN, TEST_PASSWORD } from '../testing/server.ts'
import type { TestBrowser } from '../testing/browser.ts'
import type { TestServer } from '../testing/server.ts'
import { createUser } from './users.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

describe('signing in', () => {
  it('asks the first person once, to create the administrator’s account, and signs in with it', async () => {
    const browser = server.browser()
    const page = await browser.open('/auth/github?version=2')
    expect(page.text).toContain('Create the administrator&#39;s account')
    const result = await browser.submit(page, '/join', {
      login: 'ada',
      name: 'Ada Lovelace',
      email: 'ada@example.test',
      password: TEST_PASSWORD,
    })
    expect(result.url).toContain(`${server.origin}/auth/github/callback?`)
    expect(result.text).toContain('"message":{"type":"signin"}')
    expect(result.text).toContain(`"appOrigin":"${server.origin}"`)
    const setCookies = result.headers['set-cookie']!
    expect(setCookies.find((line) => line.startsWith('__Host-boxyard_session='))).toMatch(
      /; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    )
    expect(setCookies).toContain('signedIn=true; Max-Age=2592000; Path=/; Secure; SameSite=Strict')

    const current = await browser.call('GET', '/api/v1/users/current')
    expect(current.body).toMatchObject({
      data: { username: 'ada', name: 'Ada Lovelace', email: 'ada@example.test', role: 'admin', provider: 'github' },
    })
  })

  it('signs the same person in again, in another browser', async () => {
    const browser = server.browser()
    const page = await browser.open('/auth/github?version=2')
    const wrong = await browser.submit(page, '/login', { login: 'ada', password: 'not it at all' })
    expect(wrong.status).toBe(401)
    expect(wrong.text).toContain('The user name or the password is wrong')
    const result = await browser.submit(wrong, '/login', { login: 'ADA', password: TEST_PASSWORD })
    expect(result.text).toContain('"type":"signin"')
    expect((await browser.call('GET', '/api/v1/users/current')).status).toBe(200)
  })

  it('lets someone else sign up, who is no administrator', async () => {
    const browser = await server.signedIn('grace')
    expect((await browser.call('GET', '/api/v1/users/current')).body).toMatchObject({
      data: { username: 'grace', role: 'member' },
    })
  })

  it('says duplicate when another account has the email address', async () => {
    const browser = server.browser()
    const page = await browser.open('/auth/github?version=2')
    const join = await browser.open(/<a href="([^"]*\/join\?[^"]*)"/.exec(page.text)![1]!)
    const result = await browser.submit(join, '/join', {
      login: 'grace2',
      email: 'GRACE@example.test',
      password: TEST_PASSWORD,
    })
    expect(result.text).toContain('"type":"duplicate"')
  })

  it('takes a callback once, and only in the browser that began', async () => {
    const browser = server.browser()
    const page = await browser.open('/auth/github?version=2')
    const result = await browser.submit(page, '/login', { login: 'ada', password: TEST_PASSWORD })
    expect((await browser.open(result.url)).status).toBe(400)

    const [authorize] = await redirectsOf(browser, '/auth/github?version=2')
    const [callback] = await redirectsOf(browser, authorize!)
    expect(callback).toContain('/auth/github/callback?code=')
    const victim = server.browser()
    await victim.open('/auth/github?version=2')
    expect((await victim.open(callback!)).status).toBe(400)
    expect((await victim.call('GET', '/api/v1/users/current')).status).toBe(401)
  })

  it('SI47: keeps the window tied to its opener on every page of the sign-in, and no page of the app to others', async () => {
    const policyOf = async (path: string) =>
      (await server.browser().request(path)).headers['cross-origin-opener-policy']
    expect(await policyOf('/auth/github?version=2')).toBe('unsafe-none')
    expect(await policyOf('/auth/github/callback')).toBe('unsafe-none')
    expect(await policyOf('/_git/login')).toBe('unsafe-none')
    expect(await policyOf('/api/meta/features')).toBe('same-origin-allow-popups')
    expect(await policyOf('/signin')).toBe('same-origin-allow-popups')
  })

  it('ends the session for good on sign-out', async () => {
    const browser = await server.signedIn('barbara')
    const before = new Map(browser.cookies)
    expect((await browser.call('DELETE', '/api/v1/users/signout')).status).toBe(204)
    expect(browser.cookies.get('signedIn')).toBe('false')
    const thief = server.browser()
    for (const [name, value] of before) thief.cookies.set(name, value)
    expect((await thief.call('GET', '/api/v1/users/current')).status).toBe(401)
    expect(thief.cookies.get('signedIn')).toBe('false')
  })
})

describe.each([
  ['GET', '/api/v1/users/current'],
  ['DELETE', '/api/v1/users/signout'],
  ['GET', '/api/v1/auth/jwt'],
  ['GET', '/api/v1/auth/preview_token?sandbox_id=abc123'],
  ['GET', '/api/v1/auth/auth-token'],
  ['DELETE', '/api/v1/auth/revoke/x'],
])('%s %s', (method, path) => {
  it('requires authentication', async () => {
    expect((await server.browser().call(method, path)).status).toBe(401)
    const wrong = await server.browser().request(path, { method, headers: { authorization: 'Bearer nope' } })
    expect(wrong.status).toBe(401)
  })
})

describe('tokens', () => {
  it('gives a token for the socket that the published key verifies', async () => {
    const browser = await server.signedIn('edith')
    const { body } = await browser.call('GET', '/api/v1/auth/jwt')
    const { jwt } = (body as { data: { jwt: string } }).data
    const { keys } = (await browser.call('GET', '/.well-known/jwks.json')).body as {
      keys: { kid: string; d?: string }[]
    }
    const header = JSON.parse(Buffer.from(jwt.split('.')[0]!, 'base64url').toString()) as { kid: string }
    expect(keys.map(({ kid }) => kid)).toEqual([header.kid])
    expect(keys[0]).not.toHaveProperty('d')
    expect(await server.context.tokens.verifySessionToken(jwt)).not.toBeNull()
  })

  it('accepts a bearer token until it is revoked by its owner', async () => {
    const browser = await server.signedIn('hedy')
    const { token } = ((await browser.call('GET', '/api/v1/auth/auth-token')).body as { data: { token: string } }).data
    const asProgram = () =>
      server.browser().request('/api/v1/users/current', { headers: { authorization: `Bearer ${token}` } })
    expect((await asProgram()).status).toBe(200)
    const other = await server.signedIn('mary')
    expect((await other.call('DELETE', `/api/v1/auth/revoke/${token}`)).status).toBe(404)
    expect((await asProgram()).status).toBe(200)
    expect((await browser.call('DELETE', `/api/v1/auth/revoke/${token}`)).status).toBe(204)
    expect((await asProgram()).status).toBe(401)
  })

  it('takes the token of the settings for the first administrator', async () => {
    const headers = { authorization: `Bearer ${TEST_ADMIN_TOKEN}` }
    const answer = await server.browser().request('/api/v1/users/current', { headers })
    expect(JSON.parse(answer.text)).toMatchObject({ data: { username: 'ada', role: 'admin' } })
  })
})

describe('usernames', () => {
  it('says which ones are free, whatever their case', async () => {
    const available = async (username: string) =>
      (await server.browser().call('GET', `/api/v1/users/available/${username}`)).body
    expect(await available('ADA')).toEqual({ data: { available: false } })
    expect(await available('nobody-yet')).toEqual({ data: { available: true } })
    expect(await available('-not-valid-')).toEqual({ data: { available: false } })
  })

  it('asks for another one when the name at the git host is taken here', async () => {
    const { database } = server.context
    const email = 'annie@elsewhere.test'
    await createUser(database, { username: 'Annie', name: null, email, avatarUrl: null, role: 'member' })
    const browser = server.browser()
    const { id } = await startSignUp(browser, 'annie')
    expect((await browser.call('GET', '/api/v1/users/current')).status).toBe(401)

    expect((await browser.call('GET', `/api/v1/users/pending/${id}`)).body).toMatchObject({
      data: {
        id,
        username: 'annie2',
        name: null,
        avatar_url: expect.stringContaining(`${server.origin}/_git/avatars/`),
      },
    })
    expect((await server.browser().call('GET', `/api/v1/users/pending/${id}`)).status).toBe(404)

    const finalize = (username: string) => browser.call('POST', '/api/v1/users/finalize', { id, username })
    expect(await finalize('annie')).toMatchObject({
      status: 409,
      body: { errors: { username: ['This username is taken.'] } },
    })
    const finalized = await finalize('annie-e')
    expect(finalized.status).toBe(200)
    expect(finalized.headers['set-cookie']!.join()).toContain('__Host-boxyard_session=')
    expect((await browser.call('GET', '/api/v1/users/current')).body).toMatchObject({ data: { username: 'annie-e' } })
  })

  it('asks for another one when the name at the git host is too short here', async () => {
    expect(await startSignUp(server.browser(), 'x')).toMatchObject({ type: 'signup' })
  })
})

describe('another site', () => {
  it('can not act with the cookies of a session', async () => {
    const browser = await server.signedIn('joan')
    for (const headers of [
      { origin: server.origin.replace('//app.', '//abc123-3000.preview.') },
      { origin: 'null' },
      { 'sec-fetch-site': 'same-site' },
      {},
    ] as Record<string, string>[]) {
      const answer = await browser.request('/api/v1/users/signout', { method: 'DELETE', headers })
      expect(answer.status).toBe(403)
    }
    expect((await browser.call('GET', '/api/v1/users/current')).status).toBe(200)
  })
})

async function redirectsOf(browser: TestBrowser, url: string): Promise<string[]> {
  const { location } = (await browser.request(url)).headers
  return location === undefined ? [] : [location]
}

async function startSignUp(browser: TestBrowser, login: string): Promise<{ type: string; id: string | undefined }> {
  const start = await browser.open('/auth/github?version=2')
  const join = await browser.open(/<a href="([^"]*\/join\?[^"]*)"/.exec(start.text)![1]!)
  const fields = { login, email: `${login}@example.test`, password: TEST_PASSWORD }
  const result = await browser.submit(join, '/join', fields)
  return { type: /"type":"([a-z]+)"/.exec(result.text)![1]!, id: /"id":"([^"]+)"/.exec(result.text)?.[1] }
}
