import { officialTemplatesSchema, sandboxPolicy, sandboxSchema } from '@boxyard/api'
import type { SandboxOperation } from '@boxyard/api'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureCollection } from '../collections/ensureCollection.ts'
import { sandboxes, teamMembers } from '../database/schema.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { recordingMachines } from '../testing/machines.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'
import { writeTemplates } from '../testing/templates.ts'
import { emptyTrash, TRASH_DAYS } from './sandboxes.ts'
import { templateId } from './templates.ts'

const machines = recordingMachines()
const templates = writeTemplates({
  'react-vite': { title: 'React', description: 'React with Vite', tags: ['react'], entry: '/src/App.tsx' },
  node: { title: 'Node', description: 'A plain server', tags: [] },
})
const reactVite = templateId('react-vite')

let server: TestServer
let owner: TestBrowser
let stranger: TestBrowser

beforeAll(async () => {
  server = await startTestServer(
    {},
    { machines: async () => ({ service: machines, close: async () => undefined }), templatesFolder: templates.folder },
  )
  owner = await server.signedIn('owner')
  stranger = await server.signedIn('stranger')
})
afterAll(async () => {
  await server.close()
  templates.remove()
})

async function fork(browser: TestBrowser, id: string, body?: unknown) {
  const answer = await browser.call('POST', `/api/v1/sandboxes/${id}/fork`, body)
  expect(answer.status).toBe(200)
  return sandboxSchema.parse((answer.body as { data: unknown }).data)
}

describe.each([
  ['POST', '/api/v1/sandboxes/react-vite/fork', { v2: true }],
  ['PUT', '/api/v1/sandboxes/abc123', { sandbox: {} }],
  ['PATCH', '/api/v1/sandboxes/abc123/privacy', { sandbox: { privacy: 0 } }],
  ['DELETE', '/api/v1/sandboxes/abc123', undefined],
])('%s %s', (method, path, body) => {
  it('requires authentication', async () => {
    expect((await server.browser().call(method, path, body)).status).toBe(401)
  })
})

describe('templates', () => {
  it('are listed for everyone as a bare array', async () => {
    const { body } = await server.browser().call('GET', '/api/v1/sandboxes/templates/official')
    const [group] = officialTemplatesSchema.parse(body)
    expect(group!.sandboxes.map(({ alias, title, id }) => [alias, title, id])).toEqual([
      ['node', 'Node', templateId('node')],
      ['react-vite', 'React', reactVite],
    ])
  })

  it('AP10: become private devboxes of whoever forks them, by id or name', async () => {
    const made = await fork(owner, reactVite, { v2: true })
    expect(made).toMatchObject({
      title: 'React',
      v2: true,
      privacy: 2,
      authorization: 'owner',
      author: { username: 'owner' },
      team: { name: 'owner' },
      entry: '/src/App.tsx',
      forked_template: { id: reactVite, title: 'React' },
    })
    expect(made.id).toMatch(/^[a-z0-9]{6}$/)
    expect(made.alias).toBe(`react-${made.id}`)
    expect(machines.created.get(made.id)).toEqual({
      kind: 'template',
      name: 'react-vite',
      folder: `${templates.folder}/react-vite`,
    })
    const byName = await fork(owner, 'node', { title: 'My server', privacy: 0 })
    expect(byName).toMatchObject({ title: 'My server', privacy: 0 })
  })

  it('AP9: leave no sandbox behind when the machine can not be made', async () => {
    const before = (await server.context.database.select().from(sandboxes)).length
    machines.failing = new Error('no space')
    const answer = await owner.call('POST', `/api/v1/sandboxes/${reactVite}/fork`, { v2: true })
    machines.failing = null
    expect(answer.status).toBe(500)
    expect(JSON.stringify(answer.body)).not.toContain('no space')
    expect((await server.context.database.select().from(sandboxes)).length).toBe(before)
  })
})

describe('a private sandbox', () => {
  it('AP4: does not exist for anyone else', async () => {
    const { id } = await fork(owner, reactVite)
    const missing = await stranger.call('GET', '/api/v1/sandboxes/zzzzzz')
    for (const [method, path, body] of [
      ['GET', `/api/v1/sandboxes/${id}`, undefined],
      ['PUT', `/api/v1/sandboxes/${id}`, { sandbox: { title: 'Mine' } }],
      ['DELETE', `/api/v1/sandboxes/${id}`, undefined],
      ['POST', `/api/v1/sandboxes/${id}/fork`, {}],
    ] as const) {
      const answer = await stranger.call(method, path, body)
      expect(answer.status).toBe(404)
      expect(answer.body).toEqual(missing.body)
    }
    expect((await server.browser().call('GET', `/api/v1/sandboxes/${id}`)).status).toBe(404)
  })
})

