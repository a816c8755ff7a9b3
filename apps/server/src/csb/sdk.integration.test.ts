import { classify, decode, encode } from '@boxyard/protocol'
import { WebSocket } from 'ws'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { personalTeamId } from '../workspaces/teams.ts'
import { firstAdministrator } from '../accounts/users.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { askPreview, previewToken } from '../testing/preview.ts'
import { startSdkServer } from './testing/sdkServer.ts'
import type { SdkServer } from './testing/sdkServer.ts'

let sdk: SdkServer
let owner: TestBrowser
let teamId: string

beforeAll(async () => {
  sdk = await startSdkServer()
  owner = await sdk.server.signedIn('owner')
  await sdk.server.signedIn('stranger')
  const { database } = sdk.server.context
  teamId = await personalTeamId(database, (await firstAdministrator(database)).id)
})
afterAll(() => sdk.server.close())

async function newKey(body: object = {}, team = teamId): Promise<string> {
  const made = await sdk.call('POST', `/org/workspace/${team}/tokens`, { body })
  expect(made.status, JSON.stringify(made.body)).toBe(200)
  return made.body.data.token
}

async function fork(body: object = {}, options: { key?: string; of?: string } = {}): Promise<string> {
  const { of = 'pcz35m', ...rest } = options
  const made = await sdk.call('POST', `/sandbox/${encodeURIComponent(of)}/fork`, { body, ...rest })
  expect(made.status, JSON.stringify(made.body)).toBe(200)
  return made.body.data.id
}

const status = async (method: string, path: string, options: { key?: string; body?: unknown } = {}): Promise<number> =>
  (await sdk.call(method, path, options)).status

