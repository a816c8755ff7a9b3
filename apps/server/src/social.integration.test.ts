import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renewSubscriptions } from './billing/renewSubscriptions.ts'
import { nextBill } from './billing/subscriptions.ts'
import { creditEntries, privateRegistries, subscriptions, teamMembers } from './database/schema.ts'
import { ask, failureOf, valueOf } from './testing/ask.ts'
import type { TestBrowser } from './testing/browser.ts'
import { recordingMachines } from './testing/machines.ts'
import { startTestServer } from './testing/server.ts'
import type { TestServer } from './testing/server.ts'
import { writeTemplates } from './testing/templates.ts'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const templates = writeTemplates({ node: { title: 'Node' } })
let server: TestServer
let admin: TestBrowser
let member: TestBrowser
let team: string
let ids: { admin: string; member: string }

beforeAll(async () => {
  const machines = async () => ({ service: recordingMachines(), close: async () => undefined })
  server = await startTestServer({}, { machines, templatesFolder: templates.folder })
  admin = await server.signedIn('ada')
  member = await server.signedIn('grace')
  const me = '{ me { id personalWorkspaceId } }'
  const own = await valueOf<{ id: string; personalWorkspaceId: string }>(admin, me)
  ids = { admin: own.id, member: (await valueOf<{ id: string }>(member, me)).id }
  team = own.personalWorkspaceId
  await server.context.database.insert(teamMembers).values({ teamId: team, userId: ids.member, authorization: 'write' })
})
afterAll(async () => {
  await server.close()
  templates.remove()
})

async function fork(browser: TestBrowser, privacy: number): Promise<string> {
  const answer = await browser.call('POST', '/api/v1/sandboxes/node/fork', { privacy })
  return (answer.body as { data: { id: string } }).data.id
}

describe('likes', () => {
  it('AP350: count once a person', async () => {
    const id = await fork(admin, 0)
    const path = `/api/v1/sandboxes/${id}/likes`
    expect((await member.call('POST', path)).body).toEqual({ data: { id, like_count: 1, user_liked: true } })
    expect((await member.call('POST', path)).body).toMatchObject({ data: { like_count: 1 } })
    expect((await admin.call('POST', path)).body).toMatchObject({ data: { like_count: 2 } })
    expect(await valueOf(member, '{ me { likedSandboxes { id likeCount } } }')).toEqual({
      likedSandboxes: [{ id, likeCount: 2 }],
    })
    expect((await member.call('DELETE', path)).body).toEqual({ data: { id, like_count: 1, user_liked: false } })
    expect((await member.call('POST', `/api/v1/sandboxes/${await fork(admin, 2)}/likes`)).status).toBe(404)
    expect((await server.browser().call('POST', path)).status).toBe(401)
  })
})

describe('albums', () => {
  it('AP351: show public sandboxes, and belong to whoever made them', async () => {
    const [shown, hidden] = [await fork(admin, 0), await fork(admin, 2)]
    const { id } = await valueOf<{ id: string }>(admin, 'mutation { createAlbum(title: "Best") { id } }')
    const add = `mutation { addSandboxesToAlbum(albumId: "${id}", sandboxIds: ["${hidden}", "${shown}"]) { sandboxes { id } } }`
    expect(await failureOf(member, add)).toBe('FORBIDDEN')
    expect(await valueOf(admin, add)).toEqual({ sandboxes: [{ id: shown }] })
    expect(await valueOf(member, `{ album(albumId: "${id}") { title sandboxes { id } } }`)).toEqual({
      title: 'Best',
      sandboxes: [{ id: shown }],
    })
    expect(await valueOf(server.browser(), '{ curatedAlbums { id } }')).toEqual([{ id }])
    expect(await valueOf(server.browser(), '{ albums(username: "ADA") { title } }')).toEqual([{ title: 'Best' }])
    expect(await valueOf(server.browser(), '{ album(albumId: "nothing") { id } }')).toBeNull()
    const remove = `mutation { removeSandboxesFromAlbum(albumId: "${id}", sandboxIds: ["${shown}"]) { sandboxes { id } } }`
    expect(await valueOf(admin, remove)).toEqual({ sandboxes: [] })
    expect(await valueOf(admin, `mutation { updateAlbum(id: "${id}", title: "Better") { title } }`)).toEqual({
      title: 'Better',
    })
    await valueOf(member, 'mutation { createAlbum(title: "Mine") { id } }')
    expect(await valueOf(server.browser(), '{ curatedAlbums { id } }')).toHaveLength(1)
    expect(await valueOf(admin, `mutation { deleteAlbum(id: "${id}") }`)).toBe(id)
    expect(await failureOf(admin, `mutation { deleteAlbum(id: "${id}") }`)).toBe('NOT_FOUND')
  })
})

