import { GitClient } from '@boxyard/git-host/testing'
import type { GitStatus } from '@boxyard/protocol'
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGraphqlSchema } from '../graphql/schema.ts'
import { projects, sandboxCollaborators, teamMembers } from '../database/schema.ts'
import { createWork } from '../outbox/unitOfWork.ts'
import { BranchConnections } from '../repositories/branchConnections.ts'
import { noteBranchStatus } from '../repositories/noteBranchStatus.ts'
import { ask, valueOf } from '../testing/ask.ts'
import { TestBrowser } from '../testing/browser.ts'
import { temporaryFolder } from '../testing/folders.ts'
import { gitToken } from '../testing/gitTokens.ts'
import { callGitHost, connectGitHost } from '../testing/localGitHost.ts'
import { recordingMachines } from '../testing/machines.ts'
import { runServer } from '../testing/program.ts'
import type { Program } from '../testing/program.ts'
import { freePort, startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'
import { connectSocket } from '../testing/socketClient.ts'
import type { SocketClient, SubscriptionResult } from '../testing/socketClient.ts'
import { writeTemplates } from '../testing/templates.ts'

const templates = writeTemplates({ node: { title: 'Node' } })
let server: TestServer
let owner: TestBrowser
let guest: TestBrowser
let client: SocketClient
/** Another server process on the same database, as one of several behind a load balancer. */
let neighbour: Program
const home = temporaryFolder('neighbour')
let there: TestBrowser
let clientThere: SocketClient
let stranger: SocketClient
let git: GitClient
/** The branch that is followed, and its box. */
let branch: string
let connections: BranchConnections
/** Somebody's connection to that box. */
const editor = new PassThrough()
let sandbox: string
let team: string
let ids: { owner: string; guest: string }

beforeAll(async () => {
  const machines = async () => ({ service: recordingMachines(), close: async () => undefined })
  server = await startTestServer({}, { machines, templatesFolder: templates.folder })
  owner = await server.signedIn('owner')
  guest = await server.signedIn('guest')
  const me = '{ me { id personalWorkspaceId } }'
  const own = await valueOf<{ id: string; personalWorkspaceId: string }>(owner, me)
  ids = { owner: own.id, guest: (await valueOf<{ id: string }>(guest, me)).id }
  team = own.personalWorkspaceId
  const answer = await owner.call('POST', '/api/v1/sandboxes/node/fork', { privacy: 2 })
  sandbox = (answer.body as { data: { id: string } }).data.id
  await makeRepository()
  connections = new BranchConnections({
    database: server.context.database,
    onEmpty: async () => undefined,
    onError: (error) => expect.fail(String(error)),
  })
  client = await connectSocket(server, owner)
  stranger = await connectSocket(server, await server.signedIn('stranger'))
  const port = await freePort()
  neighbour = runServer({
    BOXYARD_HOME: home,
    PORT: String(port),
    DATABASE_URL: server.database.url,
    BOXYARD_NPM_REGISTRY: 'http://registry.test',
    BOXYARD_PIP_INDEX: 'http://index.test/simple',
  })
  const origin = `http://app.boxyard.localhost:${port}`
  await neighbour.says(`Boxyard is at ${origin}`)
  there = new TestBrowser(origin, port)
  for (const [name, value] of owner.cookies) there.cookies.set(name, value)
  clientThere = await connectSocket({ origin, port }, there)
})
afterAll(async () => {
  client.close()
  clientThere.close()
  stranger.close()
  editor.destroy()
  await connections.close()
  neighbour.kill('SIGTERM')
  await neighbour.exited
  await server.close()
  git.remove()
  templates.remove()
  rmSync(home, { recursive: true, force: true })
})

/** A private repository of the local git host in the owner's workspace, with a branch that was pushed. */
async function makeRepository(): Promise<void> {
  await connectGitHost(owner, 'private_repos')
  const made = await callGitHost(server, 'owner', 'POST', '/user/repos', { name: 'shop', private: true })
  git = new GitClient(await gitToken(server, 'owner', ['repo']))
  await git.init(made['clone_url'] as string)
  await git.commit('First', { 'README.md': '# Shop\n' })
  await git.git('push', '--quiet', 'origin', 'main')
  await dataOf(owner, '/api/beta/import/github/owner/shop', {})
  const places = { source_branch: 'main', new_branch: 'more' }
  branch = (await dataOf<{ id: string }>(owner, '/api/beta/sandboxes/github/owner/shop', places)).id
}

async function push(branchName: string): Promise<void> {
  await git.git('checkout', '--quiet', '-B', branchName, 'main')
  await git.commit(`Change of ${branchName}`, { 'change.txt': `${branchName}\n` })
  await git.git('push', '--quiet', 'origin', branchName)
}

async function dataOf<T>(browser: TestBrowser, path: string, body: object): Promise<T> {
  const answer = await browser.call('POST', path, body)
  expect([answer.status, answer.body]).toEqual([200, expect.anything()])
  return (answer.body as { data: T }).data
}

const PULLS = '/api/v1/repos/github/owner/shop/pulls'
async function openPull(head: string): Promise<void> {
  await push(head)
  await dataOf(owner, PULLS, { title: `About ${head}`, head })
}

interface Case {
  query: string
  /** What makes the event, by one server process or the other. */
  cause: (by: TestBrowser) => Promise<unknown>
  result: () => unknown
  /** Where the event begins at the git host or at a machine, which are the first process's. */
  onlyHere?: true
  /** Whether a result is about something earlier, which the git host may tell of once more. */
  isEarlier?: (result: SubscriptionResult) => boolean
}

const sandboxMutation = (by: TestBrowser, field: string, args: string, selection = '{ id }') =>
  valueOf<{ id: string }>(by, `mutation { ${field}(sandboxId: "${sandbox}", ${args}) ${selection} }`)
const invite = (by: TestBrowser, email: string) =>
  sandboxMutation(by, 'createSandboxInvitation', `email: "${email}", authorization: READ`)
const comment = (by: TestBrowser) => sandboxMutation(by, 'createComment', 'content: "A comment"')
const inRepository = 'owner: "owner", repo: "shop"'

/** What each subscription asks for, what makes its event, and what has to come of it. */
const cases: Record<string, Case> = {
  projectCommits: {
    query: `projectCommits(${inRepository}, branchId: "$branch") { branchId lastCommit { message user { username } } }`,
    cause: async () => {
      await push('another')
      await push('more')
    },
    result: () => ({ branchId: branch, lastCommit: { message: 'Change of more', user: { username: 'owner' } } }),
    onlyHere: true,
  },
  branchEvents: {
    query: `branchEvents(${inRepository}, branchName: "topic") { ... on PullRequestEvent { action pullRequest { headBranch state } } }`,
    cause: async () => {
      await openPull('other')
      await openPull('topic')
    },
    result: () => ({ action: 'OPENED', pullRequest: { headBranch: 'topic', state: 'open' } }),
    onlyHere: true,
  },
  projectEvents: {
    query: `projectEvents(${inRepository}) { ... on PullRequestEvent { action pullRequest { headBranch } } }`,
    cause: () => openPull('third'),
    result: () => ({ action: 'OPENED', pullRequest: { headBranch: 'third' } }),
    onlyHere: true,
    isEarlier: (result) => /"headBranch":"(?:other|topic)"/.test(JSON.stringify(result)),
  },
  githubEvents: {
    query: `githubEvents(${inRepository}) { ... on InstallationEvent { action event } }`,
    cause: async () => {
      const { id } = await valueOf<{ id: string }>(owner, 'mutation { createTeam(name: "Further") { id } }')
      await dataOf(owner, '/api/beta/import/github/owner/shop', { team_id: id })
    },
    result: () => ({ action: 'CREATED', event: 'installation' }),
    onlyHere: true,
  },
  projectStatus: {
    query: `projectStatus(${inRepository}, branchId: "$branch") { branchId status { hasChanges target { behind } } }`,
    cause: () => noteBranchStatus(server.context.database, branch, statusOf({ localChanges: true, behind: 2 })),
    result: () => ({ branchId: branch, status: { hasChanges: true, target: { behind: 2 } } }),
    onlyHere: true,
  },
  projectConnections: {
    query: `projectConnections(${inRepository}) { branchId connections { user { username } } }`,
    cause: async () => connections.hold(branch, ids.guest, editor),
    result: () => ({ branchId: branch, connections: [{ user: { username: 'guest' } }] }),
    onlyHere: true,
  },
  collaboratorAdded: {
    query: `collaboratorAdded(sandboxId: "$sandbox") { authorization user { username } }`,
    cause: async (by) => {
      await withoutGuest()
      await sandboxMutation(by, 'addCollaborator', 'username: "guest", authorization: COMMENT')
    },
    result: () => ({ authorization: 'COMMENT', user: { username: 'guest' } }),
  },
  collaboratorChanged: {
    query: `collaboratorChanged(sandboxId: "$sandbox") { authorization }`,
    cause: async (by) => {
      await aCollaborator('comment')
      await sandboxMutation(by, 'changeCollaboratorAuthorization', 'username: "guest", authorization: READ')
    },
    result: () => ({ authorization: 'READ' }),
  },
  collaboratorRemoved: {
    query: `collaboratorRemoved(sandboxId: "$sandbox") { authorization user { username } }`,
    cause: async (by) => {
      await aCollaborator('read')
      await sandboxMutation(by, 'removeCollaborator', 'username: "guest"')
    },
    result: () => ({ authorization: 'READ', user: { username: 'guest' } }),
  },
  invitationCreated: {
    query: `invitationCreated(sandboxId: "$sandbox") { email authorization }`,
    cause: (by) => invite(by, `a@${by.address}.test`),
    result: () => ({ email: expect.stringContaining('a@') as string, authorization: 'READ' }),
  },
  invitationChanged: {
    query: `invitationChanged(sandboxId: "$sandbox") { email authorization }`,
    cause: async (by) => {
      const { id } = await invite(by, `b@${by.address}.test`)
      await sandboxMutation(by, 'changeSandboxInvitationAuthorization', `invitationId: "${id}", authorization: COMMENT`)
    },
    result: () => ({ email: expect.stringContaining('b@') as string, authorization: 'COMMENT' }),
  },
  invitationRemoved: {
    query: `invitationRemoved(sandboxId: "$sandbox") { email }`,
    cause: async (by) => {
      const { id } = await invite(by, `c@${by.address}.test`)
      await sandboxMutation(by, 'revokeSandboxInvitation', `invitationId: "${id}"`)
    },
    result: () => ({ email: expect.stringContaining('c@') as string }),
  },
  commentAdded: {
    query: `commentAdded(sandboxId: "$sandbox") { content isRead }`,
    cause: comment,
    result: () => ({ content: 'A comment', isRead: true }),
  },
  commentChanged: {
    query: `commentChanged(sandboxId: "$sandbox") { isResolved }`,
    cause: async (by) => {
      const { id } = await comment(by)
      await sandboxMutation(by, 'resolveComment', `commentId: "${id}"`)
    },
    result: () => ({ isResolved: true }),
  },
  commentRemoved: {
    query: `commentRemoved(sandboxId: "$sandbox") { content }`,
    cause: async (by) => {
      const { id } = await comment(by)
      await sandboxMutation(by, 'deleteComment', `commentId: "${id}"`)
    },
    result: () => ({ content: 'A comment' }),
  },
  sandboxChanged: {
    query: `sandboxChanged(sandboxId: "$sandbox") { title }`,
    cause: (by) => by.call('PUT', `/api/v1/sandboxes/${sandbox}`, { sandbox: { title: `Renamed ${by.address}` } }),
    result: () => ({ title: expect.stringContaining('Renamed') as string }),
  },
  liveSessionEvents: {
    query: `liveSessionEvents(vmId: "$sandbox") { event session { vmId host { username } } }`,
    cause: async (by) => {
      const start = `mutation { startLiveSession(vmId: "${sandbox}", defaultPermission: READ) { id } }`
      await valueOf(by, start)
    },
    result: () => ({ event: 'STARTED', session: { vmId: sandbox, host: { username: 'owner' } } }),
    // The end of the session before, which the other process hears of later.
    isEarlier: (result) => JSON.stringify(result).includes('"STOPPED"'),
  },
  teamEvents: {
    query: `teamEvents { ... on TeamSubscriptionEvent { event subscription { active type } } }`,
    cause: async (by) => {
      const { id } = await valueOf<{ id: string }>(by, 'mutation { createTeam(name: "Paying") { id } }')
      await valueOf(by, `mutation { convertToUsageBilling(teamId: "${id}", plan: "flex", addons: []) }`)
    },
    result: () => ({ event: 'subscription_created', subscription: { active: true, type: 'TEAM_PRO' } }),
  },
}

const documentOf = ({ query }: Case): string =>
  `subscription { ${query.replace('$sandbox', sandbox).replace('$branch', branch)} }`

describe('AP330: the subscription', () => {
  it.each(Object.entries(cases))('AP705: %s delivers its event in every server process', async (name, one) => {
    for (const by of one.onlyHere ? [owner] : [owner, there]) {
      const following = await Promise.all([client, clientThere].map((each) => each.follow(documentOf(one))))
      await one.cause(by)
      for (const each of following) {
        let result = await each.next()
        while (one.isEarlier?.(result)) result = await each.next()
        expect(result).toEqual({ data: { [name]: one.result() } })
        each.cancel()
      }
      if (name === 'liveSessionEvents') await stopLiveSession()
    }
  })

  it('is among those that are tested, whichever it is', () => {
    const fields = createGraphqlSchema().getSubscriptionType()!.getFields()
    expect(Object.keys(cases).toSorted()).toEqual(Object.keys(fields).toSorted())
  })

  it.each(Object.entries(cases))('%s can not be begun by a stranger', async (name, one) => {
    const following = stranger.follow(documentOf(one))
    // Whoever follows all their workspaces follows none that is not theirs.
    if (name === 'teamEvents') await expect(following).resolves.toBeDefined()
    else await expect(following).rejects.toThrow()
  })
})

it('AP800: what is said about pull requests of a public repository may be followed by everybody, who is in it only by members', async () => {
  const open = {
    id: randomUUID(),
    provider: 'github',
    owner: 'Acme',
    name: 'Open',
    repository: { private: false },
  } as const
  await server.context.database.insert(projects).values({ ...open, teamId: team })
  const following = await stranger.follow('subscription { projectEvents(owner: "acme", repo: "open") { __typename } }')
  const event = { __typename: 'PullRequestEvent', action: 'opened', event: 'pull_request' }
  await server.context.database.transaction((tx) =>
    createWork(tx, null).publish('projectEvents', { owner: 'acme', repo: 'open', event }),
  )
  expect(await following.next()).toEqual({ data: { projectEvents: { __typename: 'PullRequestEvent' } } })
  const people = 'subscription { projectConnections(owner: "acme", repo: "open") { branchId } }'
  await expect(stranger.follow(people)).rejects.toThrow()
})

describe('AP331: whoever is removed', () => {
  it('from a workspace is cut off in every server process', async () => {
    const { database } = server.context
    const { id: teamId } = await valueOf<{ id: string }>(owner, 'mutation { createTeam(name: "Acme") { id } }')
    await database.insert(teamMembers).values({ teamId, userId: ids.guest, authorization: 'read' })
    const answer = await owner.call('POST', '/api/v1/sandboxes/node/fork', { privacy: 2, team_id: teamId })
    const { id } = (answer.body as { data: { id: string } }).data
    const file = `mutation { addToCollection(collectionPath: "/", sandboxIds: ["${id}"], teamId: "${teamId}") { id } }`
    await valueOf(owner, file)
    const repositoryOfTeam = {
      id: randomUUID(),
      provider: 'github',
      owner: 'Acme',
      name: 'Team',
      repository: {},
    } as const
    await database.insert(projects).values({ ...repositoryOfTeam, teamId })

    const guestThere = new TestBrowser(there.origin, Number(new URL(there.origin).port))
    for (const [name, value] of guest.cookies) guestThere.cookies.set(name, value)
    const places = [
      await connectSocket(server, guest),
      await connectSocket({ origin: there.origin, port: Number(new URL(there.origin).port) }, guestThere),
    ]
    const following = await Promise.all(
      places.flatMap((member) => [
        member.follow(`subscription { sandboxChanged(sandboxId: "${id}") { id } }`),
        member.follow('subscription { projectEvents(owner: "acme", repo: "team") { __typename } }'),
        member.follow(`subscription { teamEvents(teamId: "${teamId}") { __typename } }`),
      ]),
    )
    await valueOf(owner, `mutation { removeFromTeam(teamId: "${teamId}", userId: "${ids.guest}") { id } }`)
    for (const each of following) {
      expect(await each.next()).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] })
    }
    for (const member of places) member.close()
  })

  it('from a sandbox is cut off', async () => {
    await aCollaborator('comment')
    const member = await connectSocket(server, guest)
    const following = await member.follow(`subscription { commentAdded(sandboxId: "${sandbox}") { id } }`)
    await valueOf(owner, `mutation { removeCollaborator(sandboxId: "${sandbox}", username: "guest") { id } }`)
    expect(await following.next()).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] })
    member.close()
  })

  it('AP331, AP946: as the guest of a live session hears that it ends, and then nothing', async () => {
    const start = `mutation { startLiveSession(vmId: "${sandbox}", defaultPermission: READ) { id } }`
    const { id } = await valueOf<{ id: string }>(owner, start)
    const watch = `query { getLiveSession(vmId: "${sandbox}") { id } }`
    expect(await valueOf(guest, watch)).toBeNull()
    const join = `mutation { joinLiveSession(id: "${id}") { guests { username permission } } }`
    // Whoever may let others in is no guest.
    expect(await valueOf(owner, join)).toEqual({ guests: [] })
    expect(await valueOf(guest, join)).toEqual({ guests: [{ username: 'guest', permission: 'READ' }] })
    expect((await guest.call('GET', `/api/v1/sandboxes/${sandbox}`)).body).toMatchObject({
      data: { authorization: 'read' },
    })
    const permit = `mutation { setLiveSessionGuestPermission(vmId: "${sandbox}", userId: "${ids.guest}", permission: WRITE) { id } }`
    expect((await ask(guest, permit)).errors?.[0]?.extensions?.code).toBe('FORBIDDEN')
    await valueOf(owner, permit)
    // AP946: what they have open is looked at again.
    const told = await server.context.database.execute<{ subject: string }>(
      sql`select subject from events where type = 'accessChanged' order by id desc limit 1`,
    )
    expect(told.rows).toEqual([{ subject: `user:${ids.guest}` }])
    expect((await guest.call('GET', `/api/v1/sandboxes/${sandbox}`)).body).toMatchObject({
      data: { authorization: 'write_project' },
    })
    // What a guest may do in the devbox is not the session's to give on.
    for (const command of [
      permit,
      `mutation { setLiveSessionDefaultPermission(vmId: "${sandbox}", permission: WRITE) { id } }`,
      `mutation { stopLiveSession(vmId: "${sandbox}") { stoppedAt } }`,
    ]) {
      expect((await ask(guest, command)).errors?.[0]?.extensions?.code).toBe('FORBIDDEN')
    }

    const member = await connectSocket(server, guest)
    const events = await member.follow(`subscription { liveSessionEvents(vmId: "${sandbox}") { event } }`)
    const changes = await member.follow(`subscription { sandboxChanged(sandboxId: "${sandbox}") { id } }`)
    await valueOf(owner, `mutation { stopLiveSession(vmId: "${sandbox}") { stoppedAt } }`)
    expect(await events.next()).toEqual({ data: { liveSessionEvents: { event: 'STOPPED' } } })
    expect(await events.next()).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] })
    expect(await changes.next()).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] })
    expect((await guest.call('GET', `/api/v1/sandboxes/${sandbox}`)).status).toBe(404)
    member.close()
  })
})