describe('who calls', () => {
  it('SD1, SD6: nobody without a valid key, and a cookie is none', async () => {
    for (const key of ['', 'nonsense', 'csb_key_nonsense']) {
      const refused = await sdk.call('GET', '/sandbox', { key })
      expect(refused).toMatchObject({ status: 401, body: { errors: [expect.any(String)], code: 'UNAUTHENTICATED' } })
    }
    expect((await owner.call('GET', '/csb/sdk/sandbox')).status).toBe(401)
    expect((await sdk.call('GET', '/meta/info', { key: '' })).body).toMatchObject({ api: { name: 'Boxyard' } })
  })

  it('SD2: a key does what its scopes allow', async () => {
    const reader = await newKey({ scopes: ['sandbox_read'] })
    const id = await fork()
    expect(await status('GET', `/sandbox/${id}`, { key: reader })).toBe(200)
    for (const [method, path, body] of [
      ['POST', `/sandbox/${id}/fork`, {}],
      ['POST', '/sandbox', { files: {} }],
      ['POST', `/vm/${id}/start`, {}],
      ['POST', `/vm/${id}/hibernate`, undefined],
      ['POST', `/vm/${id}/shutdown`, undefined],
      ['DELETE', `/vm/${id}`, undefined],
      ['PUT', `/vm/${id}/specs`, { tier: 'Pico' }],
      ['PUT', `/vm/${id}/hibernation_timeout`, { hibernation_timeout_seconds: 60 }],
      ['POST', `/vm/${id}/sessions`, { session_id: 'a', permission: 'write' }],
      ['GET', `/sandbox/${id}/tokens`, undefined],
      ['POST', '/templates', { forkOf: id }],
      ['POST', '/vm/tag', { vm_ids: [id] }],
      ['PUT', '/vm/alias/a/b', { tag_id: 'pt_x' }],
      ['PUT', '/workspace/preview_hosts', { hosts: [] }],
      ['POST', '/org/workspace', { name: 'x' }],
      ['POST', `/org/workspace/${teamId}/tokens`, {}],
    ] as const) {
      expect([method, path, await status(method, path, { key: reader, body })]).toEqual([method, path, 403])
    }
  })

  it('SD2, SD8: a key of another workspace sees and copies only what is public', async () => {
    const workspace = await sdk.call('POST', '/org/workspace', { body: { name: 'Other' } })
    const other = await newKey({}, workspace.body.data.id)
    const [hidden, shown] = [await fork({ privacy: 2 }), await fork({ privacy: 0 })]
    const tag = await sdk.call('POST', '/vm/tag', { body: { vm_ids: [hidden] } })
    for (const path of [`/sandbox/${hidden}`, '/sandbox/zzzzzz']) {
      expect(await status('GET', path, { key: other })).toBe(404)
    }
    for (const of of [hidden, tag.body.data.tag_id]) {
      expect(await status('POST', `/sandbox/${of}/fork`, { key: other, body: {} })).toBe(404)
    }
    expect(await status('GET', `/sandbox/${shown}`, { key: other })).toBe(200)
    await fork({}, { key: other, of: shown })
    for (const id of [hidden, shown]) {
      expect(await status('DELETE', `/vm/${id}`, { key: other })).toBe(404)
      expect(await status('POST', `/vm/${id}/shutdown`, { key: other })).toBe(404)
      expect(await status('POST', `/sandbox/${id}/tokens`, { key: other, body: {} })).toBe(404)
    }
    const { body } = await sdk.call('GET', '/sandbox', { key: other })
    expect(body.data.pagination.total_records).toBe(1)
  })

  it('SD4: nobody hands on what they do not have', async () => {
    const manager = await newKey({ scopes: ['token_manage', 'sandbox_read'] })
    const path = `/org/workspace/${teamId}/tokens`
    expect(await status('POST', path, { key: manager, body: { scopes: ['vm_manage'] } })).toBe(403)
    const made = await sdk.call('POST', path, { key: manager, body: {} })
    expect(made.body.data.scopes).toEqual(['sandbox_read'])
    const raise = { key: manager, body: { scopes: ['sandbox_create'] } }
    expect(await status('PATCH', `${path}/${made.body.data.token_id}`, raise)).toBe(403)
    const stranger = await sdk.server.signedIn('keyless')
    const { body } = await stranger.call('GET', '/api/v1/auth/auth-token')
    const { token } = (body as { data: { token: string } }).data
    expect(await status('POST', path, { key: token, body: {} })).toBe(403)
  })

  it('SD3: a key ends with the membership of its maker', async () => {
    const workspace = await sdk.call('POST', '/org/workspace', { body: { name: 'Left' } })
    const key = await newKey({}, workspace.body.data.id)
    expect(await status('GET', '/sandbox', { key })).toBe(200)
    await sdk.server.database.pool.query('delete from team_members where team_id = $1', [workspace.body.data.id])
    expect(await status('GET', '/sandbox', { key })).toBe(401)
  })

  it('SD5: a key ends, and is not kept', async () => {
    const made = await sdk.call('POST', `/org/workspace/${teamId}/tokens`, { body: { description: 'Short' } })
    const { token: key, token_id: id } = made.body.data
    expect(await status('GET', '/sandbox', { key })).toBe(200)
    const body = { expires_at: new Date(Date.now() - 1000).toISOString() }
    expect(await status('PATCH', `/org/workspace/${teamId}/tokens/${id}`, { body })).toBe(200)
    expect(await status('GET', '/sandbox', { key })).toBe(401)
    const { rows } = await sdk.server.database.pool.query('select * from api_keys')
    expect(JSON.stringify(rows)).not.toContain(key)
  })
})

