import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestBrowser } from '../testing/browser.ts'
import { recordingMachines } from '../testing/machines.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'
import { writeTemplates } from '../testing/templates.ts'

const templates = writeTemplates({ node: { title: 'Node' }, react: { title: 'React' } })
let server: TestServer
let ada: TestBrowser

beforeAll(async () => {
  server = await startTestServer(
    {},
    {
      machines: async () => ({ service: recordingMachines(), close: async () => undefined }),
      templatesFolder: templates.folder,
    },
  )
  ada = await server.signedIn('ada')
})
afterAll(async () => {
  await server.close()
  templates.remove()
})

const ask = async (browser: TestBrowser, query: string, variables?: object) =>
  (await browser.call('POST', '/api/graphql', { query, variables })).body

async function fork(browser: TestBrowser, template: string, body: object = {}): Promise<string> {
  const answer = await browser.call('POST', `/api/v1/sandboxes/${template}/fork`, body)
  return (answer.body as { data: { id: string } }).data.id
}

describe('me', () => {
  it('requires authentication: it is null for a visitor', async () => {
    expect(await ask(server.browser(), '{ me { id } }')).toEqual({ data: { me: null } })
  })

  it('says who asks and which workspaces there are', async () => {
    const answer = await ask(
      ada,
      '{ me { username email personalWorkspaceId primaryWorkspaceId workspaces { id name avatarUrl } } }',
    )
    const { me } = (answer as { data: { me: { personalWorkspaceId: string } } }).data
    expect(me).toEqual({
      username: 'ada',
      email: 'ada@example.test',
      personalWorkspaceId: me.personalWorkspaceId,
      primaryWorkspaceId: me.personalWorkspaceId,
      workspaces: [{ id: me.personalWorkspaceId, name: 'ada', avatarUrl: null }],
    })
  })

  it('WB1071: lists what was opened last first, without what was deleted or closed since, or only made ahead', async () => {
    const visitor = await server.signedIn('vera')
    const kept = await fork(ada, 'node', { privacy: 0, title: 'Kept' })
    const closed = await fork(ada, 'node', { privacy: 0 })
    const deleted = await fork(ada, 'node', { privacy: 0 })
    const own = await fork(visitor, 'react')
    for (const id of [deleted, closed, own, kept]) await visitor.call('GET', `/api/v1/sandboxes/${id}`)
    // As browsers ask for a page that nobody looks at yet.
    await visitor.request(`/api/v1/sandboxes/${own}`, { headers: { 'sec-purpose': 'prefetch;prerender' } })
    await ada.call('PATCH', `/api/v1/sandboxes/${closed}/privacy`, { sandbox: { privacy: 2 } })
    await ada.call('DELETE', `/api/v1/sandboxes/${deleted}`)

    const document = `query recent($limit: Int) { me {
      recentlyAccessedSandboxes(limit: $limit) {
        id title isV2 privacy lastAccessedAt authorization screenshotUrl author { username } team { name } forkedTemplate { iconUrl official }
      }
      recentlyUsedTemplates { title }
    } }`
    const answer = (await ask(visitor, document, { limit: 10 })) as {
      data: { me: { recentlyAccessedSandboxes: { lastAccessedAt: string }[] } }
    }
    const recent = answer.data.me.recentlyAccessedSandboxes
    expect(answer.data.me).toEqual({
      recentlyAccessedSandboxes: [
        {
          id: kept,
          title: 'Kept',
          isV2: true,
          privacy: 0,
          lastAccessedAt: recent[0]!.lastAccessedAt,
          authorization: 'READ',
          screenshotUrl: null,
          author: { username: 'ada' },
          team: { name: 'ada' },
          forkedTemplate: { iconUrl: null, official: true },
        },
        expect.objectContaining({ id: own, privacy: 2, authorization: 'OWNER', author: { username: 'vera' } }),
      ],
      recentlyUsedTemplates: [{ title: 'React' }],
    })
    expect(Date.parse(recent[0]!.lastAccessedAt)).toBeGreaterThanOrEqual(Date.parse(recent[1]!.lastAccessedAt))
    const one = await ask(visitor, document, { limit: 1 })
    expect((one as typeof answer).data.me.recentlyAccessedSandboxes).toHaveLength(1)
  })
})

describe('sandbox', () => {
  it('is null for whoever may not see it', async () => {
    const id = await fork(ada, 'node')
    const document = 'query ($id: ID!) { sandbox(sandboxId: $id) { id authorization } }'
    expect(await ask(ada, document, { id })).toEqual({ data: { sandbox: { id, authorization: 'OWNER' } } })
    expect(await ask(server.browser(), document, { id })).toEqual({ data: { sandbox: null } })
  })
})

