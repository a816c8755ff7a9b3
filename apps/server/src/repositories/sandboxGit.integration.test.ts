import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestBrowser } from '../testing/browser.ts'
import { callGitHost, connectGitHost } from '../testing/localGitHost.ts'
import { recordingMachines } from '../testing/machines.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'
import { writeTemplates } from '../testing/templates.ts'

interface Sandbox {
  id: string
  modules: { shortid: string; title: string; code: string }[]
  git: object | null
  original_git: { branch: string; commit_sha: string } | null
  base_git: object | null
  pr_number: number | null
  original_git_changes: object | null
  preview_secret: string | null
}

const templates = writeTemplates({ node: { title: 'Node' } })
const people = {} as Record<'ada' | 'grace', TestBrowser>
let server: TestServer

beforeAll(async () => {
  const machines = async () => ({ service: recordingMachines(), close: async () => undefined })
  server = await startTestServer({}, { machines, templatesFolder: templates.folder })
  for (const name of ['ada', 'grace'] as const) {
    people[name] = await server.signedIn(name)
    await connectGitHost(people[name], 'private_repos')
  }
  await host('POST', '/user/repos', { name: 'site', auto_init: true })
  await put('web/index.js', 'let one = 1\n')
  await put('web/old.js', 'old\n')
  await put('elsewhere.txt', 'not of the folder\n')
})
afterAll(async () => {
  await server.close()
  templates.remove()
})

/** Asks the git host as ada. */
function host(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  return callGitHost(server, 'ada', method, path, body)
}

async function put(path: string, text: string): Promise<string> {
  const content = Buffer.from(text).toString('base64')
  const { commit } = await host('PUT', `/repos/ada/site/contents/${path}`, { message: `Write ${path}`, content })
  return (commit as { sha: string }).sha
}

const headOf = async (name: string, repository = 'ada/site') =>
  ((await host('GET', `/repos/${repository}/branches/${name}`)) as { commit: { sha: string } }).commit.sha

async function answer<T>(who: TestBrowser, method: string, path: string, body?: object): Promise<T> {
  const found = await who.call(method, path, body)
  expect([found.status, found.body]).toEqual([200, expect.anything()])
  return (found.body as { data: T }).data
}

async function change(who: TestBrowser, sandbox: Sandbox, title: string, code: string): Promise<void> {
  const module = sandbox.modules.find((one) => one.title === title)
  const path = `/api/v1/sandboxes/${sandbox.id}/modules`
  if (module) await answer(who, 'PUT', `${path}/${module.shortid}`, { module: { code } })
  else await answer(who, 'POST', path, { module: { title, code } })
}

const forked = (who: TestBrowser) =>
  answer<Sandbox>(who, 'POST', '/api/v1/sandboxes/fork/github/ada/site/tree/main/web', { v2: false })