describe('a public sandbox', () => {
  it('AP3, AP5: can be seen and forked by others, and nothing else', async () => {
    const { id } = await fork(owner, reactVite, { privacy: 0, title: 'For all' })
    const seen = await server.browser().call('GET', `/api/v1/sandboxes/for-all-${id}`)
    expect((seen.body as { data: unknown }).data).toMatchObject({
      id,
      authorization: 'read',
      owned: false,
      abilities: { see: true, fork: true, edit: false, delete: false },
    })
    expect((await stranger.call('PUT', `/api/v1/sandboxes/${id}`, { sandbox: { title: 'Mine' } })).status).toBe(403)
    expect((await stranger.call('DELETE', `/api/v1/sandboxes/${id}`)).status).toBe(403)
    const copy = await fork(stranger, id)
    expect(copy).toMatchObject({
      title: 'For all (forked)',
      privacy: 2,
      authorization: 'owner',
      author: { username: 'stranger' },
      forked_from_sandbox: { id },
    })
    expect(machines.created.get(copy.id)).toEqual({ kind: 'sandbox', sandboxId: id, memory: false })
    const own = await fork(owner, id)
    expect(machines.created.get(own.id)).toEqual({ kind: 'sandbox', sandboxId: id, memory: true })
    expect((await owner.call('GET', `/api/v1/sandboxes/${id}`)).body).toMatchObject({ data: { fork_count: 2 } })
  })
})

describe('changing a sandbox', () => {
  it('keeps what is not mentioned', async () => {
    const { id } = await fork(owner, reactVite)
    const { body } = await owner.call('PUT', `/api/v1/sandboxes/${id}`, { sandbox: { title: '  A name  ' } })
    expect(body).toMatchObject({ data: { title: 'A name', privacy: 2, is_frozen: false } })
    await owner.call('PUT', `/api/v1/sandboxes/${id}`, { sandbox: { is_frozen: true, privacy: 1 } })
    expect((await owner.call('GET', `/api/v1/sandboxes/${id}`)).body).toMatchObject({
      data: { title: 'A name', privacy: 1, is_frozen: true },
    })
  })

  it('names each field that is not valid', async () => {
    const { id } = await fork(owner, reactVite)
    const answer = await owner.call('PUT', `/api/v1/sandboxes/${id}`, { sandbox: { title: '   ', privacy: 7 } })
    expect(answer.status).toBe(422)
    expect(Object.keys((answer.body as { errors: object }).errors)).toEqual(['sandbox.title', 'sandbox.privacy'])
  })
})

describe('deleting a sandbox', () => {
  it('stops its machine and hides it, and removes both after a while', async () => {
    const { id } = await fork(owner, reactVite)
    expect((await owner.call('DELETE', `/api/v1/sandboxes/${id}`)).status).toBe(204)
    expect(machines.stopped).toContain(id)
    expect((await owner.call('GET', `/api/v1/sandboxes/${id}`)).status).toBe(404)
    const { database } = server.context
    await emptyTrash(database, machines, new Date())
    expect(machines.removed).not.toContain(id)
    await emptyTrash(database, machines, new Date(Date.now() + TRASH_DAYS * 86_400_000 + 1000))
    expect(machines.removed).toContain(id)
    expect(await database.select().from(sandboxes).where(eq(sandboxes.id, id))).toEqual([])
  })
})

/** What each operation is over REST, where it is a route of this domain. */
const calls: Partial<Record<SandboxOperation, (id: string) => [string, string, unknown]>> = {
  see: (id) => ['GET', `/api/v1/sandboxes/${id}`, undefined],
  rename: (id) => ['PUT', `/api/v1/sandboxes/${id}`, { sandbox: { title: 'Renamed' } }],
  fork: (id) => ['POST', `/api/v1/sandboxes/${id}/fork`, {}],
  changePrivacy: (id) => ['PATCH', `/api/v1/sandboxes/${id}/privacy`, { sandbox: { privacy: 2 } }],
  freeze: (id) => ['PUT', `/api/v1/sandboxes/${id}`, { sandbox: { is_frozen: false } }],
  delete: (id) => ['DELETE', `/api/v1/sandboxes/${id}`, undefined],
}

describe.each(['none', 'read', 'write_code', 'owner'] as const)('AP1, AP3: someone with the role %s', (role) => {
  it.each(Object.keys(calls) as SandboxOperation[])('meets the policy of %s', async (operation) => {
    const { id, team } = await fork(owner, reactVite)
    const { database } = server.context
    const [{ data: user }] = [(await stranger.call('GET', '/api/v1/users/current')).body as { data: { id: string } }]
    await database.transaction(async (tx) => {
      const folder = await ensureCollection(tx, team.id, '/shared')
      await tx.update(sandboxes).set({ collectionId: folder.id }).where(eq(sandboxes.id, id))
    })
    const membership = role === 'owner' ? 'admin' : role === 'write_code' ? 'write' : role
    await database.delete(teamMembers).where(eq(teamMembers.userId, user.id))
    if (membership !== 'none') {
      await database.insert(teamMembers).values({ teamId: team.id, userId: user.id, authorization: membership })
    }
    const [method, path, body] = calls[operation]!(id)
    // A fork goes to the workspace of the one who forks, which this test took away.
    const payload = operation === 'fork' ? { team_id: team.id } : body
    const { status } = await stranger.call(method, path, payload)
    const allowed = (sandboxPolicy[operation] as readonly string[]).includes(role)
    if (role === 'none') expect(status).toBe(404)
    else if (operation === 'fork' && role === 'read') expect(status).toBe(403)
    else expect(status).toBe(allowed ? (method === 'DELETE' ? 204 : 200) : 403)
  })
})
