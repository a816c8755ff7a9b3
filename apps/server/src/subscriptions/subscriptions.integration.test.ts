import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGraphqlSchema } from '../graphql/schema.ts'
import { branches, projects, sandboxCollaborators, sandboxInvitations, teamMembers } from '../database/schema.ts'
import type { DomainEventName, DomainEvents } from '../outbox/domainEvents.ts'
import { createWork } from '../outbox/unitOfWork.ts'
import { ask, valueOf } from '../testing/ask.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { recordingMachines } from '../testing/machines.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'
import { connectSocket } from '../testing/socketClient.ts'
import type { SocketClient } from '../testing/socketClient.ts'
import { writeTemplates } from '../testing/templates.ts'

const templates = writeTemplates({ node: { title: 'Node' } })
let server: TestServer
let owner: TestBrowser
let guest: TestBrowser
let client: SocketClient
/** Another server on the same database, as one of several behind a load balancer. */
let neighbour: TestServer
let clientThere: SocketClient
let stranger: SocketClient
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
  await server.context.database.insert(projects).values({
    id: randomUUID(),
    provider: 'github',
    owner: 'Acme',
    name: 'Shop',
    teamId: team,
    repository: {},
  })
  client = await connectSocket(server, owner)
  stranger = await connectSocket(server, await server.signedIn('stranger'))
  neighbour = await startTestServer({ DATABASE_URL: server.database.url })
  const there = neighbour.browser()
  for (const [name, value] of owner.cookies) there.cookies.set(name, value)
  clientThere = await connectSocket(neighbour, there)
})
afterAll(async () => {
  client.close()
  clientThere.close()
  stranger.close()
  await neighbour.close()
  await server.close()
  templates.remove()
})

const publish = <Name extends DomainEventName>(name: Name, payload: DomainEvents[Name]) =>
  server.context.database.transaction((tx) => createWork(tx, null).publish(name, payload))

const now = '2026-01-02T03:04:05.000Z'
const pullRequest = { number: 7, title: 'More', state: 'open', prUpdatedAt: now, headBranch: 'more', draft: false }
const repository = { owner: 'acme', repo: 'shop' }

