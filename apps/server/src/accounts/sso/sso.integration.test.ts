import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ssoConnections, teamMembers, teams } from '../../database/schema.ts'
import { startIdentityProvider } from '../../testing/identityProvider.ts'
import type { TestClient, TestIdentityProvider } from '../../testing/identityProvider.ts'
import type { BrowserAnswer, TestBrowser } from '../../testing/browser.ts'
import { createSamlIdentity } from '../../testing/samlIdentity.ts'
import type { SamlAnswer } from '../../testing/samlIdentity.ts'
import { freePort, startTestServer } from '../../testing/server.ts'
import type { TestServer } from '../../testing/server.ts'

const saml = createSamlIdentity('https://idp.saml.test/metadata')
const records = new Map<string, string[][]>()
const oidcClient: TestClient = {
  id: 'workspace-app',
  secret: 's'.repeat(40),
  redirectUris: ['http://placeholder.test/'],
}

let server: TestServer
let oidc: TestIdentityProvider
let workos: Server
let workosAsked: URLSearchParams | null = null
let workosProfile: Record<string, unknown> = {}

beforeAll(async () => {
  const [port, workosPort] = [await freePort(), await freePort()]
  workos = createServer((request, response) => {
    void (async () => {
      workosAsked = new URLSearchParams(await text(request))
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ access_token: 'x', profile: workosProfile }))
    })()
  })
  await new Promise<void>((resolve) => workos.listen(workosPort, '127.0.0.1', resolve))
  const idpPort = await freePort()
  server = await startTestServer(
    {
      PORT: String(port),
      WORKOS_CLIENT_ID: 'client_1',
      WORKOS_API_KEY: 'sk_1',
      WORKOS_URL: `http://127.0.0.1:${workosPort}`,
      BOXYARD_SSO_ORIGINS: `http://127.0.0.1:${idpPort}`,
    },
    { resolveTxt: async (name) => records.get(name) ?? Promise.reject(new Error('ENOTFOUND')) },
  )
  oidc = await startIdentityProvider([oidcClient], idpPort)
})
afterAll(async () => {
  await server.close()
  await oidc.close()
  workos.close()
})

/** A workspace of a new person, who administers it. */
async function workspace(login: string): Promise<{ admin: TestBrowser; teamId: string; url: string }> {
  const admin = await server.signedIn(login)
  const { id: userId } = ((await admin.call('GET', '/api/v1/users/current')).body as { data: { id: string } }).data
  const teamId = randomUUID()
  const { database } = server.context
  await database.insert(teams).values({ id: teamId, kind: 'team', name: login, creatorId: userId })
  await database.insert(teamMembers).values({ teamId, userId, authorization: 'admin' })
  return { admin, teamId, url: `/api/v1/teams/${teamId}/sso` }
}

interface Presented {
  data: {
    connection: { id: string; callback_url: string; metadata_url: string | null } | null
    domains: { id: string; record_name: string; record_value: string; verified_at: string | null }[]
  }
}

async function addDomain(admin: TestBrowser, url: string, domain: string): Promise<string> {
  const { data } = (await admin.call('POST', `${url}/domains`, { domain })).body as Presented
  const added = data.domains.find(({ record_name }) => record_name === `_boxyard.${domain}`)!
  records.set(added.record_name, [['something else'], [added.record_value.slice(0, 9), added.record_value.slice(9)]])
  return added.id
}

async function verifiedDomain(admin: TestBrowser, url: string, domain: string): Promise<void> {
  const id = await addDomain(admin, url, domain)
  expect((await admin.call('POST', `${url}/domains/${id}/verify`)).status).toBe(200)
}

const samlSettings = {
  kind: 'saml',
  entry_point: 'https://idp.saml.test/sign-in',
  entity_id: saml.entityId,
  certificate: saml.certificate,
}
const messageOf = (page: BrowserAnswer) => /"message":(\{.*?\}),"appOrigin"/.exec(page.text)?.[1] ?? page.text

async function addressFor(browser: TestBrowser, email: string): Promise<string> {
  const { status, body } = await browser.call('GET', `/auth/workos/initialize?email=${encodeURIComponent(email)}`)
  expect(status).toBe(200)
  return (body as { redirect_url: string }).redirect_url
}

async function finalize(browser: TestBrowser, page: BrowserAnswer, username: string): Promise<void> {
  const id = /"id":"([^"]+)"/.exec(page.text)?.[1]
  expect((await browser.call('POST', '/api/v1/users/finalize', { id, username })).status).toBe(200)
}

async function membership(browser: TestBrowser, teamId: string): Promise<string | undefined> {
  const { id } = ((await browser.call('GET', '/api/v1/users/current')).body as { data: { id: string } }).data
  const rows = await server.context.database.select().from(teamMembers).where(eq(teamMembers.teamId, teamId))
  return rows.find(({ userId }) => userId === id)?.authorization
}

