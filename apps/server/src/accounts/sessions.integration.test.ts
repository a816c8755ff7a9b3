import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gitSignInFailures, outbox, sessions } from '../database/schema.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { startTestServer, TEST_PASSWORD } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'
import { hashSecret } from './secrets.ts'
import { findTokenHolder } from './findTokenHolder.ts'

const COOKIE = '__Host-boxyard_session'
const DAY_MS = 86_400_000

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const status = async (browser: TestBrowser) => (await browser.call('GET', '/api/v1/users/current')).status
const asProgram = async (token: string) =>
  (await server.browser().request('/api/v1/users/current', { headers: { authorization: `Bearer ${token}` } })).status

interface Listed {
  data: { id: string; kind: string; label: string | null; current: boolean }[]
}
const listOf = async (browser: TestBrowser) =>
  ((await browser.call('GET', '/api/v1/users/current/sessions')).body as Listed).data

/** A second browser of the same person. */
async function again(login: string): Promise<TestBrowser> {
  const browser = server.browser()
  const page = await browser.open('/auth/github?version=2')
  await browser.submit(page, '/login', { login, password: TEST_PASSWORD })
  return browser
}

function withCookie(token: string): TestBrowser {
  const browser = server.browser()
  browser.cookies.set(COOKIE, token)
  return browser
}

async function makeOld(token: string, by: Partial<Record<'rotatedAt' | 'nextOfferedAt' | 'expiresAt', number>>) {
  const changes = Object.fromEntries(Object.entries(by).map(([name, ms]) => [name, new Date(Date.now() - ms)]))
  await server.context.database
    .update(sessions)
    .set(changes)
    .where(eq(sessions.tokenHash, hashSecret(token)))
}

describe('the token of a browser', () => {
  it('SI8: is replaced after a day, once for requests that come together, and both work until the new one is used', async () => {
    const browser = await server.signedIn('rota')
    const first = browser.cookies.get(COOKIE)!
    expect(await status(browser)).toBe(200)
    expect(browser.cookies.get(COOKIE)).toBe(first)
    await makeOld(first, { rotatedAt: 2 * DAY_MS })
    const tabs = [withCookie(first), withCookie(first), withCookie(first)]
    expect(await Promise.all(tabs.map(status))).toEqual([200, 200, 200])
    const offered = tabs.map(({ cookies }) => cookies.get(COOKIE)!).filter((token) => token !== first)
    expect(offered).toHaveLength(1)
    // The answer may have been lost: the old one goes on, and another one is offered later.
    expect(await status(withCookie(first))).toBe(200)
    await makeOld(first, { nextOfferedAt: DAY_MS })
    const later = withCookie(first)
    expect(await status(later)).toBe(200)
    const next = later.cookies.get(COOKIE)!
    expect([first, ...offered]).not.toContain(next)
    expect(await status(withCookie(next))).toBe(200)
    // A request that was on its way with the old one.
    expect(await status(withCookie(first))).toBe(200)
  })

  it('SI9: ends the session when it comes back after it was replaced', async () => {
    const browser = await server.signedIn('theft')
    const stolen = browser.cookies.get(COOKIE)!
    await makeOld(stolen, { rotatedAt: 2 * DAY_MS })
    expect(await status(browser)).toBe(200)
    const next = browser.cookies.get(COOKIE)!
    expect(await status(browser)).toBe(200)
    await makeOld(next, { rotatedAt: DAY_MS / 2 })
    expect(await status(withCookie(stolen))).toBe(401)
    expect(await status(browser)).toBe(401)
    expect(browser.cookies.get('signedIn')).toBe('false')
  })

  it('SI10: is kept as a hash, works for 30 days, and is no bearer token', async () => {
    const browser = await server.signedIn('hash')
    const token = browser.cookies.get(COOKIE)!
    const rows = await server.context.database.select().from(sessions)
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(await asProgram(token)).toBe(401)
    await makeOld(token, { expiresAt: 1000 })
    expect(await status(browser)).toBe(401)
  })
})

