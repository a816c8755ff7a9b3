import { GitClient } from '@boxyard/git-host/testing'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { runGit, signPayload } from '@boxyard/git-host'
import { and, asc, eq, isNotNull } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { branches, events, gitWebhookInbox, projects, ssoDomains } from '../database/schema.ts'
import type { Queryable } from '../database/database.ts'
import { WEBHOOK_PATH, webhookSecrets } from '../reviews/webhooks.ts'
import { idleTimeOf } from '../machines/idleTime.ts'
import { secretsOfBox } from '../secrets/secrets.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { gitToken } from '../testing/gitTokens.ts'
import { callGitHost, connectGitHost } from '../testing/localGitHost.ts'
import { recordingMachines } from '../testing/machines.ts'
import { createGitGateway } from './gitGateway.ts'
import { connectSocket } from '../testing/socketClient.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'
import { writeTemplates } from '../testing/templates.ts'

const templates = writeTemplates({ node: { title: 'Node' } })

let server: TestServer
let author: TestBrowser
let reviewer: TestBrowser
let client: GitClient
/** What the workspace of each new box held when it was made: its git settings and its files. */
const checkouts = new Map<string, { config: string; readme: string }>()
const machines = recordingMachines()

/** The default branch of the repository that the author imported first. */
async function mainOfTodo(database: Queryable): Promise<typeof branches.$inferSelect> {
  const [found] = await database
    .select({ branch: branches })
    .from(branches)
    .innerJoin(projects, eq(branches.projectId, projects.id))
    .where(
      and(eq(branches.name, 'main'), eq(projects.owner, 'ada'), eq(projects.name, 'todo'), isNotNull(projects.teamId)),
    )
    .orderBy(asc(projects.insertedAt))
  return found!.branch
}

beforeAll(async () => {
  const service = {
    ...machines,
    async create(id: string, source: Parameters<typeof machines.create>[1]) {
      await machines.create(id, source)
      if (source.kind !== 'files') return
      const isRepository = existsSync(join(source.folder, '.git'))
      const list = () => runGit(['config', '--list', '--local'], { cwd: source.folder })
      const config = isRepository ? (await list()).stdout.toString() : ''
      checkouts.set(id, { config, readme: readFileSync(join(source.folder, 'README.md'), 'utf8') })
    },
  }
  server = await startTestServer(
    {},
    { machines: async () => ({ service, close: async () => undefined }), templatesFolder: templates.folder },
  )
  author = await server.signedIn('ada')
  reviewer = await server.signedIn('grace')
  client = new GitClient(await gitToken(server, 'ada', ['repo']))
})
afterAll(async () => {
  await server.close()
  client.remove()
  templates.remove()
})

async function graphql<T = Record<string, never>>(
  browser: TestBrowser,
  query: string,
  variables: object = {},
): Promise<T> {
  const { body } = await browser.call('POST', '/api/graphql', { query, variables })
  const { data, errors } = body as { data: T; errors?: { message: string; extensions?: { code: string } }[] }
  if (errors)
    throw new Error(errors.map(({ message, extensions }) => `${extensions?.code ?? ''} ${message}`).join('\n'))
  return data
}

const answerOf = async <T>(call: Promise<{ status: number; body: unknown }>): Promise<T> => {
  const { status, body } = await call
  expect([status, body]).toEqual([200, expect.anything()])
  return (body as { data: T }).data
}

