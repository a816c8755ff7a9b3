import { createOctokitGitHost, gitHost, signPayload } from '@boxyard/git-host'
import type { GitHost, HostRepository } from '@boxyard/git-host'
import { GitClient } from '@boxyard/git-host/testing'
import fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestDatabase } from '../testing/database.ts'
import type { TestDatabase } from '../testing/database.ts'
import { temporaryFolder } from '../testing/folders.ts'
import { freePort } from '../testing/server.ts'
import { createRepositoryStorage } from './drizzleRepositoryStorage.ts'
import { createGitHostStorage } from './drizzleStorage.ts'

const LARGEST_PACK = 64 * 1024
const hash = (text: string) => createHash('sha256').update(text).digest('hex')

let app: FastifyInstance
let accounts: TestDatabase
let folder: string
let origin: string
const tokens: Record<'owner' | 'stranger' | 'reader', string> = {
  owner: 'ghp_owner',
  stranger: 'ghp_stranger',
  reader: 'ghp_reader',
}
const received: { url: string; headers: Record<string, string>; body: string }[] = []
let answers: (number | Error)[] = []
const clients: GitClient[] = []

beforeAll(async () => {
  accounts = await createTestDatabase()
  folder = temporaryFolder('git')
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  app = fastify()
  const storage = createGitHostStorage(accounts.database)
  await app.register(gitHost, {
    prefix: '/git',
    storage,
    clients: [],
    hostName: 'Test',
    publicUrl: `${origin}/git`,
    secureCookies: false,
    signUp: 'open',
    repositories: {
      storage: createRepositoryStorage(accounts.database),
      folder,
      largestPack: LARGEST_PACK,
      sendWebhook: async (url, headers, body) => {
        received.push({ url, headers, body })
        const answer = answers.shift() ?? 200
        if (answer instanceof Error) throw answer
        return answer
      },
    },
  })
  await app.listen({ port, host: '127.0.0.1' })
  for (const login of ['owner', 'stranger', 'reader'] as const) {
    const account = await storage.createAccount(
      { login, name: null, email: `${login}@example.test`, passwordHash: 'x' },
      'open',
    )
    if (typeof account === 'string') throw new Error(account)
    const scopes = login === 'reader' ? ['user:email'] : ['repo']
    await storage.addToken({ tokenHash: hash(tokens[login]), accountId: account.id, clientId: 'test', scopes })
  }
})
afterAll(async () => {
  await app.close()
  await accounts.drop()
  rmSync(folder, { recursive: true, force: true })
  for (const client of clients) client.remove()
})

const hostOf = (who: keyof typeof tokens): GitHost =>
  createOctokitGitHost({ apiUrl: `${origin}/git/api/v3`, token: tokens[who] })

function clientOf(token: string | null): GitClient {
  const client = new GitClient(token)
  clients.push(client)
  return client
}

async function newRepository(
  options: { private?: boolean } = {},
): Promise<{ made: HostRepository; client: GitClient }> {
  const name = `r-${randomBytes(6).toString('hex')}`
  const made = await hostOf('owner').createRepository({
    organization: null,
    name,
    description: null,
    private: options.private ?? false,
  })
  const client = clientOf(tokens.owner)
  await client.init(made.cloneUrl)
  await client.commit('First', { 'a.txt': 'a\n' })
  await client.git('push', '--quiet', 'origin', 'main')
  return { made, client }
}

describe('the REST API', () => {
  it('GH652: says the scopes of the token and what is left of the hour, and answers a known tag with 304', async () => {
    const { made } = await newRepository()
    const ask = (headers: Record<string, string>) =>
      fetch(`${origin}/git/api/v3/repos/${made.owner}/${made.name}`, { headers })
    const authorization = `Bearer ${tokens.owner}`
    const first = await ask({ authorization })
    expect([first.status, first.headers.get('x-oauth-scopes')]).toEqual([200, 'repo'])
    const left = (answer: Response) => Number(answer.headers.get('x-ratelimit-remaining'))
    const tag = first.headers.get('etag')!
    expect(tag).toMatch(/^W\/"[0-9a-f]{64}"$/)
    const same = await ask({ authorization, 'if-none-match': tag })
    expect([same.status, await same.text(), left(same)]).toEqual([304, '', left(first) - 1])
    expect((await ask({ authorization, 'if-none-match': 'W/"other"' })).status).toBe(200)
    expect((await ask({ authorization: 'Bearer ghp_nobody' })).status).toBe(401)
  })

  it('GH653: refuses who has asked too often in an hour, and nobody else for it', async () => {
    const anonymous = () => fetch(`${origin}/git/api/v3/repos/nobody/nothing`)
    const { headers } = await anonymous()
    const rest = Number(headers.get('x-ratelimit-remaining'))
    expect(rest).toBeLessThan(600)
    for (let asked = 0; asked < rest; asked += 1) await anonymous()
    const refused = await anonymous()
    expect([refused.status, refused.headers.get('x-ratelimit-remaining')]).toEqual([403, '0'])
    const known = await fetch(`${origin}/git/api/v3/user`, { headers: { authorization: `Bearer ${tokens.stranger}` } })
    expect(known.status).toBe(200)
  })
})