describe('the list of sessions', () => {
  it('SI11: shows where somebody is signed in, ends one or all others, and nobody else’s', async () => {
    const browser = await server.signedIn('lista')
    const [second, third] = [await again('lista'), await again('lista')]
    const token = ((await browser.call('GET', '/api/v1/auth/auth-token')).body as { data: { token: string } }).data
      .token
    const list = await listOf(browser)
    expect(list.map(({ kind }) => kind).toSorted()).toEqual(['bearer', 'browser', 'browser', 'browser'])
    expect(list.filter(({ current }) => current)).toHaveLength(1)

    const { id } = (await listOf(second)).find(({ current }) => current)!
    const stranger = await server.signedIn('strange')
    expect((await stranger.call('DELETE', `/api/v1/users/current/sessions/${id}`)).status).toBe(404)
    expect(await status(second)).toBe(200)
    expect((await browser.call('DELETE', `/api/v1/users/current/sessions/${id}`)).status).toBe(204)
    expect(await status(second)).toBe(401)

    expect((await browser.call('DELETE', '/api/v1/users/current/sessions')).status).toBe(204)
    expect([await status(browser), await status(third), await asProgram(token)]).toEqual([200, 401, 401])
    expect(await listOf(browser)).toHaveLength(1)
  })
})

describe('the end of a session', () => {
  it('SI12: cuts its open connections at once, and those of another instance soon', async () => {
    const browser = await server.signedIn('cut')
    const [here, elsewhere] = [await again('cut'), await again('cut')]
    const { sessionSockets, database } = server.context
    const open = async (of: TestBrowser) => {
      const { id } = (await listOf(of)).find(({ current }) => current)!
      const socket = new PassThrough()
      sessionSockets.hold(id, socket)
      return { id, socket, closed: once(socket, 'close') }
    }
    const [kept, first, second] = [await open(browser), await open(here), await open(elsewhere)]
    await here.call('DELETE', '/api/v1/users/signout')
    await first.closed
    // What another instance does reaches this one through the database alone.
    await database.delete(sessions).where(eq(sessions.id, second.id))
    await second.closed
    expect(kept.socket.destroyed).toBe(false)
    kept.socket.destroy()
  })

  it('SI13: ends the tokens that were minted from it', async () => {
    const browser = await server.signedIn('mint')
    const { tokens, database } = server.context
    const jwt = ((await browser.call('GET', '/api/v1/auth/jwt')).body as { data: { jwt: string } }).data.jwt
    const path = '/api/v1/auth/preview_token?sandbox_id=abc123'
    const preview = ((await browser.call('GET', path)).body as { data: { token: string } }).data.token
    const holders = [(await tokens.verifySessionToken(jwt))!, (await tokens.verifyPreviewToken(preview, 'abc123'))!]
    const users = () => Promise.all(holders.map((holder) => findTokenHolder(database, holder)))
    expect(await users()).toMatchObject([{ username: 'mint' }, { username: 'mint' }])
    await browser.call('DELETE', '/api/v1/users/signout')
    expect(await users()).toEqual([null, null])
  })
})