describe('private registries', () => {
  it('AP352: keep their key for administrators', async () => {
    const set = (more: string) => `mutation { createOrUpdatePrivateNpmRegistry(teamId: "${team}", registryType: CUSTOM,
      enabledScopes: ["@acme"], limitToScopes: true, proxyEnabled: false ${more}) { registryAuthKey registryUrl } }`
    const url = 'registryUrl: "https://packages.test"'
    expect(await failureOf(member, set(url))).toBe('FORBIDDEN')
    expect(await failureOf(admin, set(''))).toBe('INVALID_INPUT')
    expect(await failureOf(admin, set('registryUrl: "https://a:b@packages.test"'))).toBe('INVALID_INPUT')
    expect(await failureOf(admin, set('registryUrl: "text"'))).toBe('INVALID_INPUT')
    expect(await valueOf(admin, set(`${url} registryAuthKey: "secret"`))).toEqual({
      registryAuthKey: 'secret',
      registryUrl: 'https://packages.test',
    })
    expect(await valueOf(admin, set(url))).toMatchObject({ registryAuthKey: 'secret' })
    const seen = (browser: TestBrowser) =>
      valueOf<{ workspaces: { id: string; privateRegistry: object | null }[] }>(
        browser,
        '{ me { workspaces { id privateRegistry { registryAuthKey enabledScopes } } } }',
      )
    const ofTeam = async (browser: TestBrowser) => (await seen(browser)).workspaces.find(({ id }) => id === team)!
    expect((await ofTeam(admin)).privateRegistry).toEqual({ registryAuthKey: 'secret', enabledScopes: ['@acme'] })
    expect((await ofTeam(member)).privateRegistry).toEqual({ registryAuthKey: null, enabledScopes: ['@acme'] })
    const [row] = await server.context.database.select().from(privateRegistries)
    expect(JSON.stringify(row)).not.toContain('secret')
    expect(await valueOf(admin, set('registryUrl: "https://elsewhere.test"'))).toMatchObject({ registryAuthKey: null })
    await valueOf(admin, `mutation { deletePrivateNpmRegistry(teamId: "${team}") { id } }`)
    expect((await ofTeam(admin)).privateRegistry).toBeNull()
  })
})

describe('uploads', () => {
  const path = '/api/v1/users/current_user/uploads'

  it('AP353: are kept, served as what they are, and removed', async () => {
    const image = { name: '../../etc/a b.png', content: `data:text/html;base64,${PIXEL}` }
    const { data } = (await member.call('POST', path, image)).body as { data: { id: string; url: string } }
    const page = { name: 'page.html', content: `data:image/png;base64,${Buffer.from('<script>').toString('base64')}` }
    const other = (await member.call('POST', path, page)).body as { data: { id: string; url: string } }
    expect((await member.call('GET', path)).body).toMatchObject({
      data: {
        uploads: [{ id: data.id, name: 'a b.png', object_size: 70 }, { name: 'page.html' }],
        current_size: 78,
      },
    })
    const served = await server.browser().request(data.url)
    expect([served.status, served.headers['content-type'], served.headers['content-disposition']]).toEqual([
      200,
      'image/png',
      "inline; filename*=UTF-8''a%20b.png",
    ])
    const active = await server.browser().request(other.data.url)
    expect(active.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': "attachment; filename*=UTF-8''page.html",
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    })
    expect((await admin.call('DELETE', `${path}/${data.id}`)).status).toBe(404)
    expect((await member.call('DELETE', `${path}/${data.id}`)).status).toBe(204)
    expect((await server.browser().request(data.url)).status).toBe(404)
  })

  it('AP353: stay while somebody else has the same bytes, and refuse what is none or too large', async () => {
    const image = { name: 'a.png', content: `data:image/png;base64,${PIXEL}` }
    const [mine, theirs] = await Promise.all(
      [member, admin].map(
        async (browser) =>
          ((await browser.call('POST', path, image)).body as { data: { id: string; url: string } }).data,
      ),
    )
    await member.call('DELETE', `${path}/${mine!.id}`)
    expect((await server.browser().request(theirs!.url)).status).toBe(200)
    const large = { name: 'large', content: 'A'.repeat(7 * 1024 * 1024) }
    expect((await member.call('POST', path, large)).status).toBe(413)
    expect((await member.call('POST', path, { name: 'x', content: 'data:,hello' })).status).toBe(422)
    expect((await member.call('POST', path, { name: 'x', content: '***' })).status).toBe(422)
    expect((await server.browser().call('GET', path)).status).toBe(401)
  })
})