describe('answers', () => {
  it('SD6: what is not valid is told in one text', async () => {
    const refused = await sdk.call('POST', '/vm/zzzzzz/start', { body: { tier: 'Huge' } })
    expect(refused).toMatchObject({ status: 422, body: { errors: [expect.stringContaining('tier')] } })
    expect(await sdk.call('GET', '/nothing/here')).toMatchObject({ status: 404 })
  })

  it('SD7, SD10, SD12: a start says how the dev server is reached by whoever asks, and changes what it is told', async () => {
    const id = await fork()
    const body = {
      tier: 'Pico',
      hibernation_timeout_seconds: 60,
      automatic_wakeup_config: { http: false, websocket: true },
    }
    const started = await sdk.call('POST', `/vm/${id}/start`, { body })
    expect(started.body.data).toMatchObject({
      id,
      bootup_type: 'FORK',
      pitcher_url: `ws://localhost:${sdk.server.port}/box/${id}`,
      use_pint: false,
    })
    const running = await sdk.call('GET', '/vm/running')
    expect(running.body.data.vms).toContainEqual(
      expect.objectContaining({ id, specs: { cpu: 1, memory: 2, storage: 20 } }),
    )
    expect(await status('POST', `/vm/${id}/hibernate`)).toBe(200)
    // SD12: a visit does not wake a machine whose maker does not want that.
    const token = await sdk.call('POST', `/sandbox/${id}/tokens`, { body: {} })
    const visit = await askPreview(sdk.server, { id, port: 3000, token: token.body.data.token.token })
    expect(visit.status).toBe(502)
    expect((await sdk.call('GET', '/vm/running')).body.data.vms.map((vm: { id: string }) => vm.id)).not.toContain(id)
    const resumed = await sdk.call('POST', `/vm/${id}/start`, { body: { automatic_wakeup_config: { http: true } } })
    expect(resumed.body.data.bootup_type).toBe('RESUME')
    await sdk.call('POST', `/vm/${id}/hibernate`)
    await askPreview(sdk.server, { id, port: 3000, token: token.body.data.token.token })
    expect((await sdk.call('GET', '/vm/running')).body.data.vms.map((vm: { id: string }) => vm.id)).toContain(id)
    expect(await status('POST', `/vm/${id}/shutdown`)).toBe(200)
    expect((await sdk.call('POST', `/vm/${id}/start`, { body: {} })).body.data.bootup_type).toBe('CLEAN')
  })

  it('SD9: long lists come in pages', async () => {
    for (const _ of [1, 2, 3]) await fork({ tags: ['paged'] })
    const first = await sdk.call('GET', '/sandbox?tags=paged&page_size=2&order_by=inserted_at&direction=asc')
    expect(first.body.data.pagination).toEqual({ current_page: 1, next_page: 2, total_records: 3 })
    const second = await sdk.call('GET', '/sandbox?tags=paged&page_size=2&page=2&order_by=inserted_at&direction=asc')
    expect(second.body.data.pagination).toEqual({ current_page: 2, next_page: null, total_records: 3 })
    expect(second.body.data.sandboxes).toHaveLength(1)
    expect((await sdk.call('GET', '/sandbox?tags=paged&page_size=200')).status).toBe(200)
  })

  it('SD13: a deleted sandbox is gone, with everything about it', async () => {
    const id = await fork()
    await sdk.call('POST', `/sandbox/${id}/tokens`, { body: {} })
    expect(await status('DELETE', `/vm/${id}`)).toBe(200)
    expect(await status('GET', `/sandbox/${id}`)).toBe(404)
    for (const table of ['sandboxes', 'boxes']) {
      const { rows } = await sdk.server.database.pool.query(`select id from ${table} where id = $1`, [id])
      expect(rows).toEqual([])
    }
  })

  it('SD15: files stay inside the sandbox', async () => {
    for (const path of ['../up', 'a/../../up', '/a/../../up', 'a//b', 'a/', '.', 'a\u0000b', '..']) {
      const refused = await sdk.call('POST', '/sandbox', { body: { files: { [path]: { code: 'x' } } } })
      expect([path, refused.status]).toEqual([path, 422])
    }
    const clash = { a: { code: 'x' }, 'a/b': { code: 'y' } }
    expect(await status('POST', '/sandbox', { body: { files: clash } })).toBe(422)
    expect(await status('POST', '/sandbox', { body: { files: {}, runtime: 'browser' } })).toBe(422)
  })

  it('SD8: an alias belongs to the workspace that took it first', async () => {
    const id = await fork()
    const tag = await sdk.call('POST', '/vm/tag', { body: { vm_ids: [id] } })
    const mine = { body: { tag_id: tag.body.data.tag_id } }
    expect(await status('PUT', '/vm/alias/taken/name', mine)).toBe(200)
    const workspace = await sdk.call('POST', '/org/workspace', { body: { name: 'Thief' } })
    const key = await newKey({}, workspace.body.data.id)
    const own = await fork({}, { key })
    const ownTag = await sdk.call('POST', '/vm/tag', { key, body: { vm_ids: [own] } })
    expect(await status('PUT', '/vm/alias/taken/name', { key, body: { tag_id: ownTag.body.data.tag_id } })).toBe(403)
    expect(await status('PUT', '/vm/alias/taken/name', { key, ...mine })).toBe(404)
  })
})