/** What each subscription asks for, what makes its event, and what has to come of it. */
const cases: Record<string, { query: string; cause: () => Promise<unknown>; result: () => unknown }> = {
  branchEvents: {
    query: `branchEvents(owner: "acme", repo: "shop", branchName: "more") { ... on PullRequestEvent { action pullRequest { number prUpdatedAt } } }`,
    cause: async () => {
      const event = { __typename: 'PullRequestEvent', action: 'opened', event: 'pull_request', pullRequest }
      await publish('branchEvents', { provider: 'github', ...repository, branchName: 'other', event })
      await publish('branchEvents', { provider: 'github', ...repository, branchName: 'more', event })
    },
    result: () => ({ action: 'OPENED', pullRequest: { number: 7, prUpdatedAt: now } }),
  },
  projectEvents: {
    query: `projectEvents(owner: "acme", repo: "shop") { ... on PullRequestReviewEvent { action review { state submittedAt } } }`,
    cause: () =>
      publish('projectEvents', {
        ...repository,
        event: {
          __typename: 'PullRequestReviewEvent',
          action: 'submitted',
          event: 'pull_request_review',
          pullRequest,
          review: { id: 1, body: null, state: 'approved', submittedAt: now, username: 'grace' },
        },
      }),
    result: () => ({ action: 'SUBMITTED', review: { state: 'APPROVED', submittedAt: now } }),
  },
  githubEvents: {
    query: `githubEvents(owner: "acme", repo: "shop") { ... on InstallationEvent { action event } }`,
    cause: () =>
      publish('githubEvents', {
        ...repository,
        event: { __typename: 'InstallationEvent', action: 'created', event: 'installation' },
      }),
    result: () => ({ action: 'CREATED', event: 'installation' }),
  },
  projectCommits: {
    query: `projectCommits(owner: "acme", repo: "shop") { branchId lastCommit { sha user { username } } }`,
    cause: async () => publish('projectCommits', { ...repository, branchId: await aBranch('commits') }),
    result: () => ({ branchId: 'commits', lastCommit: { sha: 'abc', user: { username: 'owner' } } }),
  },
  projectStatus: {
    query: `projectStatus(owner: "acme", repo: "shop", branchId: "status") { branchId status { hasChanges target { behind } } }`,
    cause: async () => {
      await publish('projectStatus', { ...repository, branchId: await aBranch('another') })
      await publish('projectStatus', { ...repository, branchId: await aBranch('status') })
    },
    result: () => ({ branchId: 'status', status: { hasChanges: true, target: { behind: 2 } } }),
  },
  projectConnections: {
    query: `projectConnections(owner: "acme", repo: "shop") { branchId connections { color user { username } } }`,
    cause: () =>
      publish('projectConnections', {
        ...repository,
        branchId: 'main',
        connections: [{ appId: 'a', clientId: 'c', color: 'red', timestamp: now, userId: ids.guest }],
      }),
    result: () => ({ branchId: 'main', connections: [{ color: 'red', user: { username: 'guest' } }] }),
  },
  collaboratorAdded: {
    query: `collaboratorAdded(sandboxId: "$sandbox") { id authorization }`,
    cause: async () =>
      publish('collaboratorAdded', { sandboxId: sandbox, collaboratorId: await aCollaborator('comment') }),
    result: () => ({ id: expect.any(String), authorization: 'COMMENT' }),
  },
  collaboratorChanged: {
    query: `collaboratorChanged(sandboxId: "$sandbox") { authorization }`,
    cause: async () =>
      publish('collaboratorChanged', { sandboxId: sandbox, collaboratorId: await aCollaborator('read') }),
    result: () => ({ authorization: 'READ' }),
  },
  collaboratorRemoved: {
    query: `collaboratorRemoved(sandboxId: "$sandbox") { id authorization }`,
    cause: () =>
      publish('collaboratorRemoved', {
        sandboxId: sandbox,
        collaboratorId: ids.guest,
        userId: ids.guest,
        authorization: 'read',
      }),
    result: () => ({ id: ids.guest, authorization: 'READ' }),
  },
  invitationCreated: {
    query: `invitationCreated(sandboxId: "$sandbox") { email authorization }`,
    cause: async () =>
      publish('invitationCreated', { sandboxId: sandbox, invitationId: await anInvitation('a@x.test') }),
    result: () => ({ email: 'a@x.test', authorization: 'READ' }),
  },
  invitationChanged: {
    query: `invitationChanged(sandboxId: "$sandbox") { email }`,
    cause: async () =>
      publish('invitationChanged', { sandboxId: sandbox, invitationId: await anInvitation('b@x.test') }),
    result: () => ({ email: 'b@x.test' }),
  },
  invitationRemoved: {
    query: `invitationRemoved(sandboxId: "$sandbox") { id email }`,
    cause: () =>
      publish('invitationRemoved', {
        sandboxId: sandbox,
        invitationId: ids.guest,
        email: 'c@x.test',
        authorization: 'read',
        token: 'gone',
      }),
    result: () => ({ id: ids.guest, email: 'c@x.test' }),
  },
  commentAdded: {
    query: `commentAdded(sandboxId: "$sandbox") { content isRead }`,
    cause: () => ask(owner, `mutation { createComment(sandboxId: "${sandbox}", content: "New") { id } }`),
    result: () => ({ content: 'New', isRead: true }),
  },
  commentChanged: {
    query: `commentChanged(sandboxId: "$sandbox") { isResolved }`,
    cause: async () => {
      const id = await aComment()
      await ask(owner, `mutation { resolveComment(sandboxId: "${sandbox}", commentId: "${id}") { id } }`)
    },
    result: () => ({ isResolved: true }),
  },
  commentRemoved: {
    query: `commentRemoved(sandboxId: "$sandbox") { content }`,
    cause: async () => {
      const id = await aComment()
      await ask(owner, `mutation { deleteComment(sandboxId: "${sandbox}", commentId: "${id}") { id } }`)
    },
    result: () => ({ content: 'A comment' }),
  },
  sandboxChanged: {
    query: `sandboxChanged(sandboxId: "$sandbox") { title }`,
    cause: () => owner.call('PUT', `/api/v1/sandboxes/${sandbox}`, { sandbox: { title: 'Renamed' } }),
    result: () => ({ title: 'Renamed' }),
  },
  liveSessionEvents: {
    query: `liveSessionEvents(vmId: "$sandbox") { event session { vmId host { username } } }`,
    cause: () => ask(owner, `mutation { startLiveSession(vmId: "${sandbox}", defaultPermission: READ) { id } }`),
    result: () => ({ event: 'STARTED', session: { vmId: sandbox, host: { username: 'owner' } } }),
  },
  teamEvents: {
    query: `teamEvents { ... on TeamSubscriptionEvent { event teamId subscription { active type } } }`,
    cause: () => ask(owner, `mutation { convertToUsageBilling(teamId: "${team}", plan: "flex", addons: []) }`),
    result: () => ({
      event: 'subscription_created',
      teamId: team,
      subscription: { active: true, type: 'PERSONAL_PRO' },
    }),
  },
}