describe('AP804: a sandbox of a folder of a repository', () => {
  it('says what it changed, and commits it to its branch', async () => {
    const { ada, grace } = people
    const sandbox = await forked(ada)
    const path = `/api/v1/sandboxes/${sandbox.id}`
    expect(await answer(ada, 'GET', `${path}/git/diff`)).toEqual({ added: [], deleted: [], modified: [] })
    await change(ada, sandbox, 'index.js', 'let one = 2\n')
    await change(ada, sandbox, 'new.js', 'new\n')
    const old = sandbox.modules.find(({ title }) => title === 'old.js')!
    expect((await ada.call('DELETE', `${path}/modules/${old.shortid}`)).status).toBe(204)
    const diff = { added: ['new.js'], deleted: ['old.js'], modified: ['index.js'] }
    expect(await answer(ada, 'GET', `${path}/git/diff`)).toEqual(diff)
    expect(await answer(ada, 'GET', `${path}/git/rights`)).toEqual({ permission: 'admin' })
    for (const call of ['GET git/diff', 'GET git/rights', 'POST git/commit', 'POST git/pr'] as const) {
      const [method, end] = call.split(' ') as [string, string]
      expect((await grace.call(method, `${path}/${end}`, { message: 'x', title: 'x' })).status).toBe(404)
    }

    const before = await headOf('main')
    const made = await answer<{ sha: string; new_branch: null }>(ada, 'POST', `${path}/git/commit`, { message: 'Work' })
    expect(made).toMatchObject({ merge: false, new_branch: null, git: { branch: 'main', commit_sha: made.sha } })
    expect(await headOf('main')).toBe(made.sha)
    expect(await answer(ada, 'GET', `${path}/git/diff`)).toEqual({ added: [], deleted: [], modified: [] })
    expect((await ada.call('POST', `${path}/git/commit`, { message: 'Again' })).status).toBe(409)

    const compared = await answer<{ files: { filename: string; status: string; content?: string }[] }>(
      ada,
      'POST',
      `${path}/git/compare`,
      { base_ref: before, head_ref: 'main', include_contents: true },
    )
    expect(compared).toMatchObject({ base_commit_sha: before, head_commit_sha: made.sha })
    const files = compared.files.map(({ filename, status, content }) => [filename, status, content])
    expect(files.toSorted()).toEqual([
      ['index.js', 'modified', 'let one = 2\n'],
      ['new.js', 'added', 'new\n'],
      ['old.js', 'removed', undefined],
    ])
  })

  it('commits on a new branch when its own has moved on, and only what it was told', async () => {
    const { ada } = people
    const sandbox = await forked(ada)
    const path = `/api/v1/sandboxes/${sandbox.id}`
    const moved = await put('later.txt', 'later\n')
    const given = { path: '/index.js', content: Buffer.from('let one = 3\n').toString('base64'), encoding: 'base64' }
    const made = await answer<{ sha: string; new_branch: string }>(ada, 'POST', `${path}/git/commit`, {
      message: 'Late',
      changes: { added: [], modified: [given], deleted: [] },
    })
    expect(made.new_branch).toMatch(new RegExp(`^sandbox-${sandbox.id}-`))
    expect([await headOf('main'), await headOf(made.new_branch)]).toEqual([moved, made.sha])
    const { content } = await host('GET', `/repos/ada/site/contents/web/index.js?ref=${made.sha}`)
    expect(Buffer.from(content as string, 'base64').toString()).toBe('let one = 3\n')
    const escaping = { changes: { added: [{ path: '../x', content: '' }] }, message: 'x' }
    expect((await ada.call('POST', `${path}/git/commit`, escaping)).status).toBe(422)
  })

  it('proposes its changes from a fork where its author may not write', async () => {
    const { grace } = people
    const sandbox = await forked(grace)
    const path = `/api/v1/sandboxes/${sandbox.id}`
    expect(await answer(grace, 'GET', `${path}/git/rights`)).toEqual({ permission: 'read' })
    await change(grace, sandbox, 'index.js', 'let one = 4\n')
    const pull = await answer<{ number: number; branch: string }>(grace, 'POST', `${path}/git/pr`, {
      title: 'Four',
      description: 'Why not',
    })
    expect(pull).toMatchObject({ username: 'grace', repo: 'site', state: 'open', merged: false })
    expect(await answer(grace, 'GET', `${path}/git/prs/${pull.number}`)).toMatchObject({
      number: pull.number,
      changed_files: 1,
      commits: 1,
    })
    const after = await answer<Sandbox>(grace, 'GET', path)
    expect(after).toMatchObject({
      pr_number: pull.number,
      original_git: { username: 'grace', branch: pull.branch },
      base_git: { username: 'ada', branch: 'main' },
    })
  })

  it('goes by another commit, and is tied to its place', async () => {
    const { ada } = people
    const sandbox = await forked(ada)
    const path = `/api/v1/sandboxes/${sandbox.id}`
    const go = (sha: string) => ada.call('PATCH', `${path}/original_git_commit_sha`, { original_git_commit_sha: sha })
    const newer = await put('newer.txt', 'newer\n')
    expect(await go(newer)).toMatchObject({ status: 200, body: { data: { original_git: { commit_sha: newer } } } })
    // The git host knows no such commit.
    expect((await go('0'.repeat(40))).status).toBe(422)
    expect(sandbox.git).toBeNull()
    const tied = await answer<Sandbox>(ada, 'POST', `${path}/make_git_sandbox`)
    expect(tied.git).toMatchObject({ username: 'ada', repo: 'site', branch: 'main', path: 'web' })
    await answer(ada, 'PATCH', `${path}/privacy`, { sandbox: { privacy: 0 } })
    const { body } = await server.browser().call('GET', '/api/v1/sandboxes/popular')
    const { sandboxes } = body as { sandboxes: { id: string; git: object | null }[] }
    expect(sandboxes.find(({ id }) => id === sandbox.id)?.git).toEqual(tied.git)
  })

  it('is made of any sandbox, with every file, unless the sandbox may not leave', async () => {
    const { ada } = people
    const files = { 'index.html': { content: '<p>Hello</p>' }, 'src/a.js': { content: '1' } }
    const { body } = await ada.call('POST', '/api/v1/sandboxes/define?json=1', { files })
    const path = `/api/v1/sandboxes/${(body as { sandbox_id: string }).sandbox_id}`
    expect((await ada.call('GET', `${path}/git/diff`)).status).toBe(404)
    const place = await answer<{ repo: string; commit_sha: string }>(ada, 'POST', `${path}/git/repo/My%20page`)
    expect(place).toMatchObject({ username: 'ada', repo: 'My-page', branch: 'main', path: '' })
    const { tree } = (await host('GET', `/repos/ada/My-page/git/trees/${place.commit_sha}?recursive=1`)) as {
      tree: { path: string; type: string }[]
    }
    expect(tree.filter(({ type }) => type === 'blob').map((file) => file.path)).toEqual(['index.html', 'src/a.js'])
    expect(await answer(ada, 'GET', `${path}/git/diff`)).toEqual({ added: [], deleted: [], modified: [] })
    expect((await ada.call('POST', `${path}/git/repo/${encodeURIComponent('../up')}`)).status).toBe(422)
    const id = path.split('/').at(-1)!
    const query = `mutation { setPreventSandboxesExport(preventSandboxExport: true, sandboxIds: ["${id}"]) { id } }`
    expect((await ada.call('POST', '/api/graphql', { query })).status).toBe(200)
    expect((await ada.call('POST', `${path}/git/repo/another`)).status).toBe(403)
  })
})