describe('clone and fetch', () => {
  it('GH12: work whole, shallow and partial, and without a token for what is public', async () => {
    const { made, client } = await newRepository()
    for (let n = 0; n < 5; n += 1) await client.commit(`Change ${n}`, { 'a.txt': `${n}\n` })
    await client.git('push', '--quiet', 'origin', 'main')
    const visitor = clientOf(null)
    await visitor.git('clone', '--quiet', made.cloneUrl, 'whole')
    await visitor.git('clone', '--quiet', '--depth=1', made.cloneUrl, 'shallow')
    await visitor.git('clone', '--quiet', '--filter=blob:none', '--no-checkout', made.cloneUrl, 'partial')
    const count = async (name: string) => (await visitor.git('-C', name, 'rev-list', '--count', 'HEAD')).trim()
    expect([await count('whole'), await count('shallow'), await count('partial')]).toEqual(['6', '1', '6'])
    const missing = await visitor.git('-C', 'partial', 'rev-list', '--objects', '--missing=print', 'HEAD')
    expect(missing).toMatch(/^\?/m)
    await visitor.git('-C', 'shallow', 'fetch', '--quiet', '--unshallow')
    expect(await count('shallow')).toBe('6')
  })

  it('GH13: hide what is private from everyone else', async () => {
    const { made } = await newRepository({ private: true })
    const ask = (token: string | null) =>
      fetch(`${made.cloneUrl}/info/refs?service=git-upload-pack`, {
        headers: token === null ? {} : { authorization: `Bearer ${token}` },
      })
    const statuses = [await ask(null), await ask(tokens.stranger), await ask('ghp_wrong'), await ask(tokens.owner)]
    expect(statuses.map(({ status }) => status)).toEqual([401, 404, 401, 200])
    await expect(clientOf(tokens.stranger).git('clone', '--quiet', made.cloneUrl, 'x')).rejects.toThrow(/not found/)
  })

  it.each([
    '/git/owner/--upload-pack=touch/info/refs?service=git-upload-pack',
    '/git/owner/..%2F..%2Fetc/info/refs?service=git-upload-pack',
    '/git/..%2F..%2Ftmp/x/info/refs?service=git-upload-pack',
    '/git/owner/%00/info/refs?service=git-upload-pack',
  ])('GH14: never take %s for a path or an option', async (path) => {
    const { status } = await fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${tokens.owner}` } })
    expect([400, 404]).toContain(status)
  })

  it('GH14: refuse services that are not of the smart protocol', async () => {
    const { made } = await newRepository()
    for (const service of ['git-upload-archive', '--help', 'git-upload-pack;id', '']) {
      const { status } = await fetch(`${made.cloneUrl}/info/refs?service=${encodeURIComponent(service)}`)
      expect(status).toBe(403)
    }
  })
})

describe('a push', () => {
  it('GH15: needs the right to write and the scope for it', async () => {
    const { made } = await newRepository()
    const push = async (token: string | null) => {
      const client = clientOf(token)
      await client.init(made.cloneUrl)
      await client.commit('Theirs', { 'b.txt': 'b\n' })
      return client.git('push', '--quiet', 'origin', 'main:refs/heads/theirs')
    }
    await expect(push(null)).rejects.toThrow(/Authentication failed|could not read Username/)
    await expect(push(tokens.stranger)).rejects.toThrow(/403/)
    await expect(push(tokens.reader)).rejects.toThrow(/403/)
    expect((await hostOf('owner').branches(made)).map(({ name }) => name)).toEqual(['main'])
  })

  it('GH3: moves branches and tags only, and says so for each ref', async () => {
    const { made, client } = await newRepository()
    await expect(client.git('push', 'origin', 'HEAD:refs/pull/7/head', 'HEAD:refs/heads/fine')).rejects.toThrow(
      /refs\/pull\/7\/head \(only branches and tags can be pushed\)/,
    )
    expect((await hostOf('owner').branches(made)).map(({ name }) => name)).toEqual(['main'])
  })

  it('GH16: runs no hook', async () => {
    const { made, client } = await newRepository()
    const repository = join(folder, `${made.id}.git`)
    const marker = join(repository, 'hook-ran')
    mkdirSync(join(repository, 'hooks'), { recursive: true })
    for (const hook of ['pre-receive', 'update', 'post-receive', 'post-update', 'reference-transaction']) {
      writeFileSync(join(repository, 'hooks', hook), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 })
    }
    await client.commit('With hooks', { '.git-hooks/pre-receive': 'touch' })
    await client.git('push', '--quiet', 'origin', 'main')
    expect(existsSync(marker)).toBe(false)
  })

  it('GH17: with a pack that is too large is refused and leaves nothing', async () => {
    const { made, client } = await newRepository()
    const before = await hostOf('owner').branch(made, 'main')
    await client.commit('Large', { 'large.bin': randomBytes(LARGEST_PACK * 2).toString('base64') })
    await expect(client.git('push', '--quiet', 'origin', 'main')).rejects.toThrow(
      /exceeds maximum allowed size|unpacker error|unpack failed/,
    )
    expect(await hostOf('owner').branch(made, 'main')).toEqual(before)
  })

  it('GH18: neither forces nor deletes a protected branch', async () => {
    const { made, client } = await newRepository()
    const path = `${origin}/git/api/v3/repos/owner/${made.name}/branches/main/protection`
    const put = await fetch(path, { method: 'PUT', headers: { authorization: `Bearer ${tokens.owner}` } })
    expect(put.status).toBe(200)
    await client.commit('Second', { 'a.txt': 'second\n' })
    await client.git('push', '--quiet', 'origin', 'main')
    await client.git('reset', '--quiet', '--hard', 'HEAD~1')
    await client.commit('Another', { 'a.txt': 'another\n' })
    await expect(client.git('push', '--force', 'origin', 'main')).rejects.toThrow(/non-fast-forward|denying/)
    await client.git('push', '--quiet', 'origin', 'HEAD:refs/heads/free')
    await client.git('push', '--quiet', '--delete', 'origin', 'free')
  })

  it('GH19: refuses what is no push at all', async () => {
    const { made } = await newRepository()
    const headers = {
      authorization: `Bearer ${tokens.owner}`,
      'content-type': 'application/x-git-receive-pack-request',
    }
    const send = async (body: string | Uint8Array<ArrayBuffer>) =>
      (await fetch(`${made.cloneUrl}/git-receive-pack`, { method: 'POST', headers, body })).status
    expect(await send('hello')).toBe(400)
    expect(await send('')).toBe(400)
    // Commands that never end.
    const command = `006a${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/${'x'.repeat(9)}\n`
    const size = command.length.toString(16).padStart(4, '0')
    expect(await send(`${size}${command.slice(4)}`.repeat(6000))).toBe(413)
  })
})

describe('a webhook', () => {
  it('GH30: is signed, says what happened, and is tried again until it is accepted', async () => {
    const { made, client } = await newRepository()
    const url = 'https://hooks.example.test/receive'
    await hostOf('owner').createWebhook(made, { url, secret: 'a secret', events: ['push', 'pull_request'] })
    const events = () => received.filter(({ body }) => body.includes(`"name":"${made.name}"`))
    await vi.waitUntil(() => received.some(({ headers }) => headers['x-github-event'] === 'ping'), { timeout: 60_000 })
    answers = [new Error('nobody answers')]
    await client.commit('Second', { 'a.txt': 'second\n' })
    await client.git('push', '--quiet', 'origin', 'main')
    await vi.waitUntil(() => events().length === 1, { timeout: 60_000 })
    const [push] = events()
    expect(push!.headers['x-github-event']).toBe('push')
    expect(push!.headers['x-hub-signature-256']).toBe(signPayload('a secret', push!.body))
    expect(JSON.parse(push!.body)).toMatchObject({
      ref: 'refs/heads/main',
      forced: false,
      commits: [{ message: 'Second' }],
    })
    const [retried] = await createRepositoryStorage(accounts.database).deliveries.find(
      { event: 'push' },
      { descending: true, limit: 1 },
    )
    expect(retried!.guid).toBe(push!.headers['x-github-delivery'])
    await client.git('push', '--quiet', 'origin', 'main:topic')
    await client.commit('Third', { 'a.txt': 'third\n' })
    await client.git('push', '--quiet', 'origin', 'HEAD:topic')
    await hostOf('owner').createPull(made, { title: 'Third', body: '', head: 'topic', base: 'main', draft: false })
    await vi.waitUntil(() => events().some(({ headers }) => headers['x-github-event'] === 'pull_request'), {
      timeout: 60_000,
    })
    // The one that failed comes again under the same id.
    await vi.waitUntil(
      () =>
        events().filter(({ headers }) => headers['x-github-delivery'] === push!.headers['x-github-delivery']).length >
        1,
      { timeout: 110_000, interval: 200 },
    )
  })
})