describe('the picture of a workspace', () => {
  it('AP353: is an upload of whoever sets it, and an image', async () => {
    const path = `/api/v1/teams/${team}/avatar`
    const avatar = `data:image/png;base64,${PIXEL}`
    expect((await member.call('POST', path, { name: 'a.png', avatar })).status).toBe(403)
    const text = `data:image/png;base64,${Buffer.from('text').toString('base64')}`
    expect((await admin.call('POST', path, { name: 'a.png', avatar: text })).status).toBe(422)
    const { data } = (await admin.call('POST', path, { name: 'a.png', avatar })).body as { data: { url: string } }
    expect((await server.browser().request(data.url)).headers['content-type']).toBe('image/png')
    const { workspaces } = await valueOf<{ workspaces: { id: string; avatarUrl: string }[] }>(
      admin,
      '{ me { workspaces { id avatarUrl } } }',
    )
    expect(workspaces.find(({ id }) => id === team)!.avatarUrl).toBe(data.url)
  })
})

describe('billing', () => {
  it('AP354: gives more at once and less with the next bill, and enters credits once', async () => {
    const order = (plan: string, addons: string[] = []) =>
      `mutation { convertToUsageBilling(teamId: "${team}", plan: "${plan}", addons: ${JSON.stringify(addons)}) }`
    expect(await failureOf(member, order('flex'))).toBe('FORBIDDEN')
    expect(await failureOf(admin, order('nothing'))).toBe('INVALID_INPUT')
    expect(await failureOf(admin, order('flex', ['toString']))).toBe('INVALID_INPUT')
    expect(await valueOf(admin, order('flex', ['credits_500']))).toBe(true)
    expect(await valueOf(admin, order('flex', ['credits_500']))).toBe(true)
    const entries = () => server.context.database.select().from(creditEntries).where(eq(creditEntries.teamId, team))
    expect((await entries()).map(({ amount }) => amount).toSorted()).toEqual([1000, 500])

    const preview = (plan: string) =>
      `mutation { previewUpdateUsageSubscriptionPlan(teamId: "${team}", plan: "${plan}") { total updateMoment } }`
    expect(await valueOf(admin, preview('builder'))).toEqual({ total: 17_750, updateMoment: 'IMMEDIATELY' })
    await valueOf(admin, `mutation { updateUsageSubscriptionPlan(teamId: "${team}", plan: "builder") }`)
    expect(await valueOf(admin, preview('flex'))).toEqual({ total: 1650, updateMoment: 'NEXT_BILL_DATE' })
    await valueOf(admin, `mutation { updateUsageSubscriptionPlan(teamId: "${team}", plan: "flex") }`)
    const state = `{ me { workspaces { id subscription { id active unitPrice cancelAtPeriodEnd billingInterval }
      subscriptionSchedule { current { items { name } } upcoming { items { name unitAmount } } } } } }`
    const { workspaces } = await valueOf<{
      workspaces: { id: string; subscription: { id: string } | null; subscriptionSchedule: object | null }[]
    }>(admin, state)
    const ours = workspaces.find(({ id }) => id === team)!
    expect(ours).toMatchObject({
      subscription: { active: true, unitPrice: 17_750, billingInterval: 'MONTHLY' },
      subscriptionSchedule: {
        current: { items: [{ name: 'builder' }, { name: 'credits_500' }] },
        upcoming: { items: [{ name: 'flex', unitAmount: 900 }, { name: 'credits_500' }] },
      },
    })
    const args = `(teamId: "${team}", subscriptionId: "${ours.subscription!.id}")`
    expect(await valueOf(admin, `mutation { softCancelSubscription${args} { cancelAtPeriodEnd active } }`)).toEqual({
      cancelAtPeriodEnd: true,
      active: true,
    })
    expect(await valueOf(admin, `mutation { reactivateSubscription${args} { cancelAtPeriodEnd } }`)).toEqual({
      cancelAtPeriodEnd: false,
    })
    expect(await failureOf(member, `mutation { softCancelSubscription${args} { id } }`)).toBe('FORBIDDEN')
  })

  it('AP357: ends what was cancelled and begins what was ordered when the bill is due', async () => {
    const { database } = server.context
    const load = async () => (await database.select().from(subscriptions).where(eq(subscriptions.teamId, team)))[0]!
    const before = await load()
    expect(await renewSubscriptions(database, new Date(before.nextBillDate!.getTime() - 1))).toBe(0)
    expect(await renewSubscriptions(database, before.nextBillDate!)).toBe(1)
    const renewed = await load()
    expect(renewed).toMatchObject({ plan: 'flex', unitPrice: 1650, upcoming: null, status: 'active' })
    expect(renewed.nextBillDate).toEqual(nextBill(before.nextBillDate!, 'monthly'))
    const args = `(teamId: "${team}", subscriptionId: "${renewed.id}")`
    await valueOf(admin, `mutation { softCancelSubscription${args} { id } }`)
    expect(await renewSubscriptions(database, renewed.nextBillDate!)).toBe(1)
    expect(await load()).toMatchObject({ status: 'cancelled', nextBillDate: null })
    expect(await failureOf(admin, `mutation { reactivateSubscription${args} { id } }`)).toBe('NOT_FOUND')
  })

  it('AP354: names its prices at both addresses', async () => {
    const [first, second] = [await admin.call('GET', '/api/prices'), await admin.call('GET', '/api/v1/prices')]
    expect(first.body).toEqual(second.body)
    expect(first.body).toMatchObject({ base: { flex: { cost_month: 900 } }, addons: { credits_500: { credits: 500 } } })
  })
})