describe('RP770: a sandbox without a machine becomes a repository', () => {
  it('of what it has saved, and belongs to it from then on', async () => {
    const { ada, grace } = people
    const files = { 'index.html': { content: '<p>Hello</p>' }, 'src/a.js': { content: '1' } }
    const { body } = await ada.call('POST', '/api/v1/sandboxes/define?json=1', { files })
    const id = (body as { sandbox_id: string }).sandbox_id
    const path = `/api/beta/sandboxes/${id}/repository`
    const wish = { name: 'page', private: true }
    expect((await server.browser().call('POST', path, wish)).status).toBe(401)
    expect((await grace.call('POST', path, wish)).status).toBe(404)
    expect((await ada.call('POST', path, { name: '../up' })).status).toBe(422)
    const made = await answer(ada, 'POST', path, wish)
    const page = `${server.origin}/_git/ada/page`
    expect(made).toEqual({ owner: 'ada', repo: 'page', branch: 'main', page_url: page, url: null, credentials: null })
    expect(await host('GET', '/repos/ada/page')).toMatchObject({ private: true })
    const { tree } = (await host('GET', '/repos/ada/page/git/trees/main?recursive=1')) as {
      tree: { path: string; type: string }[]
    }
    expect(tree.filter(({ type }) => type === 'blob').map((file) => file.path)).toEqual(['index.html', 'src/a.js'])
    const { commit } = (await host('GET', '/repos/ada/page/commits/main')) as { commit: { author: { name: string } } }
    expect(commit.author.name).toBe('ada')
    const sandbox = await answer<Sandbox>(ada, 'GET', `/api/v1/sandboxes/${id}`)
    expect(sandbox).toMatchObject({ git: { username: 'ada', repo: 'page' }, original_git: { branch: 'main' } })
    // The name is taken at the git host, which says so.
    expect(await ada.call('POST', path, wish)).toMatchObject({
      status: 422,
      body: { error: { code: 'GIT_HOST_REFUSED' } },
    })
  })

  it('unless it may not leave its workspace', async () => {
    const { ada } = people
    const { body } = await ada.call('POST', '/api/v1/sandboxes/define?json=1', { files: { a: { content: 'a' } } })
    const id = (body as { sandbox_id: string }).sandbox_id
    const query = `mutation { setPreventSandboxesExport(preventSandboxExport: true, sandboxIds: ["${id}"]) { id } }`
    expect((await ada.call('POST', '/api/graphql', { query })).status).toBe(200)
    expect((await ada.call('POST', `/api/beta/sandboxes/${id}/repository`, { name: 'kept' })).status).toBe(403)
  })
})

