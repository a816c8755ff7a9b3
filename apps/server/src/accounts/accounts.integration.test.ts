import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp, startTestServer, TEST_ADMIN_TOKEN, TEST_PASSWORD } from '../testing/server.ts'
import type { TestBrowser } from '../testing/browser.ts'
import type { TestServer } from '../testing/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

describe('signing in', () => {
  it('asks the first person to create the administrator’s account and signs up', async () => {
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
    const message = /const \{ message, appOrigin \} = (.*)/.exec(result.text)?.[1]
    const { message: posted, appOrigin } = JSON.parse(message!) as {
      message: { type: string; data: { id: string } }
      appOrigin: string
    }
    expect(posted.type).toBe('signup')
    expect(appOrigin).toBe(server.origin)

    const pending = await browser.call('GET', `/api/v1/users/pending/${posted.data.id}`)
    expect(pending.body).toEqual({
      data: {
        id: posted.data.id,
        username: 'ada',
        name: 'Ada Lovelace',
        avatar_url: `${server.origin}/_git/avatars/1/a`,
      },
    })
    const stranger = await server.browser().call('GET', `/api/v1/users/pending/${posted.data.id}`)
    expect(stranger.status).toBe(404)

    const finalized = await browser.call('POST', '/api/v1/users/finalize', {
      id: posted.data.id,
      username: 'ada',
      name: 'Ada',
    })
    expect(finalized.status).toBe(200)
    const setCookies = finalized.headers['set-cookie']!
    expect(setCookies.find((line) => line.startsWith('__Host-boxyard_session='))).toMatch(
      /; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    )
    expect(setCookies).toContain('signedIn=true; Max-Age=2592000; Path=/; Secure; SameSite=Strict')

    const current = await browser.call('GET', '/api/v1/users/current')
    expect(current.body).toMatchObject({
      data: { username: 'ada', name: 'Ada', email: 'ada@example.test', role: 'admin', provider: 'github' },
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

  it('refuses more than thirty beginnings a minute from one address', async () => {
    const browser = server.browser()
    const statuses: number[] = []
    for (let count = 0; count < 31; count += 1) statuses.push((await browser.request('/auth/github?version=2')).status)
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 303), 429])
    expect((await server.browser().request('/auth/github?version=2')).status).toBe(303)
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

  it('gives a username to one of two who ask for it', async () => {
    const [first, second] = [server.browser(), server.browser()]
    await signUp(first, 'annie')
    await expect(signUpAs(second, 'annie2', 'Annie')).resolves.toMatchObject({
      status: 409,
      body: { errors: { username: ['This username is taken.'] } },
    })
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

async function signUpAs(browser: TestBrowser, login: string, username: string) {
  const start = await browser.open('/auth/github?version=2')
  const join = await browser.open(/<a href="([^"]*\/join\?[^"]*)"/.exec(start.text)![1]!)
  const fields = { login, email: `${login}@example.test`, password: TEST_PASSWORD }
  const result = await browser.submit(join, '/join', fields)
  const id = /"id":"([^"]+)"/.exec(result.text)?.[1]
  return browser.call('POST', '/api/v1/users/finalize', { id, username })
}