describe('the domains of a workspace', () => {
  it('SI20: count once the TXT record is there, for one workspace alone', async () => {
    const one = await workspace('dora')
    const id = await addDomain(one.admin, one.url, 'dora.test')
    const taken = [...records.get('_boxyard.dora.test')!]
    records.set('_boxyard.dora.test', [['boxyard-domain-verification=somebody-elses']])
    expect((await one.admin.call('POST', `${one.url}/domains/${id}/verify`)).status).toBe(409)
    records.delete('_boxyard.dora.test')
    expect((await one.admin.call('POST', `${one.url}/domains/${id}/verify`)).status).toBe(409)
    records.set('_boxyard.dora.test', taken)
    expect((await one.admin.call('POST', `${one.url}/domains/${id}/verify`)).body).toMatchObject({
      data: { domains: [{ domain: 'dora.test', verified_at: expect.any(String) }] },
    })

    const other = await workspace('dolf')
    const theirs = await addDomain(other.admin, other.url, 'dora.test')
    const answer = await other.admin.call('POST', `${other.url}/domains/${theirs}/verify`)
    expect([answer.status, answer.body]).toMatchObject([409, { error: { code: 'DOMAIN_TAKEN' } }])
  })

  it('SI21: are shown to administrators of the workspace and do not exist for strangers', async () => {
    const { url, teamId } = await workspace('emil')
    const stranger = await server.signedIn('erna')
    expect((await stranger.call('GET', url)).status).toBe(404)
    expect((await server.browser().call('GET', url)).status).toBe(401)
    const { id: userId } = ((await stranger.call('GET', '/api/v1/users/current')).body as { data: { id: string } }).data
    await server.context.database.insert(teamMembers).values({ teamId, userId, authorization: 'write' })
    expect((await stranger.call('GET', url)).status).toBe(403)
    expect((await stranger.call('PUT', url, { settings: samlSettings })).status).toBe(403)
  })
})

describe('the address where somebody signs in', () => {
  it('SI22: is told by domain, and 422 says that there is none', async () => {
    const { admin, url } = await workspace('fred')
    await admin.call('PUT', url, { settings: samlSettings })
    const browser = server.browser()
    const ask = () => browser.call('GET', '/auth/workos/initialize?email=anyone%40fred.test')
    expect((await ask()).status).toBe(422)
    await addDomain(admin, url, 'fred.test')
    expect((await ask()).status).toBe(422)
    await verifiedDomain(admin, url, 'fred.test')
    expect(await addressFor(browser, 'no-such-person@FRED.test')).toMatch(
      /\/auth\/sso\/[0-9a-f-]{36}\?version=2&login_hint=/,
    )
    expect((await browser.call('GET', '/api/meta/features')).body).toMatchObject({ login_with_workos: true })
  })

  it('SI23: is at no private address that the operator did not allow', async () => {
    const { admin, url } = await workspace('gerd')
    const put = (issuer: string) =>
      admin.call('PUT', url, { settings: { kind: 'oidc', issuer, client_id: 'x' }, client_secret: 'y' })
    expect((await put('http://169.254.169.254')).status).toBe(422)
    expect((await put('https://127.0.0.1:1')).status).toBe(200)
    await verifiedDomain(admin, url, 'gerd.test')
    const browser = server.browser()
    expect((await browser.open(await addressFor(browser, 'g@gerd.test'))).status).toBe(400)
  })
})

