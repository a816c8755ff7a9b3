import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { pendingUsers, sessions, teamMembers, teams, users } from '../../apps/server/src/database/schema.ts'
import { readConfiguration } from '../../apps/server/src/configuration.ts'
import { inTransaction } from '../../apps/server/src/outbox/unitOfWork.ts'
import { createServer } from '../../apps/server/src/server.ts'
import type { Server } from '../../apps/server/src/server.ts'
import { saveConnection, addDomain, markVerified } from '../../apps/server/src/accounts/sso/ssoConnections.ts'
import { temporaryFolder } from '../../apps/server/src/testing/folders.ts'
import { startIdentityProvider } from '../../apps/server/src/testing/identityProvider.ts'
import type { TestIdentityProvider } from '../../apps/server/src/testing/identityProvider.ts'
import { openBrowser } from '../support/browser.ts'
import { freePort } from '../support/server.ts'

// Every way a sign-in can go, in a real browser, with the provider on another origin as in life.

const repository = resolve(import.meta.dirname, '../..')
const password = 'correct horse battery'

let home: string
let idp: TestIdentityProvider
let server: Server
let origin: string
const open: BrowserContext[] = []

beforeAll(async () => {
  await promisify(execFile)(process.execPath, ['scripts/build.mjs'], {
    cwd: repository,
    // What is built is for people, not for tests.
    env: { ...process.env, NODE_ENV: undefined, VITEST: undefined },
  })
  home = temporaryFolder('sign-in')
  const [port, idpPort] = [await freePort(), await freePort()]
  origin = `http://app.boxyard.localhost:${port}`
  const google = { id: 'google-app', secret: 'g'.repeat(40), redirectUris: [`${origin}/auth/google/callback`] }
  idp = await startIdentityProvider([google], idpPort)
  const configuration = readConfiguration({
    PORT: String(port),
    BOXYARD_HOME: home,
    NODE_ENV: 'development',
    LOG_LEVEL: 'silent',
    BOXYARD_NPM_REGISTRY: 'http://registry.test',
    BOXYARD_PIP_INDEX: 'http://index.test/simple',
    BOXYARD_SIGN_IN_LIMIT: '1000000',
    BOXYARD_SSO_ORIGINS: idp.origin,
    GOOGLE_CLIENT_ID: google.id,
    GOOGLE_CLIENT_SECRET: google.secret,
    GOOGLE_ISSUER: idp.origin,
  })
  server = await createServer(configuration)
  await server.listen()
  await signUp('ada')
})

afterEach(async () => {
  for (const context of open.splice(0)) await context.close()
})

afterAll(async () => {
  await server?.close()
  await idp?.close()
  rmSync(home, { recursive: true, force: true })
})

/** A new browser of its own, on the sign-in page. */
async function visitor(prepare: (page: Page) => Promise<void> = async () => {}): Promise<Page> {
  const context = await openBrowser()
  open.push(context)
  const page = context.pages()[0]!
  await prepare(page)
  await page.goto(`${origin}/signin`)
  return page
}

/** Opens the window of a sign-in. */
async function popupOf(page: Page, button: string | RegExp): Promise<Page> {
  const opened = page.context().waitForEvent('page')
  await page.getByRole('button', { name: button, exact: typeof button === 'string' }).click()
  return opened
}

async function signUp(login: string, email = `${login}@example.test`): Promise<Page> {
  const page = await visitor()
  const popup = await popupOf(page, 'Sign in with Boxyard')
  const join = popup.getByRole('link', { name: 'Create an account' })
  const button = popup.getByRole('button', { name: 'Create account' })
  await join.or(button).waitFor()
  if (await join.isVisible()) await join.click()
  await popup.getByLabel('User name').fill(login)
  await popup.getByLabel(/^Email/).fill(email)
  await popup.getByLabel(/^Password/).fill(password)
  await button.click()
  await page.waitForURL('**/dashboard/recent')
  return page
}

/** Goes through the pages of the identity provider until its window is sent back. */
async function passProvider(popup: Page, login: string): Promise<void> {
  await popup.locator('input[name=login]').fill(login)
  await popup.locator('input[name=password]').fill('anything')
  await popup.getByRole('button', { name: 'Sign-in' }).click()
  await popup.getByRole('button', { name: 'Continue' }).click()
}

const isUsable = (page: Page) => page.getByRole('button', { name: 'Sign in with Boxyard' }).isEnabled()
const devToken = (page: Page) => page.evaluate(() => localStorage.getItem('devJwt'))

