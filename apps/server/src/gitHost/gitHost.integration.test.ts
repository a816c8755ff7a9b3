import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, TEST_PASSWORD } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'
import type { BrowserAnswer, TestBrowser } from '../testing/browser.ts'

let server: TestServer
let administrator: TestBrowser

beforeAll(async () => {
  server = await startTestServer({ BOXYARD_SIGN_UP: 'invitation' })
  administrator = await server.signedIn('ada')
})
afterAll(() => server.close())

/** What a page says, without markup. */
function wordsOf(page: BrowserAnswer): string {
  return page.text
    .replace(/<style.*<\/style>/s, '')
    .replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ')
}

async function invite(): Promise<string> {
  const page = await administrator.submit(await administrator.open('/_git/'), '/invitations')
  return /<code>([^<]+)<\/code>/.exec(page.text)![1]!
}

describe('invitations', () => {
  it('let one person in, once', async () => {
    const link = await invite()
    const grace = server.browser()
    const fields = { login: 'grace', email: 'grace@example.test', password: TEST_PASSWORD }
    const wrong = await grace.submit(await grace.open(link), '/join', { ...fields, login: 'ADA' })
    expect([wrong.status, wrong.text.includes('This user name is taken')]).toEqual([409, true])
    const home = await grace.submit(wrong, '/join', fields)
    expect(wordsOf(home)).toContain('You are signed in as grace.')
    expect(home.text).not.toContain('Invite someone')
    expect((await server.browser().open(link)).status).toBe(403)
  })

  it('are needed, and only an administrator makes them', async () => {
    const stranger = server.browser()
    expect((await stranger.open('/_git/join')).status).toBe(403)
    expect((await stranger.open('/_git/login')).text).not.toContain('Create an account')
    const form = await stranger.open('/_git/login')
    const csrf = /name="csrf" value="([^"]+)"/.exec(form.text)![1]!
    const forged = await stranger.request('/_git/invitations', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: server.origin },
      body: `csrf=${csrf}`,
    })
    expect(forged.status).toBe(403)
  })
})

describe('the sign-in form', () => {
  it('locks out after five failures and says the same for names that do not exist', async () => {
    for (const login of ['ada', 'nobody']) {
      const browser = server.browser()
      let page = await browser.open('/_git/login')
      const answers: [number, string][] = []
      for (let count = 0; count < 6; count += 1) {
        page = await browser.submit(page, '/login', { login, password: 'wrong wrong wrong' })
        answers.push([page.status, /role="alert"><strong>([^<]+)/.exec(page.text)![1]!])
      }
      const wrong = [401, 'The user name or the password is wrong']
      const locked = [429, 'There were too many attempts to sign in']
      expect(answers).toEqual([wrong, wrong, wrong, wrong, wrong, locked])
      const right = await browser.submit(page, '/login', { login, password: TEST_PASSWORD })
      expect(right.status).toBe(429)
    }
    const elsewhere = server.browser()
    const home = await elsewhere.submit(await elsewhere.open('/_git/login'), '/login', {
      login: 'ada',
      password: TEST_PASSWORD,
    })
    expect(wordsOf(home)).toContain('You are signed in as ada, an administrator of this server.')
  })

  it('is worth nothing without the cookie of the browser it was shown in', async () => {
    const shown = await server.browser().open('/_git/login')
    const other = server.browser()
    await other.open('/_git/login')
    const answer = await other.submit(shown, '/login', { login: 'ada', password: TEST_PASSWORD })
    expect(answer.status).toBe(403)
    expect(answer.text).toContain('This form is too old or came from another site')
  })

  it.each(['https://evil.test/', '//evil.test/_git/', '/api/v1/users/current', '/_git/../api', '/_git\\@evil.test'])(
    'never sends anyone on to %s',
    async (target) => {
      const browser = server.browser()
      const page = await browser.open(`/_git/login?return_to=${encodeURIComponent(target)}`)
      const home = await browser.submit(page, '/login', { login: 'ada', password: TEST_PASSWORD })
      expect(home.url.startsWith(`${server.origin}/_git/`)).toBe(true)
    },
  )

  it('writes what was typed back as text', async () => {
    const browser = server.browser()
    const page = await browser.open('/_git/login')
    const login = '"><script>alert(1)</script>'
    const answer = await browser.submit(page, '/login', { login, password: 'x' })
    expect(answer.text).not.toContain('<script')
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
  })
})

