import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditEntries, sandboxes, secrets } from '../database/schema.ts'
import { idleTimeOf } from '../machines/idleTime.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { recordingMachines } from '../testing/machines.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'
import { writeTemplates } from '../testing/templates.ts'

const templates = writeTemplates({ node: { title: 'Node' } })
const machines = recordingMachines()
let server: TestServer
let owner: TestBrowser
let stranger: TestBrowser
let id: string

beforeAll(async () => {
  server = await startTestServer(
    {},
    {
      machines: async () => ({ service: machines, close: async () => undefined }),
      templatesFolder: templates.folder,
    },
  )
  owner = await server.signedIn('owner')
  stranger = await server.signedIn('stranger')
  const { body } = await owner.call('POST', '/api/v1/sandboxes/node/fork', { privacy: 0 })
  id = (body as { data: { id: string } }).data.id
})
afterAll(async () => {
  await server.close()
  templates.remove()
})

describe('the variables of a sandbox', () => {
  it('AP21: are kept encrypted, read by who may edit only, and their changes noted without their values', async () => {
    const variable = { environment_variable: { name: 'API_KEY', value: 'hunter2-secret' } }
    const set = await owner.call('POST', `/api/v1/sandboxes/${id}/env`, variable)
    expect([set.status, set.body]).toEqual([200, { data: { API_KEY: 'hunter2-secret' } }])
    expect((await stranger.call('GET', `/api/v1/sandboxes/${id}/env`)).status).toBe(403)
    expect((await server.browser().call('GET', `/api/v1/sandboxes/${id}/env`)).status).toBe(401)
    const { database } = server.context
    const [row] = await database.select().from(secrets).where(eq(secrets.sandboxId, id))
    expect(row!.sealedValue).not.toContain('hunter2')
    const noted = await database
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.sandboxId, id), eq(auditEntries.action, 'secret.set')))
    expect(noted.map(({ detail }) => detail)).toEqual([{ name: 'API_KEY' }])
    expect((await owner.call('DELETE', `/api/v1/sandboxes/${id}/env/API_KEY`)).body).toEqual({ data: {} })
    expect((await owner.call('DELETE', `/api/v1/sandboxes/${id}/env/API_KEY`)).status).toBe(404)
  })

  it('have names that a shell takes, and no NUL', async () => {
    for (const environment_variable of [
      { name: '1ST', value: 'x' },
      { name: 'A B', value: 'x' },
      { name: 'A', value: 'x\u0000' },
    ]) {
      expect((await owner.call('POST', `/api/v1/sandboxes/${id}/env`, { environment_variable })).status).toBe(422)
    }
  })
})