describe('sessions', () => {
  it('SD14: a read-only one is refused every change by the dev server', async () => {
    const id = await fork()
    const session = (permission: string) =>
      sdk.call('POST', `/vm/${id}/sessions`, { body: { session_id: 'one', permission } })
    expect((await session('owner')).status).toBe(422)
    for (const [permission, error] of [
      ['read', 2],
      ['write', undefined],
    ] as const) {
      const { pitcher_url: url, pitcher_token: token, username } = (await session(permission)).body.data
      expect(username).toBe('one')
      expect([permission, await writeOver(`${url}/?token=${token}`)]).toEqual([permission, error])
    }
  })
})

/** Joins a dev server and writes a file. Answers the code of the refusal, if there is one. */
function writeOver(url: string): Promise<number | undefined> {
  const socket = new WebSocket(url)
  const send = (id: number, method: string, params: unknown) => socket.send(encode({ id, method, params }))
  return new Promise<number | undefined>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('open', () =>
      send(0, 'client/join', {
        clientInfo: { protocolVersion: '0', appId: 'test' },
        asyncProgress: false,
        subscriptions: {},
      }),
    )
    socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) return
      const { kind, message } = classify(decode(data))
      if (kind === 'notification') return
      if (message.id === 1) resolve(kind === 'error' ? message.error.code : undefined)
      else if (kind === 'error') reject(new Error(message.error.message))
      else send(1, 'fs/writeFile', { path: 'a', content: new Uint8Array([1]), create: true, overwrite: true })
    })
  }).finally(() => socket.close())
}

describe('hosts', () => {
  const visit = async (id: string, token: string): Promise<number> =>
    (await askPreview(sdk.server, { id, port: 3000, token })).status

  it('SD20: a port is for everybody, the workspace or the owner', async () => {
    const id = await fork({ privacy: 2, private_preview: true })
    await sdk.call('POST', `/vm/${id}/start`, { body: {} })
    const mine = await previewToken(owner, id)
    // 502 is the page that says that nothing listens: whoever sees it was let in.
    expect([await visit(id, ''), await visit(id, mine)]).toEqual([401, 502])
    const choose = (port: number, visibility: string | null) =>
      owner.call('PUT', `/api/v1/sandboxes/${id}/ports/${port}`, { visibility })
    expect((await choose(3000, 'public')).body).toEqual({ data: { ports: [{ port: 3000, visibility: 'public' }] } })
    expect(await visit(id, '')).toBe(502)
    await choose(0, 'public')
    await choose(3000, 'private')
    expect([await visit(id, ''), await visit(id, mine)]).toEqual([401, 502])
    await choose(3000, 'workspace')
    expect([await visit(id, ''), await visit(id, mine)]).toEqual([401, 502])
    await choose(3000, null)
    expect(await visit(id, '')).toBe(502)
    expect((await sdk.server.browser().call('PUT', `/api/v1/sandboxes/${id}/ports/1`, {})).status).toBe(401)
    expect((await choose(70_000, 'public')).status).toBe(422)
    expect(await visit(await fork({ privacy: 2, private_preview: false }), '')).toBe(502)
  })

  it('SD21: a host token is for one sandbox, until it ends', async () => {
    const [id, other] = [
      await fork({ privacy: 2, private_preview: true }),
      await fork({ privacy: 2, private_preview: true }),
    ]
    const made = await sdk.call('POST', `/sandbox/${id}/tokens`, { body: { expires_at: null } })
    const { token, token_id: tokenId, token_prefix: prefix } = made.body.data.token
    expect(token.startsWith(prefix)).toBe(true)
    expect([await visit(id, token), await visit(other, token)]).toEqual([502, 401])
    expect(await status('GET', '/sandbox', { key: token })).toBe(401)
    const past = { body: { expires_at: new Date(Date.now() - 1000).toISOString() } }
    expect(await status('PATCH', `/sandbox/${other}/tokens/${tokenId}`, past)).toBe(404)
    expect(await status('PATCH', `/sandbox/${id}/tokens/${tokenId}`, past)).toBe(200)
    expect(await visit(id, token)).toBe(401)
  })
})