describe('sign-in by SAML', () => {
  let url: string
  let admin: TestBrowser
  let teamId: string

  beforeAll(async () => {
    ;({ admin, url, teamId } = await workspace('sam'))
    await admin.call('PUT', url, { settings: samlSettings })
    await verifiedDomain(admin, url, 'saml.test')
  })

  async function signIn(browser: TestBrowser, said: SamlAnswer, tamper = (answer: string) => answer) {
    const begun = await browser.request(await addressFor(browser, said.email))
    const request = saml.readRequest(begun.headers.location!)
    const body = new URLSearchParams({
      SAMLResponse: tamper(saml.answer(request, said)),
      RelayState: request.relayState,
    })
    const posted = await server.browser().request(request.callbackUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://idp.saml.test' },
      body: body.toString(),
    })
    expect(posted.status).toBe(303)
    return browser.open(posted.headers.location!)
  }

  it('SI24: makes an account that belongs to the workspace, and finds it again by the name and not by the address', async () => {
    const browser = server.browser()
    const page = await signIn(browser, { email: 'sue@saml.test', nameId: 'person-1' })
    expect(messageOf(page)).toContain('"type":"signup"')
    await finalize(browser, page, 'sue')
    expect(await membership(browser, teamId)).toBe('write')
    const again = server.browser()
    expect(messageOf(await signIn(again, { email: 'renamed@saml.test', nameId: 'person-1' }))).toBe('{"type":"signin"}')
    expect((await again.call('GET', '/api/v1/users/current')).body).toMatchObject({ data: { username: 'sue' } })
    const other = await signIn(server.browser(), { email: 'sue@saml.test', nameId: 'person-2' })
    expect(messageOf(other)).toBe('{"type":"duplicate"}')
  })

  const changed = (from: string, to: string) => (answer: string) =>
    Buffer.from(Buffer.from(answer, 'base64').toString().replaceAll(from, to)).toString('base64')
  /** Puts an unsigned assertion about somebody else where a careless reader looks first. */
  const wrapped = (place: (own: string, signed: string) => string) => (answer: string) => {
    const xml = Buffer.from(answer, 'base64').toString()
    const [signed] = /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)!
    const own = signed
      .replace(/<(\w+:)?Signature[\s\S]*<\/(\w+:)?Signature>/, '')
      .replace(' ID="_', ' ID="_own-')
      .replace('person-1', 'person-9')
    expect(own).not.toContain('Signature')
    return Buffer.from(xml.replace(signed, () => place(own, signed))).toString('base64')
  }
  it.each<[string, Partial<SamlAnswer>, ((answer: string) => string)?]>([
    ['with another name written into it', {}, changed('person-1', 'person-9')],
    ['with another address written into it', {}, changed('sue@saml.test', 'admin@saml.test')],
    ['without a signature', { signed: false }],
    ['with another assertion before the signed one', {}, wrapped((own, signed) => own + signed)],
    ['with another assertion behind the signed one', {}, wrapped((own, signed) => signed + own)],
    [
      'with the signed assertion inside of another',
      {},
      wrapped((own, signed) =>
        own.replace('</saml:Assertion>', `<saml:Advice>${signed}</saml:Advice></saml:Assertion>`),
      ),
    ],
    ['that is too old', { age: 60 }],
    ['of a time that has not come', { age: -60 }],
    ['for somebody else', { audience: 'https://elsewhere.test' }],
    ['to another request', { inResponseTo: '_stolen' }],
    ['sent to another place', { recipient: 'https://elsewhere.test/callback' }],
    ['of another issuer', { issuer: 'https://elsewhere.test' }],
    ['that is no XML', {}, () => Buffer.from('<x').toString('base64')],
  ])('SI25: refuses an answer %s', async (_title, said, tamper) => {
    const browser = server.browser()
    const page = await signIn(browser, { email: 'sue@saml.test', nameId: 'person-1', ...said }, tamper)
    expect([page.status, page.text.includes('did not confirm who you are')]).toEqual([400, true])
    expect((await browser.call('GET', '/api/v1/users/current')).status).toBe(401)
  })

  it('SI25: reads a name whole, also where a comment parts it, which changes nothing of what is signed', async () => {
    const browser = server.browser()
    const said = { email: 'eve@saml.test', nameId: 'person-1-eve' }
    const page = await signIn(browser, said, changed('person-1-eve', 'person-1<!-- -->-eve'))
    expect(messageOf(page)).toContain('"type":"signup"')
    expect((await browser.call('GET', '/api/v1/users/current')).status).toBe(401)
  })

  it('SI25: refuses an answer that is signed by somebody else', async () => {
    const forger = createSamlIdentity(saml.entityId)
    const browser = server.browser()
    const begun = await browser.request(await addressFor(browser, 'sue@saml.test'))
    const request = saml.readRequest(begun.headers.location!)
    const forged = forger.answer(request, { email: 'sue@saml.test', nameId: 'person-1' })
    const page = await signIn(browser, { email: 'sue@saml.test', nameId: 'person-1' }, () => forged)
    expect(page.status).toBe(400)
  })

  it('SI26: lets nobody in whose address is of another domain', async () => {
    const page = await signIn(server.browser(), { email: 'sue@saml.test', nameId: 'person-3' }, undefined)
    expect(messageOf(page)).toBe('{"type":"duplicate"}')
    const browser = server.browser()
    const begun = await browser.request(await addressFor(browser, 'sue@saml.test'))
    const request = saml.readRequest(begun.headers.location!)
    const SAMLResponse = saml.answer(request, { email: 'boss@elsewhere.test', nameId: 'person-4' })
    const posted = await browser.request(request.callbackUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ SAMLResponse, RelayState: request.relayState }).toString(),
    })
    const answer = await browser.open(posted.headers.location!)
    expect([answer.status, answer.text.includes('does not belong to a domain of the workspace')]).toEqual([403, true])
  })

  it('SI27: publishes what the identity provider has to know', async () => {
    const { data } = (await admin.call('GET', url)).body as Presented
    const metadata = await server.browser().request(data.connection!.metadata_url!)
    expect(metadata.text).toContain(`Location="${data.connection!.callback_url}"`)
    expect(metadata.text).toContain(`entityID="${data.connection!.metadata_url!}"`)
  })

  it('SI28: is the only way for people of the domain once the workspace says so', async () => {
    const outsider = await server.signedIn('oscar')
    await outsider.call('DELETE', '/api/v1/users/signout')
    const member = server.browser()
    const enforce = (enforced: boolean) => admin.call('PUT', url, { settings: samlSettings, enforced })
    expect((await enforce(true)).status).toBe(200)
    const start = await member.open('/auth/github?version=2')
    const join = await member.open(/<a href="([^"]*\/join\?[^"]*)"/.exec(start.text)![1]!.replaceAll('&#38;', '&'))
    const fields = { login: 'sneaky', email: 'sneaky@saml.test', password: 'correct horse battery' }
    const refused = await member.submit(join, '/join', fields)
    expect([refused.status, refused.text.includes('sign in with SSO')]).toEqual([403, true])
    expect((await member.call('GET', '/api/v1/users/current')).status).toBe(401)
    const sue = server.browser()
    expect(messageOf(await signIn(sue, { email: 'sue@saml.test', nameId: 'person-1' }))).toBe('{"type":"signin"}')
    await enforce(false)
  })

  it('SI29: is another connection when the identity provider is another one', async () => {
    const idOf = async () => ((await admin.call('GET', url)).body as Presented).data.connection!.id
    const before = await idOf()
    await admin.call('PUT', url, { settings: { ...samlSettings, entry_point: 'https://idp.saml.test/moved' } })
    expect(await idOf()).toBe(before)
    await admin.call('PUT', url, { settings: { ...samlSettings, entity_id: 'https://other.test' } })
    expect(await idOf()).not.toBe(before)
    await admin.call('PUT', url, { settings: samlSettings })
  })
})

