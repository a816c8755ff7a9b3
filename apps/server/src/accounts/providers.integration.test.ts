import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startIdentityProvider } from '../testing/identityProvider.ts'
import type { TestIdentityProvider } from '../testing/identityProvider.ts'
import type { BrowserAnswer, TestBrowser } from '../testing/browser.ts'
import { freePort, startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'

let idp: TestIdentityProvider
let server: TestServer

beforeAll(async () => {
  const port = await freePort()
  const app = `http://app.boxyard.localhost:${port}`
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  idp = await startIdentityProvider(
    [
      { id: 'google-app', secret: 'g'.repeat(40), redirectUris: [`${app}/auth/google/callback`] },
      {
        id: 'apple-app',
        secret: 'a'.repeat(40),
        redirectUris: [`${app}/auth/apple/callback`],
        signed: { publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(), teamId: 'TEAM' },
      },
    ],
    await freePort(),
  )
  server = await startTestServer({
    PORT: String(port),
    GOOGLE_CLIENT_ID: 'google-app',
    GOOGLE_CLIENT_SECRET: 'g'.repeat(40),
    GOOGLE_ISSUER: idp.origin,
    APPLE_CLIENT_ID: 'apple-app',
    APPLE_TEAM_ID: 'TEAM',
    APPLE_KEY_ID: 'KEY',
    APPLE_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().replaceAll('\n', '\\n'),
    APPLE_ISSUER: idp.origin,
  })
  for (const [login, email_verified] of [
    ['gina', true],
    ['gus', true],
    ['una', false],
    ['abby', true],
    ['alan', true],
  ] as const) {
    idp.people.set(login, { email: `${login}@example.test`, email_verified, name: `${login} Test` })
  }
})
afterAll(async () => {
  await server.close()
  await idp.close()
})

const begin = async (browser: TestBrowser, provider: string, query = '') =>
  (await browser.request(`/auth/${provider}?version=2${query}`, { headers: { 'sec-fetch-site': 'same-origin' } }))
    .headers.location!
const messageOf = (page: BrowserAnswer) => /"message":(\{.*?\}),"appOrigin"/.exec(page.text)?.[1] ?? page.text

async function signInWithGoogle(browser: TestBrowser, login: string, query = ''): Promise<BrowserAnswer> {
  const { redirect } = await idp.signIn(await begin(browser, 'google', query), login)
  return browser.open(redirect!)
}

async function finalize(browser: TestBrowser, page: BrowserAnswer, body: Record<string, unknown>) {
  const id = /"id":"([^"]+)"/.exec(page.text)?.[1]
  return browser.call('POST', '/api/v1/users/finalize', { id, ...body })
}

it('SI48: makes the first person the administrator, and not the first account of the local git host after', async () => {
  idp.people.set('boss', { email: 'boss@example.test', email_verified: true })
  const boss = server.browser()
  await finalize(boss, await signInWithGoogle(boss, 'boss'), { username: 'boss' })
  const later = await server.signedIn('later')
  const roleOf = async (browser: TestBrowser) =>
    ((await browser.call('GET', '/api/v1/users/current')).body as { data: { role: string } }).data.role
  expect([await roleOf(boss), await roleOf(later)]).toEqual(['admin', 'member'])
})