describe('a program', () => {
  it('SI14: gets a token for a code that a person made, once', async () => {
    const browser = await server.signedIn('cli')
    const code = ((await browser.call('POST', '/api/v1/auth/cli-code')).body as { data: { code: string } }).data.code
    const verify = () => server.browser().call('GET', `/api/v1/auth/verify/${code}`)
    const { token } = ((await verify()).body as { data: { token: string } }).data
    expect(token).toMatch(/^csb_v1_/)
    expect(await asProgram(token)).toBe(200)
    expect((await verify()).status).toBe(404)
    expect((await browser.call('DELETE', `/api/v1/auth/revoke/${token}`)).status).toBe(204)
    expect(await asProgram(token)).toBe(401)
  })

  it('SI15: gets no token because a preview makes the browser ask for one', async () => {
    const browser = await server.signedIn('forced')
    const headers = { 'sec-fetch-site': 'same-site' }
    expect((await browser.request('/api/v1/auth/auth-token', { headers })).status).toBe(403)
    expect(await listOf(browser)).toHaveLength(1)
  })

  interface Device {
    device_code: string
    user_code: string
    verification_uri_complete: string
    interval: number
  }
  const form = async (path: string, fields: Record<string, string>) => {
    const answer = await server.browser().request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    })
    return { status: answer.status, body: JSON.parse(answer.text) as Record<string, string> }
  }
  const beginDevice = async () =>
    (await form('/auth/device/code', { client_id: 'a <b>tool</b>' })).body as unknown as Device
  const poll = (device_code: string) =>
    form('/auth/device/token', { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code })

  it('SI16: without a browser waits until somebody types its code, and gets one token', async () => {
    const { device_code, user_code, verification_uri_complete } = await beginDevice()
    expect(verification_uri_complete).toBe(`${server.origin}/device?code=${user_code}`)
    expect((await poll(device_code)).body).toEqual({ error: 'authorization_pending' })
    expect((await poll(device_code)).body).toEqual({ error: 'slow_down' })
    const browser = await server.signedIn('device')
    const path = `/api/v1/auth/device/${user_code.toLowerCase()}`
    expect((await server.browser().call('POST', path, { allow: true })).status).toBe(401)
    expect((await browser.call('GET', path)).body).toMatchObject({ data: { program: 'a btool/b' } })
    expect((await browser.call('POST', path, { allow: true })).status).toBe(204)
    expect((await browser.call('POST', path, { allow: true })).status).toBe(404)
    const given = await poll(device_code)
    expect(given).toMatchObject({ status: 200, body: { token_type: 'bearer' } })
    expect(await asProgram(given.body['access_token']!)).toBe(200)
    expect((await poll(device_code)).body).toEqual({ error: 'expired_token' })
    expect((await listOf(browser)).map(({ label }) => label)).toContain('a btool/b')
  })

  it('SI16: is told when it was turned away, or is not known', async () => {
    const { device_code, user_code } = await beginDevice()
    const browser = await server.signedIn('deny')
    await browser.call('POST', `/api/v1/auth/device/${user_code}`, { allow: false })
    expect((await poll(device_code)).body).toEqual({ error: 'access_denied' })
    expect((await poll('made-up')).body).toEqual({ error: 'expired_token' })
    expect((await browser.call('GET', '/api/v1/auth/device/AAAA-AAAA')).status).toBe(404)
  })
})

describe('a mailed link', () => {
  const mails = async () =>
    (await server.context.database.select().from(outbox).where(eq(outbox.channel, 'mail')))
      .filter(({ name }) => name === 'signInLink')
      .map(({ payload }) => payload as { email: string; login: string; url: string })

  async function ask(email: string) {
    const browser = server.browser()
    const page = await browser.open('/_git/login/link')
    return { browser, answer: await browser.submit(page, '/login/link', { email }) }
  }

  it('GH80: signs in once, proves the address, and is asked for without telling who has an account', async () => {
    await server.signedIn('maily')
    const known = await ask('MAILY@example.test')
    const unknown = await ask('nobody@example.test')
    const words = (text: string) => text.replace(/nonce="[^"]+"/g, '')
    expect([known.answer.status, words(known.answer.text)]).toEqual([200, words(unknown.answer.text)])
    const sent = await mails()
    expect(sent.map(({ login }) => login)).toEqual(['maily'])
    const browser = server.browser()
    const page = await browser.open(sent[0]!.url)
    expect(page.text).toContain('Sign in as maily')
    const token = new URL(sent[0]!.url).pathname
    // Looking at it uses nothing up.
    await server.browser().open(sent[0]!.url)
    const home = await browser.submit(page, token, {})
    expect(home.text).toContain('<strong>maily</strong>')
    expect((await server.browser().open(sent[0]!.url)).status).toBe(404)
  })

  it('GH81: is not sent more than three times in a quarter of an hour', async () => {
    await server.signedIn('often')
    for (let count = 0; count < 5; count += 1) expect((await ask('often@example.test')).answer.status).toBe(200)
    expect((await mails()).filter(({ login }) => login === 'often')).toHaveLength(3)
  })

  it('GH82: works for nobody who got the form on another site', async () => {
    await server.signedIn('csrfy')
    await ask('csrfy@example.test')
    const { url } = (await mails()).find(({ login }) => login === 'csrfy')!
    const forged = await server.browser().request(new URL(url).pathname, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.test' },
      body: 'csrf=x',
    })
    expect(forged.status).toBe(403)
    expect((await server.browser().open(url)).status).toBe(200)
  })
})