describe('an address that does not exist', () => {
  it('is told as a page, or as GitHub does it below the API', async () => {
    const page = await server.browser().open('/_git/nothing')
    expect([page.status, wordsOf(page).includes('There is no such page')]).toEqual([404, true])
    const answer = await server.browser().request('/_git/api/v3/nothing')
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([404, { message: 'Not Found' }])
  })
})

describe('OAuth', () => {
  const verifier = 'v'.repeat(43)
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const secret = () => readFileSync(join(server.context.configuration.home, 'keys', 'git-client.secret'), 'utf8')
  const redirectUri = () => `${server.origin}/auth/github/callback`

  async function authorize(scope: string): Promise<string> {
    const query = new URLSearchParams({
      client_id: 'boxyard',
      redirect_uri: redirectUri(),
      scope,
      state: 'st',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    })
    const { headers } = await administrator.request(`/_git/login/oauth/authorize?${query}`)
    const target = new URL(headers.location!)
    expect(target.searchParams.get('state')).toBe('st')
    return target.searchParams.get('code')!
  }

  async function exchange(fields: Record<string, string>): Promise<Record<string, string>> {
    const answer = await server.browser().request('/_git/login/oauth/access_token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({
        client_id: 'boxyard',
        client_secret: secret(),
        redirect_uri: redirectUri(),
        ...fields,
      }).toString(),
    })
    return JSON.parse(answer.text) as Record<string, string>
  }

  const call = (path: string, token: string) =>
    server.browser().request(`/_git/api/v3${path}`, { headers: { authorization: `token ${token}` } })

  it('gives a token for a code once, with the scopes asked for', async () => {
    const code = await authorize('user:email')
    const granted = await exchange({ code, code_verifier: verifier })
    expect(granted).toMatchObject({ token_type: 'bearer', scope: 'user:email' })
    const user = await call('/user', granted['access_token']!)
    expect(user.headers['x-oauth-scopes']).toBe('user:email')
    expect(JSON.parse(user.text)).toMatchObject({ login: 'ada', site_admin: true, type: 'User' })
    const emails = await call('/user/emails', granted['access_token']!)
    expect(JSON.parse(emails.text)).toEqual([
      { email: 'ada@example.test', primary: true, verified: false, visibility: 'private' },
    ])
    expect((await exchange({ code, code_verifier: verifier }))['error']).toBe('bad_verification_code')
  })

  it('keeps email addresses from tokens without their scope, and everything from other tokens', async () => {
    const granted = await exchange({ code: await authorize('repo'), code_verifier: verifier })
    expect((await call('/user/emails', granted['access_token']!)).status).toBe(404)
    expect((await call('/user', 'gho_wrong')).status).toBe(401)
  })

  it('refuses a wrong secret, verifier or address', async () => {
    const wrongSecret = await exchange({ code: await authorize('repo'), code_verifier: verifier, client_secret: 'x' })
    expect(wrongSecret['error']).toBe('incorrect_client_credentials')
    const wrongVerifier = await exchange({ code: await authorize('repo'), code_verifier: 'w'.repeat(43) })
    expect(wrongVerifier['error']).toBe('bad_verification_code')
    expect((await exchange({ code: await authorize('repo') }))['error']).toBe('bad_verification_code')
    const wrongAddress = await exchange({
      code: await authorize('repo'),
      code_verifier: verifier,
      redirect_uri: 'http://evil.test/',
    })
    expect(wrongAddress['error']).toBe('redirect_uri_mismatch')
  })
})