describe('repositories of the git host', () => {
  it('RP1: are refused with what to do until the account is connected, and asked for no more than was granted', async () => {
    await expect(graphql(author, '{ me { githubRepos { name } } }')).rejects.toThrow(/GIT_HOST_NOT_CONNECTED/)
    expect(await graphql(author, '{ me { githubProfile { login } } }')).toEqual({ me: { githubProfile: null } })
    await connectGitHost(author, 'private_repos')
    await connectGitHost(reviewer, 'private_repos')
    expect(await graphql(author, '{ me { githubProfile { login scopes } githubRepos { name } } }')).toEqual({
      me: { githubProfile: { login: 'ada', scopes: ['user:email', 'repo', 'read:org', 'workflow'] }, githubRepos: [] },
    })
  })

  it('RP2: keep the token of a person sealed', async () => {
    const { rows } = await server.database.pool.query('select * from git_credentials')
    expect(rows).toHaveLength(2)
    expect(JSON.stringify(rows)).not.toContain('gho_')
  })

  it('RP3: come into a workspace with a webhook, and their branches with a box each', async () => {
    const made = await fetchHost('POST', '/user/repos', { name: 'todo' })
    await client.init(made['clone_url'] as string)
    await client.commit('First', { 'README.md': '# Todo\n', 'src/a.ts': 'export const a = 1\n' })
    await client.git('push', '--quiet', 'origin', 'main')
    await fetchHost('PUT', '/repos/ada/todo/collaborators/grace', { permission: 'push' })

    const branch = await answerOf<{ id: string; branch: string; authorization: string; workspace_id: string }>(
      author.call('POST', '/api/beta/import/github/ada/todo', {}),
    )
    expect(branch).toMatchObject({ branch: 'main', authorization: 'admin' })
    const { config, readme } = checkouts.get(branch.id)!
    expect(readme).toBe('# Todo\n')
    expect(config).toContain('remote.origin.url=http://127.0.0.1:16380/git/ada/todo.git')
    expect(config).toContain('boxyard.branch=main')
    expect(config).not.toMatch(/gh[op]_|extraheader/i)
    // The folder was for that moment only.
    const source = machines.created.get(branch.id)
    expect(source?.kind === 'files' && existsSync(source.folder)).toBe(false)
    const hooks = (await fetchHost('GET', '/repos/ada/todo/hooks')) as unknown as { config: { url: string } }[]
    expect(hooks.map((hook) => hook.config.url)).toEqual([`${server.origin}${WEBHOOK_PATH}`])

    const again = await answerOf<{ id: string }>(author.call('POST', '/api/beta/import/github/ada/todo', {}))
    expect(again.id).toBe(branch.id)
    const { project } = await graphql<{ project: { branches: { name: string }[]; team: { id: string } } }>(
      author,
      '{ project(owner: "ada", repo: "todo") { branchCount branches { name upstream settings { protected } } team { id } } }',
    )
    expect(project).toMatchObject({
      branchCount: 1,
      branches: [{ name: 'main', upstream: true }],
      team: { id: branch.workspace_id },
    })
  })

  it('RP4: branches are made, renamed and removed, at the git host too once they are there', async () => {
    const made = await answerOf<{ id: string; branch: string }>(
      author.call('POST', '/api/beta/sandboxes/github/ada/todo', { source_branch: 'main', new_branch: 'feature/one' }),
    )
    expect(checkouts.get(made.id)!.config).toContain('boxyard.branch=feature/one')
    const taken = await author.call('POST', '/api/beta/sandboxes/github/ada/todo', { new_branch: 'feature/one' })
    expect([taken.status, taken.body]).toMatchObject([409, { error: { message: 'Branch feature/one already exists' } }])
    await client.git('push', '--quiet', 'origin', 'main:feature/one')
    const renamed = await answerOf<{ branch: string }>(
      author.call('PATCH', `/api/beta/sandboxes/branches/${made.id}`, { name: 'feature/two' }),
    )
    expect(renamed.branch).toBe('feature/two')
    const conflict = await author.call('PATCH', `/api/beta/sandboxes/branches/${made.id}`, { name: 'main' })
    expect([conflict.status, conflict.body]).toMatchObject([409, { error: { message: 'Branch main already exists' } }])
    const all = await answerOf<{ default: { name: string }; branches: { name: string; id: string | null }[] }>(
      author.call('GET', '/api/beta/sandboxes/github/ada/todo/all_branches'),
    )
    expect(all.default.name).toBe('main')
    expect(all.branches.map((branch) => branch.name)).toEqual(['feature/two', 'main'])
    expect((await author.call('DELETE', '/api/beta/sandboxes/github/ada/todo/feature/two')).status).toBe(204)
    expect(machines.removed).toContain(made.id)
    expect((await fetchHost('GET', '/repos/ada/todo/branches')) as unknown as object[]).toHaveLength(1)
    expect((await author.call('DELETE', '/api/beta/sandboxes/github/ada/todo/main')).status).toBe(403)
  })

  it.each(['--upload-pack=x', 'a..b', '-f', 'refs/heads/../x', 'a b', 'x.lock'])(
    'RP5: no branch is called %s',
    async (name) => {
      const answer = await author.call('POST', '/api/beta/sandboxes/github/ada/todo', { new_branch: name })
      expect(answer.status).toBe(422)
    },
  )

  it('RP6: of a workspace are hidden from who does not belong to it, and public ones are read', async () => {
    await fetchHost('PATCH', '/repos/ada/todo', { private: true })
    const branch = await answerOf<{ id: string }>(author.call('POST', '/api/beta/import/github/ada/todo', {}))
    for (const path of [`/api/v1/sandboxes/branches/${branch.id}`, '/api/beta/github/ada/todo/main']) {
      expect((await reviewer.call('GET', path)).status).toBe(404)
    }
    expect((await reviewer.call('POST', `/api/v1/sandboxes/branches/${branch.id}/git_credentials`)).status).toBe(404)
    expect(await graphql(reviewer, '{ project(owner: "ada", repo: "todo") { id } }')).toEqual({ project: null })
    await fetchHost('PATCH', '/repos/ada/todo', { private: false })
    await author.call('POST', '/api/beta/import/github/ada/todo', {})
    const seen = await answerOf<{ authorization: string }>(
      reviewer.call('GET', `/api/v1/sandboxes/branches/${branch.id}`),
    )
    expect(seen.authorization).toBe('read')
    await expect(
      graphql(reviewer, 'mutation($id: String!) { setBranchProtection(branchId: $id, protected: true) { id } }', {
        id: branch.id,
      }),
    ).rejects.toThrow(/FORBIDDEN/)
  })

  it('RP7: a contribution branch belongs to whoever made it', async () => {
    const { createContributionBranch: branch } = await graphql<{
      createContributionBranch: { id: string; contributionOwner: boolean }
    }>(
      reviewer,
      'mutation { createContributionBranch(name: "todo", owner: "ada", provider: GITHUB) { id contribution contributionOwner sourceBranch } }',
    )
    expect(branch).toMatchObject({ contribution: true, contributionOwner: true, sourceBranch: 'main' })
    const mine = await answerOf<{ authorization: string }>(
      reviewer.call('GET', `/api/v1/sandboxes/branches/${branch.id}`),
    )
    const theirs = await answerOf<{ authorization: string }>(
      author.call('GET', `/api/v1/sandboxes/branches/${branch.id}`),
    )
    expect([mine.authorization, theirs.authorization]).toEqual(['write', 'read'])
  })
})