describe('what is around a sandbox', () => {
  it('has tags, a name for addresses, and a template', async () => {
    expect((await owner.call('POST', `/api/v1/sandboxes/${id}/tags`, { tag: 'Todo' })).body).toEqual({ data: ['todo'] })
    expect((await stranger.call('POST', `/api/v1/sandboxes/${id}/tags`, { tag: 'mine' })).status).toBe(403)
    expect((await owner.call('DELETE', `/api/v1/sandboxes/${id}/tags/todo`)).body).toEqual({ data: [] })

    await owner.call('PUT', `/api/v1/sandboxes/${id}`, { sandbox: { alias: 'my-own-name' } })
    const found = await stranger.call('GET', '/api/v1/sandboxes/my-own-name')
    expect((found.body as { data: { id: string; alias: string } }).data).toMatchObject({ id, alias: 'my-own-name' })
    const other = await stranger.call('POST', '/api/v1/sandboxes/node/fork', {})
    const otherId = (other.body as { data: { id: string } }).data.id
    const taken = await stranger.call('PUT', `/api/v1/sandboxes/${otherId}`, { sandbox: { alias: 'my-own-name' } })
    expect(taken.status).toBe(409)

    const made = await owner.call('POST', `/api/v1/sandboxes/${id}/templates`, { template: { color: '#1f6feb' } })
    const { template } = (made.body as { data: { template: { id: string; color: string } } }).data
    expect(template.color).toBe('#1f6feb')
    expect(template).toMatchObject({ url: `/devbox/${id}` })
    expect((await owner.call('DELETE', `/api/v1/sandboxes/${id}/templates/${template.id}`)).status).toBe(200)
  })

  it('keeps external resources, unless it is frozen', async () => {
    const resource = { external_resource: 'https://cdn.example.test/x.css' }
    expect((await owner.call('POST', `/api/v1/sandboxes/${id}/resources`, resource)).status).toBe(204)
    await owner.call('PUT', `/api/v1/sandboxes/${id}`, { sandbox: { is_frozen: true } })
    const frozen = await owner.call('DELETE', `/api/v1/sandboxes/${id}/resources`, { id: resource.external_resource })
    expect(frozen.status).toBe(403)
    await owner.call('PUT', `/api/v1/sandboxes/${id}`, { sandbox: { is_frozen: false } })
    expect(
      (await owner.call('DELETE', `/api/v1/sandboxes/${id}/resources`, { id: resource.external_resource })).status,
    ).toBe(204)
    const [row] = await server.context.database.select().from(sandboxes).where(eq(sandboxes.id, id))
    expect(row!.externalResources).toEqual([])
  })

  it('is counted and listed for its author', async () => {
    const { body } = await owner.call('GET', '/api/v1/sandboxes')
    expect((body as { data: { id: string }[] }).data.map((one) => one.id)).toEqual([id])
    const limits = await owner.call('GET', '/api/v1/sandboxes/limits')
    expect(limits.body).toEqual({ data: { sandbox_count: 1, sandbox_limit: expect.any(Number) as number } })
    const title = await owner.call('GET', '/api/v1/sandboxes/generate_title')
    expect((title.body as { data: { title: string } }).data.title).toMatch(/^[a-z]+-[a-z]+$/)
    expect((await owner.call('PATCH', `/api/v1/sandboxes/${id}/vm_tier`, { vm_tier: 7 })).status).toBe(403)
    expect((await owner.call('PATCH', `/api/v1/sandboxes/${id}/vm_tier`, { vm_tier: 2 })).status).toBe(204)
  })

  it('AP970: tells the size of its machine, which is changed within the plan', async () => {
    const sizeOf = async (of: string) => {
      const { body } = await owner.call('GET', `/api/v1/sandboxes/${of}`)
      return (body as { data: { vm_tier: number | null } }).data.vm_tier
    }
    const made = await owner.call('POST', '/api/v1/sandboxes/node/fork', { v2: true })
    const { id: devbox } = (made.body as { data: { id: string } }).data
    expect(await sizeOf(devbox)).toBe(3)
    const refused = await owner.call('PATCH', `/api/v1/sandboxes/${devbox}/vm_tier`, { vm_tier: 7 })
    expect(refused.status).toBe(403)
    expect(JSON.stringify(refused.body)).toContain('You reached the maximum of tier 2 in this plan')
    expect(await sizeOf(devbox)).toBe(3)
    expect((await owner.call('PATCH', `/api/v1/sandboxes/${devbox}/vm_tier`, { vm_tier: 1 })).status).toBe(204)
    expect(await sizeOf(devbox)).toBe(1)
    const { body } = await owner.call('GET', '/api/vm_tiers')
    const tiers = (body as { vm_tiers: { tier: number; name: string }[] }).vm_tiers
    expect(tiers.map(({ tier, name }) => [tier, name])).toEqual(
      ['Pico', 'Nano', 'Micro', 'Small', 'Medium', 'Large', 'XLarge'].map((name, at) => [at + 1, name]),
    )
    await server.context.database.update(sandboxes).set({ isV2: false }).where(eq(sandboxes.id, devbox))
    expect(await sizeOf(devbox)).toBeNull()
  })

  it('BX436: gives its size to its copies, as far as the plan of their workspace goes', async () => {
    const fork = async (of: string): Promise<string> =>
      ((await owner.call('POST', `/api/v1/sandboxes/${of}/fork`, { v2: true })).body as { data: { id: string } }).data
        .id
    machines.resized.length = 0
    const usual = await fork('node')
    expect(machines.resized).toEqual([])
    expect((await owner.call('PATCH', `/api/v1/sandboxes/${usual}/vm_tier`, { vm_tier: 1 })).status).toBe(204)
    const small = await fork(usual)
    expect(machines.resized).toEqual([
      [usual, 1],
      [small, 1],
    ])
    // Larger than the plan of the copy's workspace has.
    await server.context.database.update(sandboxes).set({ vmTier: 7 }).where(eq(sandboxes.id, usual))
    const copy = await fork(usual)
    const [, granted] = machines.resized.at(-1)!
    expect(machines.resized.at(-1)).toEqual([copy, granted])
    expect(granted).toBeLessThan(7)
    expect((await owner.call('PATCH', `/api/v1/sandboxes/${copy}/vm_tier`, { vm_tier: granted + 1 })).status).toBe(403)
  })
})

describe('people', () => {
  it('are found by the beginning of their name, taken as it is', async () => {
    const find = async (text: string) =>
      (await owner.call('GET', `/api/v1/users/search?username=${encodeURIComponent(text)}`)).body as {
        data: { username: string }[]
      }
    expect((await find('STRA')).data.map(({ username }) => username)).toEqual(['stranger'])
    expect((await find('%')).data).toEqual([])
  })

  it('keep settings of the editor that nobody else reads', async () => {
    const path = '/api/v1/users/current_user/editor_settings'
    const saved = await owner.call('POST', path, { name: 'work', settings: '{"a":1}' })
    const settings = (saved.body as { data: { id: string; settings: string } }).data
    expect(settings.settings).toBe('{"a":1}')
    expect((await stranger.call('PATCH', `${path}/${settings.id}`, { settings: 'x' })).status).toBe(404)
    expect((await stranger.call('GET', '/api/v1/users/current/editor_settings')).body).toEqual({ data: [] })
    expect((await owner.call('DELETE', path)).status).toBe(204)
    expect((await owner.call('GET', path)).body).toEqual({ data: [] })
  })

  it('AP900: settings that were changed meanwhile are not written over by who says what they were', async () => {
    const path = '/api/v1/users/current/editor_settings'
    const keep = (settings: string, kept: string | null | undefined) =>
      owner.call('POST', path, { name: 'meanwhile', settings, ...(kept !== undefined && { if_updated_at: kept }) })
    const momentOf = ({ body }: { body: unknown }) => (body as { data: { updated_at: string } }).data.updated_at
    const first = momentOf(await keep('1', null))
    expect((await keep('2', null)).status).toBe(409)
    const second = momentOf(await keep('2', first))
    expect(second > first).toBe(true)
    expect((await keep('3', first)).status).toBe(409)
    expect(momentOf(await keep('3', undefined)) > second).toBe(true)
    await owner.call('DELETE', path)
  })
})