describe('sign-in in a window', () => {
  it('SI32: authenticates; meanwhile no other way can be begun', async () => {
    const page = await visitor()
    const popup = await popupOf(page, 'Sign in with Boxyard')
    for (const name of ['Sign in with Boxyard', 'Sign in with Google', 'Pick a user']) {
      expect(await page.getByRole('button', { name }).isDisabled()).toBe(true)
    }
    await popup.getByLabel('User name').fill('ada')
    await popup.getByLabel('Password').fill(password)
    await popup.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/dashboard/recent')
    await expect.poll(() => popup.isClosed()).toBe(true)
    expect((await page.context().cookies()).find(({ name }) => name === 'signedIn')).toMatchObject({
      value: 'true',
      secure: true,
      sameSite: 'Strict',
    })
  })

  it('SI33: returns quietly when the window is closed', async () => {
    const page = await visitor()
    const popup = await popupOf(page, 'Sign in with Google')
    await popup.locator('input[name=login]').waitFor()
    await popup.close()
    await expect.poll(() => isUsable(page)).toBe(true)
    expect(await page.locator('.text-danger').count()).toBe(0)
  })

  it('SI34: says TIMEOUT after 60 seconds, and a late answer still counts', async () => {
    idp.people.set('late', { email: 'late@example.test', email_verified: true })
    const page = await visitor((fresh) => fresh.clock.install())
    await page.getByRole('button', { name: 'Sign in with Google' }).waitFor()
    // From here time goes on only when it is told to.
    await page.clock.pauseAt(Date.now() + 3_600_000)
    const popup = await popupOf(page, 'Sign in with Google')
    await popup.locator('input[name=login]').waitFor()
    await page.clock.fastForward(59_999)
    expect(await isUsable(page)).toBe(false)
    await page.clock.fastForward(1)
    await page.getByText('The sign-in took longer than a minute').waitFor()
    await page.clock.resume()
    await passProvider(popup, 'late')
    await page.getByRole('dialog', { name: 'Choose your user name' }).waitFor()
  })

  it('SI35: lets somebody new choose a name that is free, and say what they do', async () => {
    idp.people.set('new', { email: 'new@example.test', email_verified: true, name: 'Nelly New' })
    const page = await visitor()
    await passProvider(await popupOf(page, 'Sign in with Google'), 'new')
    const dialog = page.getByRole('dialog', { name: 'Choose your user name' })
    await dialog.getByLabel('User name').fill('ada')
    await dialog.getByText('This name is taken.').waitFor()
    await dialog.getByLabel('User name').fill('nelly')
    await dialog.getByText('This name is free.').waitFor()
    await dialog.getByRole('combobox').click()
    await page.getByRole('option', { name: 'Designer' }).click()
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL('**/dashboard/recent')
    const rows = await server.context.database.select().from(users)
    expect(rows.find(({ username }) => username === 'nelly')).toMatchObject({
      name: 'Nelly New',
      metadata: { role: 'Designer' },
    })
  })

  it('SI36: says DUPLICATE when the address belongs to another account', async () => {
    idp.people.set('double', { email: 'ada@example.test', email_verified: true })
    const page = await visitor()
    const reported = page.waitForRequest('**/api/v1/users/session-errors')
    await passProvider(await popupOf(page, 'Sign in with Google'), 'double')
    await page.getByText('This e-mail address already belongs to another account').waitFor()
    expect((await reported).postDataJSON()).toMatchObject({ code: 'DUPLICATE' })
    expect(await isUsable(page)).toBe(true)
  })

  it('SI37: says SIGNUP_FAILED when the sign-up is gone', async () => {
    idp.people.set('gone', { email: 'gone@example.test', email_verified: true })
    const page = await visitor()
    const reported = page.waitForRequest('**/api/v1/users/session-errors')
    await page.route('**/api/v1/users/pending/*', async (route) => {
      await server.context.database.delete(pendingUsers)
      await route.continue()
    })
    await passProvider(await popupOf(page, 'Sign in with Google'), 'gone')
    await page.getByText('This sign-up is not found or has expired').waitFor()
    expect((await reported).postDataJSON()).toMatchObject({ code: 'SIGNUP_FAILED' })
  })

  it('SI38: takes no message of another origin', async () => {
    const page = await visitor()
    await page.evaluate(() => {
      window.addEventListener('message', ({ data }) => {
        if (data?.type === 'signin') document.documentElement.dataset['heard'] = 'yes'
      })
    })
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const popup = await popupOf(page, 'Sign in with Google')
    await popup.locator('input[name=login]').waitFor()
    await popup.evaluate(() => window.opener.postMessage({ type: 'signin' }, '*'))
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['heard'])).toBe('yes')
    expect(await page.getByText('Waiting for the sign-in window.').isVisible()).toBe(true)
    expect(asked).not.toContain('/api/v1/users/current')
  })
})