describe('the address of a branch', () => {
  const open = (browser: TestBrowser, body: object) => browser.call('POST', '/api/beta/open/github/ada/todo', body)
  type Opened = { id: string; branch: string; workspace_id: string | null; contribution: boolean; imported: boolean }

  it('RP600: opens what is there, by its name or as the default branch', async () => {
    const main = await answerOf<Opened>(author.call('GET', '/api/beta/github/ada/todo/main'))
    expect(await answerOf<Opened>(author.call('GET', '/api/beta/github/ada/todo'))).toMatchObject({ id: main.id })
    expect(await answerOf<Opened>(open(author, {}))).toMatchObject({ id: main.id, imported: false })
    expect((await open(author, { branch: 'nothing' })).status).toBe(404)
    expect((await open(author, { branch: '--upload-pack=x' })).status).toBe(422)
  })

  it('RP601: makes no machine for a reader at the expense of the workspace, and none without a sign-in', async () => {
    await client.git('push', '--quiet', 'origin', 'main:side')
    const read = await answerOf<Opened>(open(reviewer, { branch: 'side' }))
    expect(read).toMatchObject({ branch: 'side', workspace_id: null, contribution: false, imported: false })
    const written = await answerOf<Opened>(open(author, { branch: 'side' }))
    expect(written.id).not.toBe(read.id)
    expect(written.workspace_id).not.toBeNull()
    const stranger = await open(server.browser(), {})
    expect(stranger.status).toBe(401)
  })

  it('RP602: makes a branch in the workspace of who may write, and a contribution of anybody else', async () => {
    const mine = await answerOf<Opened>(open(author, { branch: 'side', create: true }))
    expect(mine).toMatchObject({ contribution: false, workspace_id: expect.any(String) as string })
    expect(mine.branch).toMatch(/^ada\//)
    const theirs = await answerOf<Opened & { authorization: string; head_owner: string }>(
      open(reviewer, { branch: 'side', create: true }),
    )
    expect(theirs).toMatchObject({ contribution: true, authorization: 'write', head_owner: 'grace' })
  })

  it('RP603: brings a repository into a workspace when that is asked for, and hides a private one otherwise', async () => {
    await fetchHost('POST', '/user/repos', { name: 'hidden', private: true, auto_init: true })
    const address = '/api/beta/open/github/ada/hidden'
    const refused = await author.call('POST', address, {})
    expect([refused.status, refused.body]).toMatchObject([403, { error: { code: 'FORBIDDEN' } }])
    expect((await reviewer.call('POST', address, { import: true })).status).toBe(404)
    expect(await answerOf<Opened>(author.call('POST', address, { import: true }))).toMatchObject({ imported: true })
    expect(await answerOf<Opened>(author.call('POST', address, { import: true }))).toMatchObject({ imported: false })
  })
})

describe('a repository in workspaces', () => {
  type Opened = { workspace_id: string | null; authorization: string }
  const address = '/api/beta/github/ada/shared'
  const open = '/api/beta/open/github/ada/shared'
  const teams = '{ recentTeamsByRepository(owner: "ada", name: "shared", provider: GITHUB) { name } }'
  let team: string

  it('RP650: is read by strangers, and named with its workspace to those alone who may write to it', async () => {
    await fetchHost('POST', '/user/repos', { name: 'shared', auto_init: true })
    const made = await graphql<{ createTeam: { id: string } }>(author, 'mutation { createTeam(name: "Makers") { id } }')
    team = made.createTeam.id
    await answerOf(author.call('POST', '/api/beta/import/github/ada/shared', { team_id: team }))
    expect(await answerOf<Opened>(reviewer.call('GET', address))).toMatchObject({ authorization: 'read' })
    expect(await graphql(reviewer, teams)).toEqual({ recentTeamsByRepository: [] })
    expect(await graphql(author, teams)).toEqual({ recentTeamsByRepository: [{ name: 'Makers' }] })

    await fetchHost('PUT', '/repos/ada/shared/collaborators/grace', { permission: 'push' })
    for (const call of [reviewer.call('GET', address), reviewer.call('POST', open, {})]) {
      const { status, body } = await call
      expect([status, body]).toMatchObject([
        403,
        { error: { code: 'WORKSPACE_ACCESS_NEEDED', message: 'Could not access workspace' } },
      ])
    }
    expect(await graphql(reviewer, teams)).toEqual({ recentTeamsByRepository: [{ name: 'Makers' }] })
    expect(await graphql(reviewer, `mutation { requestTeamInvitation(teamId: "${team}") }`)).toBeDefined()
  })

  it('RP651: an address that stays where it is opens nothing in a workspace that it does not name', async () => {
    expect((await reviewer.call('GET', `${address}?prevent_workspace_redirect=true`)).status).toBe(404)
    const stays = { prevent_workspace_redirect: true }
    expect(await answerOf<Opened>(reviewer.call('POST', open, stays))).toMatchObject({
      workspace_id: null,
      authorization: 'read',
    })
    expect(await answerOf<Opened>(author.call('POST', open, stays))).toMatchObject({ workspace_id: null })
    expect(await answerOf<Opened>(author.call('POST', open, { ...stays, workspace_id: team }))).toMatchObject({
      workspace_id: team,
    })
  })

  it('RP652: whose e-mail domain the workspace has proven is let in, and then opens the repository there', async () => {
    await fetchHost('DELETE', '/repos/ada/shared/collaborators/grace')
    expect(await answerOf<Opened>(reviewer.call('GET', address))).toMatchObject({ authorization: 'read' })
    const { me } = await graphql<{ me: { email: string } }>(reviewer, '{ me { email } }')
    const domain = me.email.split('@')[1]!
    const { database } = server.context
    await database
      .insert(ssoDomains)
      .values({ id: randomUUID(), teamId: team, domain, proof: 'proof', verifiedAt: new Date() })
    expect((await reviewer.call('GET', address)).status).toBe(403)
    const { recentTeamsByRepository } = await graphql<{ recentTeamsByRepository: object[] }>(reviewer, teams)
    expect(recentTeamsByRepository).toEqual([{ name: 'Makers' }])
    await graphql(reviewer, `mutation { joinEligibleWorkspace(workspaceId: "${team}") { id } }`)
    expect(await answerOf<Opened>(reviewer.call('GET', address))).toMatchObject({ workspace_id: team })
    await database.delete(ssoDomains).where(eq(ssoDomains.teamId, team))
  })

  it('RP653: opens where it is meant, else in a paid team, a paid personal workspace, a team, the rest', async () => {
    const { workspace_id: personal } = await answerOf<Opened>(
      author.call('POST', '/api/beta/import/github/ada/shared', {}),
    )
    const where = async (query = '') => (await answerOf<Opened>(author.call('GET', `${address}${query}`))).workspace_id
    const pay = (teamId: string) =>
      graphql(author, `mutation { updateUsageSubscriptionPlan(teamId: "${teamId}", plan: "flex") }`)
    expect(personal).not.toBe(team)
    expect(await where()).toBe(team)
    expect(await where(`?workspace_id=${personal}`)).toBe(personal)
    await pay(personal!)
    expect(await where()).toBe(personal)
    await pay(team)
    expect(await where()).toBe(team)
  })
})

describe('repositories by a part of their name', () => {
  const search = (browser: TestBrowser, query: string) =>
    answerOf<{ repositories: { full_name: string; authorization: string }[]; has_more: boolean }>(
      browser.call('GET', `/api/beta/repos/search/github?${query}`),
    )

  it('RP604: are found among those of the person and of their organizations, a page at a time', async () => {
    await server.database.pool.query("update git_accounts set administrator = true where login = 'ada'")
    await fetchHost('POST', '/admin/organizations', { login: 'guild', admin: 'ada' })
    for (const name of ['todo-web', 'todo-app']) await fetchHost('POST', '/orgs/guild/repos', { name })
    const all = await search(author, 'query=todo')
    expect(all.repositories.map((each) => each.full_name).toSorted()).toEqual([
      'ada/todo',
      'guild/todo-app',
      'guild/todo-web',
    ])
    const paged = await search(author, 'query=todo&owner=guild&per_page=1')
    expect([paged.repositories.length, paged.has_more]).toEqual([1, true])
    expect((await search(author, 'query=todo&owner=guild&per_page=1&page=2')).has_more).toBe(false)
    expect((await search(author, 'query=org:ada+user:ada+nothing-like-it')).repositories).toEqual([])
    expect((await search(reviewer, 'query=todo')).repositories.map((each) => each.full_name)).not.toContain('ada/todo')
    expect((await author.call('GET', '/api/beta/repos/search/github?query=')).status).toBe(422)
  })

  it('RP605: a repository is forked to an organization, and comes into the workspace', async () => {
    expect(
      await answerOf(
        author.call('POST', '/api/beta/fork/github/ada/todo', { organization: 'guild', name: 'todo-fork' }),
      ),
    ).toEqual({ owner: 'guild', repo: 'todo-fork', branch: 'main' })
    const fork = (body: object) =>
      answerOf<{ branch: string }>(
        author.call('POST', '/api/beta/fork/github/ada/todo', { organization: 'guild', ...body }),
      )
    expect((await fork({ name: 'todo-idea', create_branch: 'idea' })).branch).toBe('idea')
    expect((await fork({ name: 'todo-new', create_branch: true })).branch).not.toBe('main')
    expect((await reviewer.call('POST', '/api/beta/fork/github/ada/todo', { organization: 'guild' })).status).toBe(403)
  })
})

describe('around a repository', () => {
  const secrets = '/api/beta/repos/secrets/ada/todo'

  it('AP630: the size of machines is chosen by who administers it, within the plan', async () => {
    const { project } = await graphql<{ project: { id: string; branches: { id: string }[] } }>(
      author,
      '{ project(owner: "ada", repo: "todo") { id branches { id } resources { cpu memory storage } } }',
    )
    expect(project).toMatchObject({ resources: { cpu: 4, memory: 8192, storage: 20_480 } })
    const change = (tier: number, branchId: string | null = null) =>
      `mutation { updateProjectVmTier(projectId: "${project.id}", vmTier: ${tier}${branchId === null ? '' : `, branchId: "${branchId}"`}) { cpu memory storage } }`
    await expect(graphql(reviewer, change(1))).rejects.toThrow(/NOT_FOUND|FORBIDDEN/)
    await expect(graphql(author, change(7))).rejects.toThrow(/LIMIT_REACHED/)
    await expect(graphql(author, change(9))).rejects.toThrow(/INVALID_INPUT/)
    expect(await graphql(author, change(1))).toEqual({
      updateProjectVmTier: { cpu: 1, memory: 2048, storage: 20_480 },
    })
    expect(machines.resized).toContainEqual([project.branches[0]!.id, 1])
    const made = await answerOf<{ id: string }>(
      author.call('POST', '/api/beta/sandboxes/github/ada/todo', { source_branch: 'main', new_branch: 'sized' }),
    )
    expect(machines.resized.at(-1)).toEqual([made.id, 1])
    expect((await author.call('DELETE', '/api/beta/sandboxes/github/ada/todo/sized')).status).toBe(204)
    await graphql(author, change(2, project.branches[0]!.id))
    expect(machines.resized.at(-1)).toEqual([project.branches[0]!.id, 2])
    const tiers = await author.call('GET', '/api/vm_tiers')
    expect(tiers.body).toMatchObject({ vm_tiers: [{ name: 'Pico', tier: 1, cpu: 1 }, {}, {}, {}, {}, {}, { tier: 7 }] })
  })

  it('BX706: says after how many minutes the machines of its branches sleep, before its workspace and after the machine', async () => {
    const { database } = server.context
    const { id, projectId } = await mainOfTodo(database)
    const address = '/api/beta/repos/idle_minutes/ada/todo'
    const [project] = await database.select().from(projects).where(eq(projects.id, projectId))
    const ofWorkspace = { idle_minutes: 7 }
    await answerOf(author.call('PATCH', `/api/v1/teams/${project!.teamId}/machines`, ofWorkspace))
    expect(await idleTimeOf(database, id)).toBe(7 * 60_000)
    expect((await author.call('PATCH', address, { idle_minutes: 15 })).status).toBe(204)
    expect(await idleTimeOf(database, id)).toBe(15 * 60_000)
    // What a branch says for itself is kept with its machine.
    expect((await author.call('PATCH', `/api/v1/sandboxes/${id}/idle_minutes`, { idle_minutes: 3 })).status).toBe(204)
    expect(machines.idleTimes.get(id)).toBe(3)
    expect(await idleTimeOf(database, id)).toBe(15 * 60_000)

    for (const minutes of [0, -1, 1.5, 100_000, '5']) {
      expect((await author.call('PATCH', address, { idle_minutes: minutes })).status).toBe(422)
    }
    expect((await reviewer.call('PATCH', address, { idle_minutes: 1 })).status).toBe(404)
    expect((await reviewer.call('PATCH', `/api/v1/sandboxes/${id}/idle_minutes`, { idle_minutes: 1 })).status).toBe(403)
    expect((await server.browser().call('PATCH', address, { idle_minutes: 1 })).status).toBe(401)
    expect(await idleTimeOf(database, id)).toBe(15 * 60_000)
    expect(machines.idleTimes.get(id)).toBe(3)

    expect((await author.call('PATCH', address, { idle_minutes: null })).status).toBe(204)
    expect(await idleTimeOf(database, id)).toBe(7 * 60_000)
    await answerOf(author.call('PATCH', `/api/v1/teams/${project!.teamId}/machines`, { idle_minutes: null }))
    expect(await idleTimeOf(database, id)).toBeNull()
  })

  it('AP631: variables are replaced as a whole and seen by who may write', async () => {
    expect(await author.call('PUT', secrets, { secrets: { TOKEN: 'hidden', MODE: 'a' } })).toMatchObject({
      status: 200,
    })
    expect(await author.call('PUT', secrets, { secrets: [{ name: 'MODE', value: 'b' }] })).toMatchObject({
      body: { data: { MODE: 'b' } },
    })
    expect((await author.call('GET', secrets)).body).toEqual({ data: { MODE: 'b' } })
    expect((await reviewer.call('GET', secrets)).status).toBe(404)
    expect((await author.call('PUT', secrets, { secrets: { '1x': 'y' } })).status).toBe(422)
    const { rows } = await server.database.pool.query(
      "select detail from audit_entries where action = 'secrets.replaced'",
    )
    expect(rows.map(({ detail }: { detail: unknown }) => detail)).toMatchObject([
      { set: ['TOKEN', 'MODE'], removed: [] },
      { set: ['MODE'], removed: ['TOKEN'] },
    ])
    expect(JSON.stringify(rows)).not.toContain('hidden')
  })

  it('AP806: variables of a repository are given to the boxes of its branches, and to no contributor', async () => {
    const { database, sealer } = server.context
    const { id } = await mainOfTodo(database)
    await answerOf(
      author.call('POST', `/api/v1/sandboxes/${id}/env`, { environment_variable: { name: 'OWN', value: 'c' } }),
    )
    expect(await secretsOfBox(database, sealer, id)).toEqual({ MODE: 'b', OWN: 'c' })
    await database.update(branches).set({ contribution: true }).where(eq(branches.id, id))
    expect(await secretsOfBox(database, sealer, id)).toEqual({ OWN: 'c' })
    await database.update(branches).set({ contribution: false }).where(eq(branches.id, id))
  })

  it('AP807: who consents to artificial intelligence in it is an administrator, and it is written down', async () => {
    const { database } = server.context
    const main = await mainOfTodo(database)
    const consent = `mutation { updateProjectSettings(projectId: "${main.projectId}", aiConsent: true) { aiConsent } }`
    await expect(graphql(reviewer, consent)).rejects.toThrow('FORBIDDEN')
    const path = `/api/v1/sandboxes/branches/${main.id}`
    expect(await answerOf(author.call('GET', path))).toMatchObject({ ai_consent: false })
    expect(await graphql(author, consent)).toEqual({ updateProjectSettings: { aiConsent: true } })
    expect(await answerOf(author.call('GET', path))).toMatchObject({ ai_consent: true })
    const { rows } = await server.database.pool.query(
      "select detail from audit_entries where action = 'project.consentChanged'",
    )
    expect(rows).toEqual([{ detail: { projectId: main.projectId, aiConsent: true } }])
  })

  it('AP808: what is pushed to a branch is told to those who follow the repository, and kept', async () => {
    const told = await answerOf<{ id: string }>(
      author.call('POST', '/api/beta/sandboxes/github/ada/todo', { source_branch: 'main', new_branch: 'told' }),
    )
    const socket = await connectSocket(server, author)
    const lastCommit = 'lastCommit { sha message color user { username } }'
    const following = await socket.follow(
      `subscription { projectCommits(owner: "ada", repo: "todo", branchId: "${told.id}") { branchId ${lastCommit} } }`,
    )
    await client.git('checkout', '--quiet', '-b', 'told')
    const sha = await client.commit('Told', { 'told.txt': 'told\n' })
    await client.git('push', '--quiet', 'origin', 'told')
    await client.git('checkout', '--quiet', 'main')
    const commit = { sha, message: 'Told', color: '#FFE500', user: { username: 'ada' } }
    expect(await following.next()).toEqual({ data: { projectCommits: { branchId: told.id, lastCommit: commit } } })
    socket.close()
    expect(await graphql(author, `{ branchById(id: "${told.id}") { upstream ${lastCommit} } }`)).toEqual({
      branchById: { upstream: true, lastCommit: commit },
    })
    expect((await author.call('DELETE', '/api/beta/sandboxes/github/ada/todo/told')).status).toBe(204)
  })

  it('AP809: that the app of the platform is installed for it is told when the first import finds it', async () => {
    const told = await server.context.database.select().from(events).where(eq(events.type, 'githubEvents'))
    expect(told.filter(({ subject }) => subject.endsWith('ada/todo')).map(({ data }) => data)).toEqual([
      expect.objectContaining({ owner: 'ada', repo: 'todo', event: expect.objectContaining({ action: 'created' }) }),
    ])
  })

  it('AP633: a folder of it becomes a sandbox, and is found by its address', async () => {
    const fork = (path: string, v2: boolean) => author.call('POST', `/api/v1/sandboxes/fork/github/${path}`, { v2 })
    const made = await answerOf<{ id: string; modules: { title: string }[]; original_git: object }>(
      fork('ada/todo/tree/main/src', false),
    )
    expect(made.modules.map(({ title }) => title)).toEqual(['a.ts'])
    expect(made.original_git).toMatchObject({ username: 'ada', repo: 'todo', branch: 'main', path: 'src' })
    const address = '/api/v1/sandboxes/github/ada/todo/tree/main/src'
    expect((await author.call('GET', address)).body).toMatchObject({ data: { id: made.id } })
    expect((await reviewer.call('GET', address)).status).toBe(404)
    const devbox = await answerOf<{ id: string; v2: boolean }>(fork('ada/todo', true))
    expect([devbox.v2, checkouts.get(devbox.id)?.readme]).toEqual([true, '# Todo\n'])
    for (const path of ['ada/todo/tree/nothing', 'ada/todo/tree/main/nowhere', 'ada/todo/tree/main/..%2f..', 'ada']) {
      expect((await fork(path, false)).status).toBe(404)
    }
  })

  it('AP635: the older addresses import it, branch it and fork it', async () => {
    const main = await answerOf<{ id: string; branch: string }>(
      author.call('POST', '/api/beta/github/ada/todo/main', {}),
    )
    const again = await answerOf<{ id: string }>(author.call('POST', '/api/beta/github/ada/todo', {}))
    expect([main.branch, again.id]).toEqual(['main', main.id])
    const made = await answerOf<{ branch: string }>(
      author.call('POST', '/api/beta/github/ada/todo', { source_branch: 'main', new_branch: 'older' }),
    )
    expect(made.branch).toBe('older')
    expect((await author.call('DELETE', '/api/beta/sandboxes/github/ada/todo/older')).status).toBe(204)
    expect((await author.call('POST', '/api/beta/github/ada/todo/nothing', {})).status).toBe(404)
    expect((await reviewer.call('POST', '/api/beta/fork/github/ada/todo/nothing', {})).status).toBe(404)
    const fork = { owner: 'grace', repo: 'todo', branch: 'main' }
    expect(await answerOf(reviewer.call('POST', '/api/beta/fork/github/ada/todo/main', {}))).toEqual(fork)
  })

  it('AP632: the machine of a branch stops, and a repository leaves a workspace', async () => {
    const branch = await answerOf<{ id: string; workspace_id: string }>(
      author.call('POST', '/api/beta/import/github/ada/todo', {}),
    )
    const instance = `/api/beta/sandboxes/branches/${branch.id}/instance`
    expect((await reviewer.call('DELETE', instance)).status).toBe(403)
    expect((await author.call('DELETE', instance)).status).toBe(204)
    expect(machines.stopped).toContain(branch.id)
    const ofTheManager = `/api/v1/sandboxes/branches/${branch.id}`
    expect((await reviewer.call('DELETE', ofTheManager)).status).toBe(403)
    expect((await author.call('DELETE', ofTheManager)).status).toBe(204)
    expect(machines.stopped.filter((id) => id === branch.id)).toHaveLength(2)
    expect((await author.call('GET', ofTheManager)).status).toBe(200)
    const link = `/api/beta/repos/link/github/ada/todo/${branch.workspace_id}`
    expect((await reviewer.call('DELETE', link)).status).toBe(404)
    expect((await author.call('DELETE', link)).status).toBe(204)
    expect((await author.call('DELETE', link)).status).toBe(404)
    await answerOf(author.call('POST', '/api/beta/import/github/ada/todo', {}))
  })
})

describe('git of a box', () => {
  it('RP606: a contribution is pushed to the person’s own fork, which is made the first time, and is opened from there', async () => {
    const made = await answerOf<{ id: string; branch: string }>(
      reviewer.call('POST', '/api/beta/open/github/ada/todo', { create: true }),
    )
    await fetchHost('DELETE', '/repos/ada/todo/collaborators/grace', {})
    const credentials = `/api/v1/sandboxes/branches/${made.id}/git_credentials`
    expect((await author.call('POST', credentials, { use: 'push' })).status).toBe(403)
    const ticketFor = async (use: string) =>
      (await answerOf<{ password: string }>(reviewer.call('POST', credentials, { use }))).password
    const answer = createGitGateway(server.context, { url: `${server.origin}/_git` })
    const gateway = createServer((request, response) => void answer(made.id, request, response))
    await once(gateway.listen(0, '127.0.0.1'), 'listening')
    const address = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/git/ada/todo.git`
    const reading = new GitClient(await ticketFor('pull'))
    const writing = new GitClient(await ticketFor('push'))
    try {
      await reading.git('clone', '--quiet', address, '.')
      await expect(reading.git('push', '--quiet', 'origin', 'HEAD:refs/heads/x')).rejects.toThrow()
      await writing.git('clone', '--quiet', address, '.')
      await writing.git('checkout', '--quiet', '-b', made.branch)
      const sha = await writing.commit('From outside', { 'outside.txt': 'outside\n' })
      await writing.git('push', '--quiet', 'origin', made.branch)
      const there = (await fetchHost('GET', `/repos/grace/todo/git/ref/heads/${made.branch}`))['object']
      expect(there).toMatchObject({ sha })
      const own = (await fetchHost('GET', '/repos/ada/todo/branches')) as unknown as { name: string }[]
      expect(own.map(({ name }) => name)).not.toContain(made.branch)
    } finally {
      gateway.close()
      reading.remove()
      writing.remove()
    }
    const pulls = '/api/v1/repos/github/ada/todo/pulls'
    const pull = await answerOf<{ number: number; head_sha: string }>(
      reviewer.call('POST', pulls, { title: 'From outside', head: made.branch, head_owner: 'grace' }),
    )
    const [listed] = await answerOf<{ number: number }[]>(
      reviewer.call('GET', `${pulls}?${new URLSearchParams({ head: made.branch, head_owner: 'grace' })}`),
    )
    expect(listed?.number).toBe(pull.number)
    await reviewer.call('PATCH', `${pulls}/${pull.number}`, { state: 'closed' })
    await fetchHost('PUT', '/repos/ada/todo/collaborators/grace', { permission: 'push' })
  })

  it('RP10: reaches the repository of its branch as the person of the ticket, and nothing else', async () => {
    const branch = await answerOf<{ id: string }>(
      author.call('POST', '/api/beta/sandboxes/github/ada/todo', { new_branch: 'from-a-box' }),
    )
    const answer = createGitGateway(server.context, { url: `${server.origin}/_git` })
    const gateway = createServer((request, response) => void answer(branch.id, request, response))
    await once(gateway.listen(0, '127.0.0.1'), 'listening')
    const address = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/git/ada/todo.git`
    const ticketOf = async (browser: TestBrowser) =>
      (
        await answerOf<{ password: string }>(
          browser.call('POST', `/api/v1/sandboxes/branches/${branch.id}/git_credentials`),
        )
      ).password
    const ticket = await ticketOf(author)
    const box = new GitClient(ticket)
    const reader = new GitClient(await ticketOf(reviewer))
    try {
      await box.git('clone', '--quiet', address, '.')
      await box.git('checkout', '--quiet', '-b', 'from-a-box')
      const sha = await box.commit('From a box', { 'box.txt': 'box\n' })
      await box.git('push', '--quiet', 'origin', 'from-a-box')
      const there = (await fetchHost('GET', '/repos/ada/todo/git/ref/heads/from-a-box'))['object']
      expect(there).toMatchObject({ sha })

      await reader.git('clone', '--quiet', address, '.')
      await reader.commit('Not theirs', { 'reader.txt': 'reader\n' })
      await expect(reader.git('push', '--quiet', 'origin', 'HEAD:refs/heads/theirs')).rejects.toThrow(/403/)

      const ask = async (path: string, password: string | null) => {
        const headers: Record<string, string> =
          password === null ? {} : { authorization: `Basic ${Buffer.from(`x:${password}`).toString('base64')}` }
        return (await fetch(address.replace('/git/ada/todo.git', path), { headers })).status
      }
      const refs = '.git/info/refs?service=git-upload-pack'
      expect(await ask(`/git/ada/todo${refs}`, ticket)).toBe(200)
      expect(await ask(`/git/ada/todo${refs}`, null)).toBe(401)
      expect(await ask(`/git/ada/todo${refs}`, 'v1.made-up')).toBe(401)
      expect(await ask(`/git/ada/other${refs}`, ticket)).toBe(404)
      expect(await ask('/git/ada/todo.git/../../../api/v3/user', ticket)).toBe(404)
      // A ticket is for one box: at the gateway of another it is worth nothing.
      const other = await answerOf<{ id: string }>(author.call('GET', '/api/beta/github/ada/todo/main'))
      const credentials = await answerOf<{ password: string }>(
        author.call('POST', `/api/v1/sandboxes/branches/${other.id}/git_credentials`),
      )
      expect(await ask(`/git/ada/todo${refs}`, credentials.password)).toBe(401)
    } finally {
      gateway.closeAllConnections()
      gateway.close()
      box.remove()
      reader.remove()
    }
  })
})

describe('a devbox', () => {
  it('AP801: becomes a repository that its box may push to, and nothing else', async () => {
    const template = await answerOf<{ id: string }>(author.call('POST', '/api/v1/sandboxes/node/fork', { privacy: 0 }))
    const path = `/api/beta/sandboxes/${template.id}/repository`
    expect((await reviewer.call('POST', path, { name: 'taken-over' })).status).toBe(403)
    expect((await author.call('POST', path, { name: '../x' })).status).toBe(422)
    const made = await answerOf<{ url: string; branch: string; credentials: { password: string } }>(
      author.call('POST', path, { name: 'from-a-devbox' }),
    )
    expect(made).toMatchObject({ owner: 'ada', repo: 'from-a-devbox', branch: 'main' })
    expect(made.url).toBe('http://127.0.0.1:16380/git/ada/from-a-devbox.git')

    const answer = createGitGateway(server.context, { url: `${server.origin}/_git` })
    const gatewayOf = async (boxId: string) => {
      const gateway = createServer((request, response) => void answer(boxId, request, response))
      await once(gateway.listen(0, '127.0.0.1'), 'listening')
      return { gateway, address: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}` }
    }
    const { gateway, address } = await gatewayOf(template.id)
    const other = await gatewayOf('another')
    const box = new GitClient(made.credentials.password)
    try {
      await box.init(`${address}/git/ada/from-a-devbox.git`)
      const sha = await box.commit('All of it', { 'index.js': '1\n' })
      await box.git('push', '--quiet', 'origin', 'HEAD:refs/heads/main')
      const there = (await fetchHost('GET', '/repos/ada/from-a-devbox/git/ref/heads/main'))['object']
      expect(there).toMatchObject({ sha })
      const headers = { authorization: `Basic ${Buffer.from(`x:${made.credentials.password}`).toString('base64')}` }
      const ask = async (origin: string, repository: string) =>
        (await fetch(`${origin}/git/${repository}.git/info/refs?service=git-upload-pack`, { headers })).status
      expect(await ask(address, 'ada/todo')).toBe(404)
      expect(await ask(other.address, 'ada/from-a-devbox')).toBe(404)
      const asked = await fetch(`${address}/git/ada/from-a-devbox.git/info/refs?service=git-receive-pack`)
      expect([asked.status, asked.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="git"'])
      const branch = await answerOf<{ id: string }>(author.call('GET', '/api/beta/github/ada/todo/main'))
      expect((await author.call('POST', `/api/beta/sandboxes/${branch.id}/repository`, { name: 'again' })).status).toBe(
        409,
      )
    } finally {
      for (const each of [gateway, other.gateway]) {
        each.closeAllConnections()
        each.close()
      }
      box.remove()
    }
  })
})

describe('pull requests', () => {
  const PULLS = '/api/v1/repos/github/ada/todo/pulls'
  let number: number
  const eventsOf = async (name: string) =>
    (await server.database.database.select().from(events).where(eq(events.type, name))).map(
      ({ data }) => (data as { event: Record<string, unknown> }).event,
    )

  it('RP20: are opened, reviewed with line comments, answered and merged, and everyone is told of each step', async () => {
    await client.git('checkout', '--quiet', '-b', 'topic')
    await client.commit('Two', { 'src/a.ts': 'export const a = 2\n' })
    await client.git('push', '--quiet', 'origin', 'topic')
    const pull = await answerOf<{ number: number; state: string }>(
      author.call('POST', PULLS, { title: 'Two', head: 'topic', body: 'Why' }),
    )
    number = pull.number
    expect(pull).toMatchObject({ state: 'open', title: 'Two' })
    const files = await answerOf<{ path: string; patch: string }[]>(reviewer.call('GET', `${PULLS}/${number}/files`))
    expect(files).toMatchObject([{ path: 'src/a.ts', additions: 1, deletions: 1 }])

    const { createGithubPullRequestReview: review } = await graphql<{
      createGithubPullRequestReview: { comments: { id: number }[] }
    }>(
      reviewer,
      `
        mutation ($n: Int!) {
          createGithubPullRequestReview(
            owner: "ada"
            name: "todo"
            pullRequestNumber: $n
            body: "Nearly"
            event: REQUEST_CHANGES
            comments: [{ path: "src/a.ts", line: 1, side: RIGHT, body: "Why two?" }]
          ) {
            id
            state
            username
            user {
              username
            }
            comments {
              id
              body
              line
              side
              path
            }
          }
        }
      `,
      { n: number },
    )
    expect(review).toMatchObject({
      state: 'CHANGES_REQUESTED',
      user: { username: 'grace' },
      comments: [{ body: 'Why two?', line: 1, side: 'RIGHT' }],
    })
    const { replyToGithubPullRequestReview: reply } = await graphql<{
      replyToGithubPullRequestReview: { inReplyToId: number }
    }>(
      author,
      'mutation($n: Int!, $c: Int!) { replyToGithubPullRequestReview(owner: "ada", name: "todo", pullRequestNumber: $n, commentId: $c, body: "It is even") { inReplyToId username } }',
      { n: number, c: review.comments[0]!.id },
    )
    expect(reply).toEqual({ inReplyToId: review.comments[0]!.id, username: 'ada' })
    await expect(
      graphql(
        author,
        'mutation($n: Int!) { createGithubPullRequestReview(owner: "ada", name: "todo", pullRequestNumber: $n, body: "", event: APPROVE) { id } }',
        { n: number },
      ),
    ).rejects.toThrow(/GIT_HOST_REFUSED.*own pull request/)
    await graphql(
      reviewer,
      'mutation($n: Int!) { createGithubPullRequestReview(owner: "ada", name: "todo", pullRequestNumber: $n, body: "Fine", event: APPROVE) { id } }',
      { n: number },
    )
    const { mergeGithubPullRequest: sha } = await graphql<{ mergeGithubPullRequest: string }>(
      author,
      'mutation($n: Int!) { mergeGithubPullRequest(owner: "ada", name: "todo", pullRequestNumber: $n, mergeMethod: SQUASH) }',
      { n: number },
    )
    await client.git('fetch', '--quiet', 'origin')
    expect((await client.git('rev-parse', 'origin/main')).trim()).toBe(sha)
    const { project } = await graphql<{ project: { defaultBranch: { name: string } } }>(
      author,
      '{ project(owner: "ada", repo: "todo") { defaultBranch { name } } }',
    )
    expect(project.defaultBranch.name).toBe('main')

    const kinds = (await eventsOf('projectEvents')).map(
      ({ __typename, action }) => `${String(__typename)} ${String(action)}`,
    )
    expect(kinds).toEqual(
      expect.arrayContaining([
        'PullRequestEvent opened',
        'PullRequestReviewEvent submitted',
        'PullRequestReviewCommentEvent created',
        'PullRequestEvent closed',
      ]),
    )
  })

  it('AP802: become drafts and ready again, and are listed by their branch', async () => {
    await client.git('checkout', '--quiet', '-B', 'drafted', 'origin/main')
    await client.commit('Drafted', { 'drafted.txt': 'a\n' })
    await client.git('push', '--quiet', 'origin', 'drafted')
    const pulls = '/api/v1/repos/github/ada/todo/pulls'
    const opened = await answerOf<{ number: number; draft: boolean }>(
      author.call('POST', pulls, { title: 'Later', head: 'drafted', draft: true }),
    )
    expect(opened.draft).toBe(true)
    const listed = async () =>
      (await answerOf<{ number: number; draft: boolean }[]>(author.call('GET', `${pulls}?head=drafted`))).map(
        ({ number, draft }) => [number, draft],
      )
    expect(await listed()).toEqual([[opened.number, true]])
    await answerOf(author.call('PATCH', `${pulls}/${opened.number}`, { draft: false }))
    expect(await listed()).toEqual([[opened.number, false]])
    expect(await answerOf(author.call('GET', `${pulls}?head=nothing`))).toEqual([])
    const told = (await eventsOf('projectEvents')).map(({ action }) => action)
    expect(told).toContain('ready_for_review')
  })

  it('AP857: tell who is asked for a review, and the author of one, at the bell, once and if they want to know', async () => {
    await client.git('checkout', '--quiet', '-B', 'asked', 'origin/main')
    await client.commit('Asked', { 'asked.txt': 'a\n' })
    await client.git('push', '--quiet', 'origin', 'asked')
    const pull = await answerOf<{ number: number }>(author.call('POST', PULLS, { title: 'Asked', head: 'asked' }))
    const bell = async (browser: TestBrowser, type: string) => {
      const { me } = await graphql<{ me: { notifications: { data: string }[] } }>(
        browser,
        `{ me { notifications(limit: 50, type: ["pull_request_review_${type}"]) { data } } }`,
      )
      const told = me.notifications.map(({ data }) => JSON.parse(data) as Record<string, unknown>)
      return told.filter((data) => data['pull_request_number'] === pull.number)
    }
    const call = (browser: TestBrowser, field: string) =>
      graphql(
        browser,
        `mutation { ${field.replace('(', `(owner: "ada", name: "todo", pullRequestNumber: ${pull.number}, `)} }`,
      )
    const ask = 'requestGithubPullRequestReviewers(reviewers: ["grace"]) { __typename }'
    await call(author, ask)
    expect(await bell(reviewer, 'requested')).toMatchObject([
      { author_name: 'ada', repo_owner: 'ada', repo_name: 'todo', branch: 'asked' },
    ])
    expect(await bell(author, 'requested')).toEqual([])
    await call(reviewer, 'createGithubPullRequestReview(body: "Fine", event: COMMENT) { id }')
    expect(await bell(author, 'received')).toMatchObject([{ author_name: 'grace', branch: 'asked' }])
    await graphql(
      reviewer,
      'mutation { updateNotificationPreferences(inAppPrReviewRequest: false) { inAppPrReviewRequest } }',
    )
    await call(author, 'removeRequestedGithubPullRequestReviewers(reviewers: ["grace"]) { __typename }')
    await call(author, ask)
    expect(await bell(reviewer, 'requested')).toHaveLength(1)
    expect(await bell(author, 'received')).toHaveLength(1)
  })

  it('RP21: done at the git host itself are told by its webhooks', async () => {
    await client.git('checkout', '--quiet', '-B', 'elsewhere', 'origin/main')
    await client.commit('Three', { 'src/b.ts': 'export const b = 3\n' })
    await client.git('push', '--quiet', 'origin', 'elsewhere')
    const made = await fetchHost('POST', '/repos/ada/todo/pulls', {
      title: 'Elsewhere',
      head: 'elsewhere',
      base: 'main',
    })
    await vi.waitUntil(
      async () =>
        (await eventsOf('branchEvents')).some(
          (event) => (event['pullRequest'] as { number: number }).number === made['number'],
        ),
      { timeout: 60_000, interval: 100 },
    )
  })

  it('RP22: webhooks need the right signature and are handled once', async () => {
    const secret = webhookSecrets(join(server.context.configuration.home, 'keys'))({ owner: 'ada', name: 'todo' })
    const body = JSON.stringify({
      action: 'edited',
      repository: { name: 'todo', owner: { login: 'ada' } },
      pull_request: { number },
    })
    const send = (delivery: string, signature: string, sent = body) =>
      server.browser().request(WEBHOOK_PATH, {
        method: 'POST',
        body: sent,
        headers: {
          'content-type': 'application/json',
          'x-github-event': 'pull_request',
          'x-github-delivery': delivery,
          'x-hub-signature-256': signature,
        },
      })
    expect((await send('one', signPayload('wrong', body))).status).toBe(401)
    expect((await send('one', '')).status).toBe(401)
    expect((await send('one', signPayload(secret, body), body.replace('todo', 'other'))).status).toBe(401)
    expect((await send('one', signPayload(secret, body), `${body} `)).status).toBe(401)
    expect((await send('one', signPayload(secret, body))).status).toBe(202)
    expect((await send('one', signPayload(secret, body))).status).toBe(202)
    const rows = await server.database.database
      .select()
      .from(gitWebhookInbox)
      .where(eq(gitWebhookInbox.deliveryId, 'one'))
    expect(rows).toHaveLength(1)
  })
})

function fetchHost(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  return callGitHost(server, 'ada', method, path, body)
}