describe('AP332: the notification channel', () => {
  const join = (userId: string) =>
    new Promise<unknown>((resolve) => {
      const channel = client.phoenix.channel(`notification:${userId}`)
      channel.on('new-notification', (payload: unknown) => void pushed.push(payload))
      channel
        .join()
        .receive('ok', (response: unknown) => resolve(response))
        .receive('error', (reason: unknown) => resolve(reason))
    })
  const pushed: unknown[] = []

  it('counts what is unread, and tells of what is new', async () => {
    const { database } = server.context
    expect(await join(ids.guest)).toEqual({ reason: 'unauthorized' })
    expect(await join(ids.owner)).toEqual({ unread: expect.any(Number) })
    await aCollaborator('comment')
    await ask(guest, `mutation { createComment(sandboxId: "${sandbox}", content: "Hello") { id } }`)
    await expect.poll(() => pushed).toEqual([{ id: expect.any(String) }])
    const bell = '{ me { notifications { id read } } }'
    const { notifications } = await valueOf<{ notifications: { id: string; read: boolean }[] }>(owner, bell)
    expect(notifications[0]).toEqual({ ...(pushed[0] as object), read: false })
    await database.delete(sandboxCollaborators)
  })
})

async function withoutGuest(): Promise<void> {
  await server.context.database.delete(sandboxCollaborators).where(eq(sandboxCollaborators.userId, ids.guest))
}

async function aCollaborator(authorization: 'comment' | 'read'): Promise<void> {
  await withoutGuest()
  await server.context.database
    .insert(sandboxCollaborators)
    .values({ id: randomUUID(), sandboxId: sandbox, userId: ids.guest, authorization })
}

const stopLiveSession = () => valueOf(owner, `mutation { stopLiveSession(vmId: "${sandbox}") { stoppedAt } }`)

/** What the git of a box says. */
function statusOf({ localChanges, behind }: { localChanges: boolean; behind: number }): GitStatus {
  const side = { head: 'abc', branch: 'more', ahead: 0, behind: 0, safe: true }
  return {
    changedFiles: {},
    deletedFiles: [],
    conflicts: false,
    localChanges,
    remote: side,
    target: { ...side, behind },
    head: 'abc',
    commits: [],
    branch: 'more',
    isMerging: false,
  }
}