describe('feature flags', () => {
  it('AP355: hold for everyone or for one, and only administrators change them', async () => {
    const path = '/api/v1/admin/feature_flags/ubbBeta'
    expect((await member.call('PUT', path, { enabled: true })).status).toBe(403)
    expect((await admin.call('PUT', path, { enabled: true, user_id: ids.member })).status).toBe(404)
    expect((await admin.call('PUT', path, { enabled: false })).status).toBe(204)
    expect((await admin.call('PUT', path, { enabled: true, user_id: ids.member })).status).toBe(204)
    expect((await member.call('GET', '/api/v1/users/current/feature_flags')).body).toEqual({ data: { ubbBeta: true } })
    expect((await admin.call('GET', '/api/v1/users/current/feature_flags')).body).toEqual({ data: { ubbBeta: false } })
    expect(await valueOf(member, '{ me { featureFlags { ubbBeta } } }')).toEqual({ featureFlags: { ubbBeta: true } })
  })
})

describe('the audit log', () => {
  it('AP356: tells administrators who changed what', async () => {
    const entries = async (browser: TestBrowser, path: string) => {
      const { status, body } = await browser.call('GET', path)
      return status === 200 ? (body as { data: { action: string; actor_id: string }[] }).data : status
    }
    await ask(admin, `mutation { joinUsageBillingBeta(teamId: "${team}") }`)
    const path = `/api/v1/teams/${team}/audit_log`
    expect(await entries(admin, `${path}?limit=1`)).toMatchObject([
      { action: 'team.settingsChanged', actor_id: ids.admin },
    ])
    expect(await entries(member, path)).toBe(403)
    expect(await entries(await server.signedIn('stranger'), path)).toBe(404)
    expect((await admin.call('POST', `/api/v1/users/curators/${ids.member}`)).status).toBe(204)
    expect((await member.call('POST', `/api/v1/users/curators/${ids.admin}`)).status).toBe(403)
    expect(await entries(admin, '/api/v1/admin/audit_log?limit=1')).toMatchObject([{ action: 'curator.appointed' }])
    expect(await entries(member, '/api/v1/admin/audit_log')).toBe(403)
  })
})

describe('the explore page', () => {
  it('AP358: shows public sandboxes, those that curators chose with their words', async () => {
    const [shown, hidden] = [await fork(admin, 0), await fork(admin, 1)]
    const pick = (browser: TestBrowser, id: string) =>
      browser.call('POST', `/api/v1/sandboxes/${id}/pick`, { title: 'Look', description: 'It is good' })
    const outsider = await server.signedIn('outsider')
    expect((await pick(outsider, shown)).status).toBe(403)
    expect((await pick(admin, hidden)).status).toBe(422)
    expect((await pick(admin, shown)).body).toMatchObject({ data: { title: 'Look' } })
    expect((await server.browser().call('GET', '/api/v1/sandboxes/picked?page=1')).body).toMatchObject({
      page: 1,
      sandboxes: [{ id: shown, author: { username: 'ada' }, picks: [{ title: 'Look', description: 'It is good' }] }],
    })
    const { sandboxes } = (await server.browser().call('GET', '/api/v1/sandboxes/popular')).body as {
      sandboxes: { id: string }[]
    }
    const ids = sandboxes.map(({ id }) => id)
    expect(ids).toContain(shown)
    expect(ids).not.toContain(hidden)
  })
})