describe('the end of a session', () => {
  it('SI39, AP953: signs out, in every window; when that fails the person stays signed in and is told', async () => {
    const page = await signUp('otis')
    const window = await page.context().newPage()
    await window.goto(`${origin}/dashboard/recent`)
    await window.getByRole('button', { name: 'Account of otis' }).waitFor()
    await page.bringToFront()
    await page.route('**/api/v1/users/signout', (route) => route.abort())
    const signOut = async () => {
      await page.getByRole('button', { name: 'Account of otis' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
    }
    await signOut()
    await page.getByText('Not able to sign you out').waitFor()
    expect(await page.getByRole('button', { name: 'Account of otis' }).count()).toBe(1)
    await page.unroute('**/api/v1/users/signout')
    await signOut()
    for (const each of [page, window]) await each.getByRole('button', { name: 'Sign in with Boxyard' }).waitFor()
  })

  it('SI41: is noticed by the cookie signedIn=false of any answer', async () => {
    const page = await signUp('ende')
    await server.context.database.delete(sessions)
    // Whatever the page asks next: this, or what it was about to ask anyway.
    await page.evaluate(() => history.pushState({}, '', '/account/sessions'))
    await page.getByRole('button', { name: 'Sign in with Boxyard' }).waitFor()
    const marker = (await page.context().cookies()).find(({ name }) => name === 'signedIn')
    expect(marker?.value).not.toBe('true')
  })

  it('SI42: of another browser is brought about from the list of sessions', async () => {
    const page = await signUp('mila')
    const other = await visitor()
    const popup = await popupOf(other, 'Sign in with Boxyard')
    await popup.getByLabel('User name').fill('mila')
    await popup.getByLabel('Password').fill(password)
    await popup.getByRole('button', { name: 'Sign in' }).click()
    await other.waitForURL('**/dashboard/recent')

    await page.goto(`${origin}/account/sessions`)
    const list = page.getByRole('list', { name: 'Sessions' })
    await expect.poll(() => list.getByRole('listitem').count()).toBe(2)
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await expect.poll(() => list.getByRole('listitem').count()).toBe(1)
    await list.getByText('This one').waitFor()
    await other.reload()
    await other.getByRole('button', { name: 'Sign in with Boxyard' }).waitFor()
  })
})

describe('single sign-on', () => {
  it('SI43: asks for the address, says 422 for an unknown one, and signs in at the workspace’s provider', async () => {
    const { database, sealer } = server.context
    const [teamId, [ada]] = [randomUUID(), await database.select().from(users)]
    await database.insert(teams).values({ id: teamId, kind: 'team', name: 'Firm', creatorId: ada!.id })
    await database.insert(teamMembers).values({ teamId, userId: ada!.id, authorization: 'admin' })
    const settings = { kind: 'oidc' as const, issuer: idp.origin, client_id: 'firm' }
    const { id } = await inTransaction(database, ada!, (work) =>
      saveConnection(work, sealer, teamId, {
        settings,
        clientSecret: 'f'.repeat(40),
        enforced: false,
      }),
    )
    const domain = await addDomain(database, teamId, 'firm.test')
    await inTransaction(database, ada!, (work) => markVerified(work, domain))
    idp.register({ id: 'firm', secret: 'f'.repeat(40), redirectUris: [`${origin}/auth/sso/${id}/callback`] })
    idp.people.set('frida', { email: 'frida@firm.test', email_verified: true })

    const page = await visitor()
    await page.getByRole('button', { name: 'Sign in with SSO' }).click()
    await page.getByRole('heading', { name: 'Sign in with SSO' }).waitFor()
    await page.getByPlaceholder('Enter your email').fill('somebody@elsewhere.test')
    await page.getByRole('button', { name: 'Continue with SSO' }).click()
    const refusal = page.getByRole('alert')
    await refusal.waitFor()
    expect((await refusal.innerText()).replace(/\s+/g, ' ')).toContain(
      'Request failed with status code 422. Please contact your team admin or sign in through a different method.',
    )
    await page.getByRole('button', { name: 'Try another address' }).click()
    await page.getByPlaceholder('Enter your email').fill('frida@firm.test')
    const popup = await popupOf(page, 'Continue with SSO')
    await passProvider(popup, 'frida')
    const dialog = page.getByRole('dialog', { name: 'Choose your user name' })
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL('**/dashboard/recent')
    await page.getByRole('button', { name: 'Account of frida' }).waitFor()
  })
})

describe('the page of a workspace', () => {
  it('SI46: shows what proves a domain, and keeps the identity provider', async () => {
    const page = await signUp('wilma')
    const { database } = server.context
    const wilma = (await database.select().from(users)).find(({ username }) => username === 'wilma')!
    const teamId = randomUUID()
    await database.insert(teams).values({ id: teamId, kind: 'team', name: 'Firm', creatorId: wilma.id })
    await database.insert(teamMembers).values({ teamId, userId: wilma.id, authorization: 'admin' })
    await page.goto(`${origin}/t/${teamId}/sso`)
    await page.getByLabel('Domain', { exact: true }).fill('wilma.test')
    await page.getByRole('button', { name: 'Add domain' }).click()
    await page.getByText('_boxyard.wilma.test').waitFor()
    await page.getByLabel('Issuer').fill(idp.origin)
    await page.getByLabel('Client id').fill('firm')
    await page.getByLabel('Client secret').fill('its-secret')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(`${origin}/auth/sso/`).waitFor()
    await page.reload()
    await page.getByText('One is kept. Leave this empty to keep it.').waitFor()
    expect(await page.getByLabel('Issuer').inputValue()).toBe(idp.origin)
  })
})

describe('a program', () => {
  it('SI44: is signed in by a token that the page waits for', async () => {
    const page = await visitor()
    const popup = await popupOf(page, 'Sign in with a token')
    await page.getByRole('dialog', { name: 'Waiting for token...' }).waitFor()
    const picker = await popupOf(popup, 'Pick a user')
    await picker.getByRole('button', { name: 'ada', exact: true }).click()
    await popup.getByRole('button', { name: 'Let it in' }).click()
    await page.waitForURL('**/dashboard/recent')
    expect(await devToken(page)).toMatch(/^csb_v1_/)
    // The token alone holds the session from now on.
    await page.context().clearCookies()
    await page.reload()
    await page.getByRole('button', { name: 'Account of ada' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in with Boxyard' }).waitFor()
    expect(await devToken(page)).toBeNull()
  })

  it('SI44: is signed in by a token that is pasted, and a closed window authenticates again', async () => {
    const owner = await signUp('paul')
    await owner.goto(`${origin}/cli/login`)
    await owner.getByRole('button', { name: 'Let it in' }).click()
    const code = await owner.locator('[data-code]').innerText()

    const page = await visitor()
    const popup = await popupOf(page, 'Sign in with a token')
    const asked = page.waitForRequest('**/api/v1/users/current')
    await popup.close()
    await asked
    await expect.poll(() => isUsable(page)).toBe(true)

    await popupOf(page, 'Sign in with a token')
    await page.getByRole('textbox', { name: 'Token' }).fill('not-a-code')
    await page.getByRole('button', { name: 'Use token' }).click()
    await page.getByText('This code is not known').waitFor()
    // The window of the first attempt is still open and is used again.
    await page.getByRole('button', { name: 'Sign in with a token', exact: true }).click()
    await page.getByRole('textbox', { name: 'Token' }).fill(code)
    await page.getByRole('button', { name: 'Use token' }).click()
    await page.waitForURL('**/dashboard/recent')
    expect(await devToken(page)).toMatch(/^csb_v1_/)
  })

  it('SI45: without a browser is let in by the code it shows', async () => {
    const page = await signUp('dean')
    const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    const call = async (path: string, fields: Record<string, string>) =>
      (await fetch(origin.replace('app.boxyard.', '') + path, { ...form, body: new URLSearchParams(fields) })).json()
    const begun = (await call('/auth/device/code', { client_id: 'my-tool' })) as Record<string, string>
    await page.goto(begun['verification_uri_complete']!)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Let my-tool in?' }).waitFor()
    await page.getByRole('button', { name: 'Let it in' }).click()
    await page.getByText('The program is signed in').waitFor()
    const given = (await call('/auth/device/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: begun['device_code']!,
    })) as Record<string, string>
    expect(given['access_token']).toMatch(/^csb_v1_/)
  })
})