describe('AP330: the subscription', () => {
  it.each(Object.entries(cases))('AP705: %s delivers its event in every server process', async (name, one) => {
    const document = `subscription { ${one.query.replace('$sandbox', sandbox)} }`
    const following = await client.follow(document)
    const followingThere = await clientThere.follow(document)
    await one.cause()
    expect(await following.next()).toEqual({ data: { [name]: one.result() } })
    expect(await followingThere.next()).toEqual({ data: { [name]: one.result() } })
    following.cancel()
    followingThere.cancel()
  })

  it('is among those that are tested, whichever it is', () => {
    const fields = createGraphqlSchema().getSubscriptionType()!.getFields()
    expect(Object.keys(cases).toSorted()).toEqual(Object.keys(fields).toSorted())
  })

  it.each(Object.entries(cases))('%s can not be begun by a stranger', async (name, { query }) => {
    const following = stranger.follow(`subscription { ${query.replace('$sandbox', sandbox)} }`)
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
  await publish('projectEvents', {
    owner: 'acme',
    repo: 'open',
    event: { __typename: 'PullRequestEvent', action: 'opened', event: 'pull_request', pullRequest },
  })
  expect(await following.next()).toEqual({ data: { projectEvents: { __typename: 'PullRequestEvent' } } })
  const people = 'subscription { projectConnections(owner: "acme", repo: "open") { branchId } }'
  await expect(stranger.follow(people)).rejects.toThrow()
})

describe('AP331: whoever is removed', () => {
  it('from a workspace is cut off', async () => {
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

    const member = await connectSocket(server, guest)
    const following = [
      await member.follow(`subscription { sandboxChanged(sandboxId: "${id}") { id } }`),
      await member.follow('subscription { projectEvents(owner: "acme", repo: "team") { __typename } }'),
      await member.follow(`subscription { teamEvents(teamId: "${teamId}") { __typename } }`),
    ]
    await valueOf(owner, `mutation { removeFromTeam(teamId: "${teamId}", userId: "${ids.guest}") { id } }`)
    for (const each of following) {
      expect(await each.next()).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] })
    }
    member.close()
  })

  it('from a sandbox is cut off', async () => {
    await aCollaborator('comment')
    const member = await connectSocket(server, guest)
    const following = await member.follow(`subscription { commentAdded(sandboxId: "${sandbox}") { id } }`)
    await valueOf(owner, `mutation { removeCollaborator(sandboxId: "${sandbox}", username: "guest") { id } }`)
    expect(await following.next()).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] })
    member.close()
  })

  it('as the guest of a live session hears that it ends, and then nothing', async () => {
    const start = `mutation { startLiveSession(vmId: "${sandbox}", defaultPermission: READ) { id } }`
    const { id } = await valueOf<{ id: string }>(owner, start)
    const watch = `query { getLiveSession(vmId: "${sandbox}") { id } }`
    expect(await valueOf(guest, watch)).toBeNull()
    const join = `mutation { joinLiveSession(id: "${id}") { guests { username permission } } }`
    expect(await valueOf(guest, join)).toEqual({ guests: [{ username: 'guest', permission: 'READ' }] })
    expect((await guest.call('GET', `/api/v1/sandboxes/${sandbox}`)).body).toMatchObject({
      data: { authorization: 'read' },
    })
    const permit = `mutation { setLiveSessionGuestPermission(vmId: "${sandbox}", userId: "${ids.guest}", permission: WRITE) { id } }`
    expect((await ask(guest, permit)).errors?.[0]?.extensions?.code).toBe('FORBIDDEN')
    await valueOf(owner, permit)
    expect((await guest.call('GET', `/api/v1/sandboxes/${sandbox}`)).body).toMatchObject({
      data: { authorization: 'write_project' },
    })

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

async function aBranch(id: string): Promise<string> {
  const { database } = server.context
  const [project] = await database.select().from(projects)
  await database.insert(branches).values({
    id,
    projectId: project!.id,
    name: id,
    lastCommit: { color: 'blue', message: 'Change', sha: 'abc', timestamp: now, userId: ids.owner },
    status: {
      hasChanges: true,
      hasConflicts: false,
      remote: { ahead: 0, behind: 0 },
      target: { ahead: 1, behind: 2 },
    },
  })
  return id
}

async function aCollaborator(authorization: 'comment' | 'read'): Promise<string> {
  const { database } = server.context
  await database.delete(sandboxCollaborators).where(eq(sandboxCollaborators.userId, ids.guest))
  const id = randomUUID()
  await database.insert(sandboxCollaborators).values({ id, sandboxId: sandbox, userId: ids.guest, authorization })
  return id
}

async function anInvitation(email: string): Promise<string> {
  const id = randomUUID()
  await server.context.database
    .insert(sandboxInvitations)
    .values({ id, sandboxId: sandbox, email, authorization: 'read', token: id, expiresAt: new Date(now) })
  return id
}

async function aComment(): Promise<string> {
  const create = `mutation { createComment(sandboxId: "${sandbox}", content: "A comment") { id } }`
  return (await valueOf<{ id: string }>(owner, create)).id
}