it('SI30: signs in at the OpenID provider of a workspace, and keeps its secret encrypted', async () => {
  const { admin, url, teamId } = await workspace('otto')
  const settings = { kind: 'oidc', issuer: oidc.origin, client_id: oidcClient.id }
  expect((await admin.call('PUT', url, { settings })).status).toBe(422)
  const { data } = (await admin.call('PUT', url, { settings, client_secret: oidcClient.secret })).body as Presented
  await verifiedDomain(admin, url, 'oidc.test')
  const [row] = await server.context.database.select().from(ssoConnections).where(eq(ssoConnections.teamId, teamId))
  expect(JSON.stringify(row)).not.toContain(oidcClient.secret)
  // The provider learns the address of the callback, as its operator would enter it.
  oidc.register({ ...oidcClient, redirectUris: [data.connection!.callback_url] })
  oidc.people.set('olga', { email: 'olga@oidc.test', email_verified: true })
  const browser = server.browser()
  const begun = await browser.request(await addressFor(browser, 'olga@oidc.test'))
  expect(new URL(begun.headers.location!).searchParams.get('login_hint')).toBe('olga@oidc.test')
  const { redirect } = await oidc.signIn(begun.headers.location!, 'olga')
  const page = await browser.open(redirect!)
  expect(messageOf(page)).toContain('"type":"signup"')
  await finalize(browser, page, 'olga')
  expect(await membership(browser, teamId)).toBe('write')
})

it('SI31: signs in by WorkOS, for the organization of the workspace alone', async () => {
  const { admin, url } = await workspace('wanda')
  await admin.call('PUT', url, { settings: { kind: 'workos', organization: 'org_1' } })
  await verifiedDomain(admin, url, 'workos.test')
  const signIn = async (organization: string) => {
    workosProfile = { id: 'prof_1', organization_id: organization, email: 'wim@workos.test', first_name: 'Wim' }
    const browser = server.browser()
    const begun = new URL((await browser.request(await addressFor(browser, 'wim@workos.test'))).headers.location!)
    expect(begun.searchParams.get('organization')).toBe('org_1')
    const callback = `${begun.searchParams.get('redirect_uri')}?code=c1&state=${begun.searchParams.get('state')}`
    return browser.open(callback)
  }
  expect((await signIn('org_2')).status).toBe(400)
  expect(messageOf(await signIn('org_1'))).toContain('"type":"signup"')
  expect(Object.fromEntries(workosAsked!)).toEqual({
    grant_type: 'authorization_code',
    client_id: 'client_1',
    client_secret: 'sk_1',
    code: 'c1',
  })
})