describe('sign-in with Google', () => {
  it('SI1: makes a pending user, whose name, availability and role are chosen, and signs in again later', async () => {
    const browser = server.browser()
    const page = await signInWithGoogle(browser, 'gina')
    expect(messageOf(page)).toContain('"type":"signup"')
    const finalized = await finalize(browser, page, { username: 'gina', role: 'Designer', company_name: 'Test' })
    expect(finalized.status).toBe(200)
    expect((await browser.call('GET', '/api/v1/users/current')).body).toMatchObject({
      data: {
        username: 'gina',
        name: 'gina Test',
        provider: 'google',
        metadata: { role: 'Designer', company_name: 'Test' },
        github_profile: { data: null },
      },
    })
    expect(messageOf(await signInWithGoogle(server.browser(), 'gina'))).toBe('{"type":"signin"}')
  })

  it('SI2: says duplicate when another account has the address, and adds the identity to it from inside', async () => {
    const owner = await server.signedIn('gus')
    expect(messageOf(await signInWithGoogle(server.browser(), 'gus'))).toBe('{"type":"duplicate"}')
    expect(messageOf(await signInWithGoogle(owner, 'gus', '&link=true'))).toBe('{"type":"signin"}')
    const browser = server.browser()
    expect(messageOf(await signInWithGoogle(browser, 'gus'))).toBe('{"type":"signin"}')
    expect((await browser.call('GET', '/api/v1/users/current')).body).toMatchObject({ data: { username: 'gus' } })
    expect((await owner.call('GET', '/api/v1/users/current/identities')).body).toMatchObject({
      data: [{ provider: 'github' }, { provider: 'google' }],
    })
  })

  it('SI3: adds an identity for nobody but the app’s own page', async () => {
    const owner = await server.signedIn('hana')
    for (const site of ['same-site', 'cross-site', 'none']) {
      const headers = { 'sec-fetch-site': site }
      expect((await owner.request('/auth/google?link=true', { headers })).status).toBe(403)
    }
    const visitor = { headers: { 'sec-fetch-site': 'same-origin' } }
    expect((await server.browser().request('/auth/google?link=true', visitor)).status).toBe(401)
  })

  it('SI4: refuses an address that the provider has not confirmed', async () => {
    const page = await signInWithGoogle(server.browser(), 'una')
    expect([page.status, page.text.includes('did not confirm who you are')]).toEqual([400, true])
  })

  it('SI5: refuses a stolen state, a state of another provider, and a code of another sign-in', async () => {
    const victim = server.browser()
    await begin(victim, 'google')
    const thief = server.browser()
    const { redirect } = await idp.signIn(await begin(thief, 'google'), 'gina')
    expect((await victim.open(redirect!)).status).toBe(400)
    expect((await victim.call('GET', '/api/v1/users/current')).status).toBe(401)

    const mixed = server.browser()
    const elsewhere = await idp.signIn(await begin(mixed, 'google'), 'gina')
    const asApple = elsewhere.redirect!.replace('/auth/google/', '/auth/apple/')
    expect((await mixed.open(asApple)).status).toBe(400)

    const [first, second] = [server.browser(), server.browser()]
    const one = new URL((await idp.signIn(await begin(first, 'google'), 'gina')).redirect!)
    const other = new URL((await idp.signIn(await begin(second, 'google'), 'gina')).redirect!)
    one.searchParams.set('code', other.searchParams.get('code')!)
    expect((await first.open(one.href)).status).toBe(400)
  })
})

describe('sign-in with Apple', () => {
  async function post(form: { action: string; body: string }, browser = server.browser()): Promise<BrowserAnswer> {
    browser.cookies.clear()
    return browser.request(form.action, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: idp.origin,
        'sec-fetch-site': 'cross-site',
      },
      body: form.body,
    })
  }

  it('SI6: keeps what is posted from another site until the browser comes with its cookie', async () => {
    const browser = server.browser()
    const { form } = await idp.signIn(await begin(browser, 'apple'), 'abby')
    const posted = await post(form!)
    expect(posted.status).toBe(303)
    expect(posted.headers['set-cookie']).toBeUndefined()
    const page = await browser.open(posted.headers.location!)
    expect(messageOf(page)).toContain('"type":"signup"')
    expect((await finalize(browser, page, { username: 'abby' })).status).toBe(200)
    expect((await browser.call('GET', '/api/v1/users/current')).body).toMatchObject({ data: { provider: 'apple' } })
  })

  it('SI6: is worth nothing in another browser, twice, or for a state that nobody began', async () => {
    const browser = server.browser()
    const { form } = await idp.signIn(await begin(browser, 'apple'), 'alan')
    const posted = await post(form!)
    expect((await post(form!)).status).toBe(400)
    expect((await server.browser().open(posted.headers.location!)).status).toBe(400)
    const forged = { action: form!.action, body: 'state=made-up&code=x' }
    expect((await post(forged)).status).toBe(400)
  })
})

it('SI7: names the ways to sign in', async () => {
  expect((await server.browser().call('GET', '/api/meta/features')).body).toMatchObject({
    login_with_github: true,
    login_with_google: true,
    login_with_apple: true,
    login_with_workos: false,
    development: false,
  })
})