describe('the transport', () => {
  it('answers a batch in order, beside the extra keys of each request', async () => {
    const { body } = await ada.call('POST', '/api/graphql', [
      { operationName: 'a', query: 'query a { me { username } }', id: 'q1' },
      { query: '{ nothing }', id: 'q2' },
    ])
    expect(body).toEqual([
      { id: 'q1', payload: { data: { me: { username: 'ada' } } } },
      {
        id: 'q2',
        payload: { errors: [expect.objectContaining({ message: expect.stringContaining('nothing') as string })] },
      },
    ])
  })

  it('answers documents and variables that are not valid with errors and status 200', async () => {
    for (const [query, variables] of [
      ['{ me {', undefined],
      ['{ me }', undefined],
      ['query ($id: ID!) { sandbox(sandboxId: $id) { id } }', {}],
      ['{ me { recentlyAccessedSandboxes(teamId: "no uuid") { id } } }', undefined],
    ] as const) {
      const { status, body } = await ada.call('POST', '/api/graphql', { query, variables })
      expect([query, status]).toEqual([query, 200])
      expect((body as { errors: unknown[] }).errors.length).toBeGreaterThan(0)
    }
    expect((await ada.call('POST', '/api/graphql', { variables: {} })).status).toBe(422)
  })
})

describe('AP702: what is too much', () => {
  const nested = (depth: number) =>
    `{ me ${'{ team { collections { team '.repeat(depth)}{ id }${' } } }'.repeat(depth)} }`

  it.each([
    ['a string of 10 MB', { query: '{ me { id } }', variables: { text: 'x'.repeat(10 * 1024 * 1024) } }, 413],
    ['a document of 10 MB', { query: `{ me { id } } # ${'x'.repeat(10 * 1024 * 1024)}` }, 413],
    ['a batch that is too long', Array.from({ length: 21 }, () => ({ query: '{ me { id } }' })), 422],
    ['an empty batch', [], 422],
    ['a document that is no text', { query: { me: true } }, 422],
  ])('%s is refused with its status', async (_label, payload, status) => {
    const answer = await ada.call('POST', '/api/graphql', payload)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject(
      status === 413 ? { error: { code: 'PAYLOAD_TOO_LARGE' } } : { code: 'INVALID_INPUT' },
    )
  })

  it.each([
    ['too deep', nested(10), /levels deep/],
    ['too many names', `{ ${Array.from({ length: 31 }, (_, index) => `a${index}: me { id }`).join(' ')} }`, /aliases/],
    ['too many fields', `{ ${Array.from({ length: 1001 }, () => 'me { id }').join(' ')} }`, /fields/],
    ['too long', `{ ${'me { id } '.repeat(2000)} }`, /token/i],
    ['deeper than a stack', `{ ${'me { '.repeat(2400)}`, /nested deeper/],
    ['a value that is too deep', `{ album(albumId: ${'['.repeat(2000)}${']'.repeat(2000)}) { id } }`, /nested deeper/],
  ])('a document that is %s runs nothing', async (_label, query, problem) => {
    const { status, body } = await ada.call('POST', '/api/graphql', { query })
    expect(status).toBe(200)
    const { data, errors } = body as { data?: unknown; errors: { message: string }[] }
    expect(data).toBeUndefined()
    expect(errors[0]!.message).toMatch(problem)
  })

  it('is the same on the socket address without its first part', async () => {
    const answer = await ada.call('POST', '/graphql', { query: nested(10) })
    expect(JSON.stringify(answer.body)).toContain('levels deep')
  })
})

describe('the types of the query API', () => {
  it('can be read by everyone, and asked at the shorter address too', async () => {
    const answer = await server.browser().request('/api/schema.graphql')
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('type RootMutationType {')])
    const { body } = await ada.call('POST', '/graphql', { query: '{ me { username } }' })
    expect(body).toEqual({ data: { me: { username: 'ada' } } })
  })
})

describe('the description of the REST API', () => {
  it('lists the routes with their schemas and hides what is not API', async () => {
    const { body } = await server.browser().call('GET', '/api/openapi.json')
    const { paths } = body as { paths: Record<string, Record<string, { requestBody?: unknown }>> }
    expect(Object.keys(paths)).toContain('/api/v1/sandboxes/{id}')
    expect(JSON.stringify(paths['/api/v1/users/finalize']!['post']!.requestBody)).toContain('username')
    expect(Object.keys(paths).filter((path) => !path.startsWith('/api/'))).toEqual([])
  })
})