it('AP860: a copy is called what whoever makes it says, in the words of older clients too', async () => {
  const made = async (body: object) =>
    ((await owner.call('POST', '/api/v1/sandboxes/node/fork', body)).body as { data: { title: string; alias: string } })
      .data
  expect(await made({ alias: 'My thing' })).toMatchObject({
    title: 'My thing',
    alias: expect.stringMatching(/^my-thing-[a-z0-9]{6}$/) as string,
  })
  expect((await made({ alias: 'Older', title: 'Newer' })).title).toBe('Newer')
})

it('AP861: a copy says what it was made of and by whom, as far as its reader may see that', async () => {
  const fork = async (of: string, body: object) =>
    ((await owner.call('POST', `/api/v1/sandboxes/${of}/fork`, body)).body as { data: { id: string } }).data.id
  const source = await fork('node', { privacy: 2, title: 'Starter' })
  const { body } = await owner.call('POST', `/api/v1/sandboxes/${source}/templates`, {
    template: { title: 'Our starter', color: '#112233' },
  })
  const template = (body as { data: { template: object } }).data.template
  const copy = await fork(source, { privacy: 0 })
  const made = { id: source, title: 'Starter', privacy: 2, custom_template: { title: 'Our starter', v2: true } }
  const seen = async (browser: TestBrowser) =>
    ((await browser.call('GET', `/api/v1/sandboxes/${copy}`)).body as { data: object }).data
  expect(template).toMatchObject({ title: 'Our starter' })
  expect(await seen(owner)).toMatchObject({
    author: { username: 'owner', badges: [], subscription_since: null, subscription_plan: null },
    forked_from_sandbox: made,
    forked_template_sandbox: made,
  })
  expect(await seen(stranger)).toMatchObject({ forked_from_sandbox: null, forked_template_sandbox: null })
})

describe('what machines are like', () => {
  it('BX706: a workspace says the size of new machines and when machines sleep; a box and a repository say more', async () => {
    const { database } = server.context
    const devbox = async (): Promise<string> => {
      const { body } = await owner.call('POST', '/api/v1/sandboxes/node/fork', { v2: true })
      return (body as { data: { id: string } }).data.id
    }
    const before = await devbox()
    const [row] = await database.select().from(sandboxes).where(eq(sandboxes.id, before))
    expect([row!.vmTier, await idleTimeOf(database, before)]).toEqual([null, null])
    const address = `/api/v1/teams/${row!.teamId}/machines`
    const change = { vm_tier: 1, idle_minutes: 5 }
    expect((await owner.call('PATCH', address, change)).body).toEqual({ data: { ...change, largest_vm_tier: 2 } })
    expect((await owner.call('GET', address)).body).toEqual({ data: { ...change, largest_vm_tier: 2 } })
    for (const call of [
      await stranger.call('GET', address),
      await stranger.call('PATCH', address, change),
      await owner.call('PATCH', address, { vm_tier: 3 }),
      await owner.call('PATCH', address, { vm_tier: 8 }),
      await owner.call('PATCH', address, { idle_minutes: 0 }),
    ]) {
      expect(call.status).toBeGreaterThanOrEqual(400)
    }
    const after = await devbox()
    expect(machines.resized).toContainEqual([after, 1])
    expect(machines.resized.map(([resized]) => resized)).not.toContain(before)
    expect([await idleTimeOf(database, before), await idleTimeOf(database, after)]).toEqual([300_000, 300_000])

    expect((await owner.call('PATCH', `/api/v1/sandboxes/${after}/idle_minutes`, { idle_minutes: 90 })).status).toBe(
      204,
    )
    expect(machines.idleTimes.get(after)).toBe(90)
    const refused = await stranger.call('PATCH', `/api/v1/sandboxes/${after}/idle_minutes`, { idle_minutes: 1 })
    expect([403, 404]).toContain(refused.status)
    expect(machines.idleTimes.get(after)).toBe(90)
    await owner.call('PATCH', address, { vm_tier: null, idle_minutes: null })
    expect(await idleTimeOf(database, before)).toBeNull()
  })
})