it('GH83: signing in rightly counts for nothing, however many share an address', async () => {
  await server.signedIn('shared')
  const browser = server.browser()
  const counted = async () =>
    (await server.context.database.select().from(gitSignInFailures))
      .filter(({ key }) => /^(?:name|address|both)\|/.test(key) && key.endsWith(browser.address))
      .map(({ failures }) => failures)
  const signIn = async (typed: string) => {
    browser.cookies.clear()
    return (await browser.submit(await browser.open('/_git/login'), '/login', { login: 'shared', password: typed }))
      .status
  }
  for (let count = 0; count < 3; count += 1) expect(await signIn(TEST_PASSWORD)).toBe(200)
  expect(await counted()).toEqual([0])
  expect(await signIn('wrong wrong wrong')).toBe(401)
  expect(await counted()).toEqual([1, 1])
})

describe('settings', () => {
  it('SI17: limit how many sign-ins begin from one address, and never how they end', async () => {
    const limited = await startTestServer({ BOXYARD_SIGN_IN_LIMIT: '2' })
    try {
      const begin = (browser: TestBrowser) => browser.request('/auth/github?version=2')
      const browser = limited.browser()
      const statuses = [await begin(browser), await begin(browser), await begin(browser)].map((answer) => answer.status)
      expect(statuses).toEqual([303, 303, 429])
      expect((await begin(limited.browser())).status).toBe(303)
      for (let count = 0; count < 5; count += 1) {
        expect((await browser.request('/auth/github/callback?state=x&code=y')).status).toBe(400)
      }
    } finally {
      await limited.close()
    }
  })

  it('SI18: allow sign-in as anyone in development, and nowhere else', async () => {
    expect((await server.browser().request('/auth/dev')).status).toBe(404)
    const development = await startTestServer({ NODE_ENV: 'development' })
    try {
      const browser = development.browser()
      const first = await browser.submit(await browser.open('/auth/dev'), '/auth/dev', {})
      expect(first.status).toBe(422)
      const post = (headers: Record<string, string>) =>
        browser.request('/auth/dev', {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
          body: 'username=ada',
        })
      expect((await post({})).status).toBe(403)
      expect((await post({ origin: 'https://evil.test' })).status).toBe(403)
      expect((await post({ origin: development.origin })).text).toContain('"type":"signin"')
      expect((await browser.call('GET', '/api/v1/users/current')).body).toMatchObject({
        data: { username: 'ada', role: 'admin' },
      })
      expect((await browser.open('/auth/dev')).text).toContain('value="ada"')
      expect((await browser.call('GET', '/api/meta/features')).body).toMatchObject({ development: true })
    } finally {
      await development.close()
    }
  })

  it('SI19: turn every other sign-in off in SSO-only mode', async () => {
    const only = await startTestServer({ BOXYARD_SSO_ONLY: 'true' })
    try {
      expect((await only.browser().call('GET', '/api/meta/features')).body).toMatchObject({
        login_with_github: false,
        login_with_google: false,
        login_with_apple: false,
        login_with_workos: true,
      })
      for (const path of ['/auth/github', '/auth/google', '/auth/apple']) {
        expect((await only.browser().request(path)).status).toBe(404)
      }
    } finally {
      await only.close()
    }
  })
})