describe('AP862: the answer for one sandbox', () => {
  it('says what it changed in its repository, to whoever may edit it', async () => {
    const { ada, grace } = people
    const sandbox = await forked(ada)
    const path = `/api/v1/sandboxes/${sandbox.id}`
    await change(ada, sandbox, 'another.js', 'another\n')
    const changes = { added: ['another.js'], deleted: [], modified: [], rights: 'admin' }
    expect((await answer<Sandbox>(ada, 'GET', path)).original_git_changes).toEqual(changes)
    await answer(ada, 'PATCH', `${path}/privacy`, { sandbox: { privacy: 0 } })
    expect((await answer<Sandbox>(grace, 'GET', path)).original_git_changes).toBeNull()
  })

  it('opens also when its repository is gone', async () => {
    const { ada } = people
    await host('POST', '/user/repos', { name: 'short', auto_init: true })
    const sandbox = await answer<Sandbox>(ada, 'POST', '/api/v1/sandboxes/fork/github/ada/short', { v2: false })
    const path = `/api/v1/sandboxes/${sandbox.id}`
    const same = { added: [], deleted: [], modified: [], rights: 'admin' }
    expect((await answer<Sandbox>(ada, 'GET', path)).original_git_changes).toEqual(same)
    await host('DELETE', '/repos/ada/short')
    expect((await answer<Sandbox>(ada, 'GET', path)).original_git_changes).toBeNull()
  })

  it('opens its preview while it is private, for whoever asks', async () => {
    const { ada, grace } = people
    const sandbox = await forked(ada)
    const path = `/api/v1/sandboxes/${sandbox.id}`
    await answer(ada, 'PATCH', `${path}/privacy`, { sandbox: { privacy: 2 } })
    const { preview_secret: secret } = await answer<Sandbox>(ada, 'GET', path)
    const { tokens } = server.context
    const { id } = await answer<{ id: string }>(ada, 'GET', '/api/v1/users/current')
    expect(await tokens.verifyPreviewToken(secret!, sandbox.id)).toMatchObject({ userId: id })
    expect(await tokens.verifyPreviewToken(secret!, 'other1')).toBeNull()
    await answer(ada, 'PATCH', `${path}/privacy`, { sandbox: { privacy: 0 } })
    for (const who of [ada, grace, server.browser()]) {
      expect((await answer<Sandbox>(who, 'GET', path)).preview_secret).toBeNull()
    }
  })
})
