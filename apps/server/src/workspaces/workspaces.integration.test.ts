import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deleteDueAccounts, DELETION_DAYS } from '../accounts/deleteAccount.ts'
import { auditEntries, outbox, sandboxes, ssoDomains, teamMembers, teams, users } from '../database/schema.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { recordingMachines } from '../testing/machines.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'
import { writeTemplates } from '../testing/templates.ts'

const templates = writeTemplates({ node: { title: 'Node' } })
const machines = recordingMachines()
let server: TestServer
let owner: TestBrowser
let member: TestBrowser
let teamId: string
const ids: Record<string, string> = {}

beforeAll(async () => {
  server = await startTestServer(
    {},
    { machines: async () => ({ service: machines, close: async () => undefined }), templatesFolder: templates.folder },
  )
  owner = await server.signedIn('owner')
  member = await server.signedIn('member')
  for (const { id, username } of await server.context.database.select().from(users)) ids[username] = id
})
afterAll(async () => {
  await server.close()
  templates.remove()
})
beforeEach(async () => {
  const made = await run(owner, 'mutation { createTeam(name: "Makers") { id } }')
  teamId = (made['createTeam'] as { id: string }).id
})

async function ask(browser: TestBrowser, query: string, variables: object = {}) {
  const { body } = await browser.call('POST', '/api/graphql', { query, variables })
  return body as { data: Record<string, unknown>; errors?: { message: string; extensions?: { code: string } }[] }
}

async function run(browser: TestBrowser, query: string, variables: object = {}): Promise<Record<string, unknown>> {
  const { data, errors } = await ask(browser, query, variables)
  expect(errors).toBeUndefined()
  return data
}

async function codeOf(browser: TestBrowser, query: string, variables: object = {}): Promise<string | undefined> {
  return (await ask(browser, query, variables)).errors?.[0]?.extensions?.code
}

async function join(authorization: 'admin' | 'write' | 'read'): Promise<void> {
  const { database } = server.context
  await database.insert(teamMembers).values({ teamId, userId: ids['member']!, authorization })
}

/** A sandbox in a folder of the workspace, or a draft in it. */
async function make(browser: TestBrowser, path: string | null, title = 'Thing'): Promise<string> {
  const { status, body } = await browser.call('POST', '/api/v1/sandboxes/node/fork', { team_id: teamId, title })
  expect(status).toBe(200)
  const { id } = (body as { data: { id: string } }).data
  if (path !== null) {
    await run(
      browser,
      'mutation ($id: ID!, $teamId: UUID4, $path: String!) { addToCollection(collectionPath: $path, sandboxIds: [$id], teamId: $teamId) { path } }',
      { id, teamId, path },
    )
  }
  return id
}

const ROLE =
  'mutation ($teamId: UUID4!, $changes: [MemberAuthorization!]) { changeTeamMemberAuthorizations(teamId: $teamId, memberAuthorizations: $changes) { userAuthorizations { userId authorization } } }'
const TITLES =
  '($teamId: UUID4!, $deleted: Boolean) { me { team(id: $teamId) { drafts { id } sandboxes(showDeleted: $deleted) { id } } } }'

async function listed(browser: TestBrowser, deleted = false) {
  const { me } = (await run(browser, `query ${TITLES}`, { teamId, deleted })) as {
    me: { team: { drafts: { id: string }[]; sandboxes: { id: string }[] } }
  }
  return { drafts: me.team.drafts.map(({ id }) => id), filed: me.team.sandboxes.map(({ id }) => id) }
}

describe('members', () => {
  it('AP14: are invited by name, told by mail and bell, and come in with the role they were invited as', async () => {
    await run(
      owner,
      'mutation ($teamId: UUID4!) { inviteToTeam(teamId: $teamId, username: "MEMBER", authorization: READ) { invitees { username } } }',
      { teamId },
    )
    const { database } = server.context
    const mails = await database
      .select()
      .from(outbox)
      .where(and(eq(outbox.channel, 'mail'), eq(outbox.name, 'teamInvite')))
    expect(mails.map(({ payload }) => payload)).toContainEqual(
      expect.objectContaining({ teamId, email: 'member@example.test' }),
    )
    expect(
      await codeOf(member, 'query ($teamId: UUID4!) { me { team(id: $teamId) { name } } }', { teamId }),
    ).toBeUndefined()
    const { acceptTeamInvitation } = await run(
      member,
      'mutation ($teamId: UUID4!) { acceptTeamInvitation(teamId: $teamId) { inviteToken userAuthorizations { userId authorization } } }',
      { teamId },
    )
    expect(acceptTeamInvitation).toEqual({
      inviteToken: '',
      userAuthorizations: [
        { userId: ids['owner'], authorization: 'ADMIN' },
        { userId: ids['member'], authorization: 'READ' },
      ],
    })
    expect(
      await codeOf(member, 'mutation ($teamId: UUID4!) { acceptTeamInvitation(teamId: $teamId) { id } }', { teamId }),
    ).toBe('NOT_FOUND')
    const entries = await database.select().from(auditEntries).where(eq(auditEntries.teamId, teamId))
    expect(entries.map(({ action }) => action)).toEqual(['team.created', 'invitation.created', 'member.added'])
  })

  it('come by the link of an e-mail once, and by the link of the workspace with its default role', async () => {
    await run(
      owner,
      'mutation ($teamId: UUID4!) { inviteToTeamViaEmail(teamId: $teamId, email: "new@elsewhere.test", authorization: WRITE) }',
      { teamId },
    )
    const { database } = server.context
    const [mail] = (await database.select().from(outbox).where(eq(outbox.name, 'teamInvite'))).filter(
      ({ payload }) => payload['email'] === 'new@elsewhere.test',
    )
    const redeem = 'mutation ($token: String!) { redeemTeamInviteToken(inviteToken: $token) { id } }'
    const byMail = { token: mail!.payload['token'] }
    const { teamByToken } = await run(
      server.browser(),
      'query ($token: String!) { teamByToken(inviteToken: $token) { name } }',
      byMail,
    )
    expect(teamByToken).toEqual({ name: 'Makers' })
    await run(member, redeem, byMail)
    expect(await codeOf(member, redeem, byMail)).toBe('NOT_FOUND')
    await run(member, 'mutation ($teamId: UUID4!) { leaveTeam(teamId: $teamId) }', { teamId })
    const [team] = await database.select().from(teams).where(eq(teams.id, teamId))
    await run(
      owner,
      'mutation ($teamId: UUID4!) { setDefaultTeamMemberAuthorization(teamId: $teamId, defaultAuthorization: READ) { minimumPrivacy } }',
      { teamId },
    )
    await run(member, redeem, { token: team!.inviteToken })
    const [row] = await database
      .select()
      .from(teamMembers)
      .where(and(eq(teamMembers.teamId, teamId), eq(teamMembers.userId, ids['member']!)))
    expect(row!.authorization).toBe('read')
  })

  it('join by themselves when the workspace proved the domain of their address', async () => {
    const joinIt = 'mutation ($teamId: ID!) { joinEligibleWorkspace(workspaceId: $teamId) { name } }'
    expect(await codeOf(member, joinIt, { teamId })).toBe('NOT_FOUND')
    const { database } = server.context
    await database.insert(ssoDomains).values({ id: randomUUID(), teamId, domain: 'example.test', proof: 'proof' })
    expect(await codeOf(member, joinIt, { teamId })).toBe('NOT_FOUND')
    await database.update(ssoDomains).set({ verifiedAt: new Date() }).where(eq(ssoDomains.teamId, teamId))
    expect(await run(member, joinIt, { teamId })).toEqual({ joinEligibleWorkspace: { name: 'Makers' } })
  })

  it('AP15: always include an administrator: the last one neither leaves nor becomes less', async () => {
    await join('write')
    expect(await codeOf(owner, 'mutation ($teamId: UUID4!) { leaveTeam(teamId: $teamId) }', { teamId })).toBe(
      'LAST_ADMIN',
    )
    const down = { userId: ids['owner'], authorization: 'READ' }
    expect(await codeOf(owner, ROLE, { teamId, changes: [down] })).toBe('LAST_ADMIN')
    expect(await codeOf(member, ROLE, { teamId, changes: [down] })).toBe('FORBIDDEN')
    // Both at once, in any order: the whole change counts.
    await run(owner, ROLE, { teamId, changes: [down, { userId: ids['member'], authorization: 'ADMIN' }] })
    expect(await codeOf(owner, ROLE, { teamId, changes: [down] })).toBe('FORBIDDEN')
  })

  it('change a frozen workspace in no way', async () => {
    await server.context.database.update(teams).set({ frozen: true }).where(eq(teams.id, teamId))
    expect(
      await codeOf(owner, 'mutation ($teamId: UUID4!) { setTeamName(teamId: $teamId, name: "Other") { id } }', {
        teamId,
      }),
    ).toBe('WORKSPACE_FROZEN')
    const { status } = await owner.call('POST', '/api/v1/sandboxes/node/fork', { team_id: teamId })
    expect(status).toBe(402)
  })
})

describe('what is in a workspace', () => {
  it('AP16: shows drafts to their author only, folders to every member', async () => {
    await join('admin')
    const draft = await make(owner, null)
    const filed = await make(owner, '/apps')
    expect(await listed(owner)).toEqual({ drafts: [draft], filed: [filed] })
    expect(await listed(member)).toEqual({ drafts: [], filed: [filed] })
    expect((await member.call('GET', `/api/v1/sandboxes/${draft}`)).status).toBe(404)
    expect((await member.call('GET', `/api/v1/sandboxes/${filed}`)).status).toBe(200)
  })

  it('AP17: goes to the trash, comes back, and is removed for good only from there', async () => {
    const id = await make(owner, '/apps')
    const forGood = 'mutation ($ids: [ID!]!) { permanentlyDeleteSandboxes(sandboxIds: $ids) { id } }'
    expect(await codeOf(owner, forGood, { ids: [id] })).toBe('CONFLICT')
    await run(owner, 'mutation ($ids: [ID!]!) { deleteSandboxes(sandboxIds: $ids) { removedAt } }', { ids: [id] })
    expect(await listed(owner)).toEqual({ drafts: [], filed: [] })
    expect((await listed(owner, true)).filed).toEqual([id])
    await run(
      owner,
      'mutation ($ids: [ID], $teamId: UUID4) { addToCollectionOrTeam(sandboxIds: $ids, teamId: $teamId, collectionPath: "/back") { id } }',
      { ids: [id], teamId },
    )
    expect((await listed(owner)).filed).toEqual([id])
    await run(owner, 'mutation ($ids: [ID!]!) { deleteSandboxes(sandboxIds: $ids) { id } }', { ids: [id] })
    await run(owner, forGood, { ids: [id] })
    expect(machines.removed).toContain(id)
    expect(await server.context.database.select().from(sandboxes).where(eq(sandboxes.id, id))).toEqual([])
  })

  it('AP18: stays as private as the workspace demands, and in it when it says so', async () => {
    const filed = await make(owner, '/apps')
    const setPrivacy =
      'mutation ($ids: [ID!]!, $privacy: Int) { setSandboxesPrivacy(sandboxIds: $ids, privacy: $privacy) { privacy } }'
    await run(owner, setPrivacy, { ids: [filed], privacy: 0 })
    await run(
      owner,
      'mutation ($teamId: UUID4!) { setTeamMinimumPrivacy(teamId: $teamId, minimumPrivacy: 1, updateDrafts: false) { minimumPrivacy } }',
      { teamId },
    )
    const [row] = await server.context.database.select().from(sandboxes).where(eq(sandboxes.id, filed))
    expect(row!.privacy).toBe(1)
    expect(await codeOf(owner, setPrivacy, { ids: [filed], privacy: 0 })).toBe('WORKSPACE_FORBIDS')
    await run(
      owner,
      'mutation ($teamId: UUID4!) { setWorkspaceSandboxSettings(teamId: $teamId, preventSandboxExport: true, preventSandboxLeaving: true) { preventSandboxLeaving } }',
      { teamId },
    )
    expect(
      await codeOf(owner, 'mutation ($ids: [ID]) { addToCollectionOrTeam(sandboxIds: $ids) { id } }', { ids: [filed] }),
    ).toBe('WORKSPACE_FORBIDS')
    const fork = await owner.call('POST', `/api/v1/sandboxes/${filed}/fork`, {})
    expect([fork.status, (fork.body as { error: { code: string } }).error.code]).toEqual([403, 'WORKSPACE_FORBIDS'])
    expect((await owner.call('POST', `/api/v1/sandboxes/${filed}/fork`, { team_id: teamId })).status).toBe(200)
  })

  it('AP19: is in folders that are made, renamed, moved and deleted with what is in them', async () => {
    const id = await make(owner, '/apps/web')
    const paths = async () => {
      const { me } = (await run(
        owner,
        'query ($teamId: ID) { me { collections(teamId: $teamId) { path sandboxCount } } }',
        { teamId },
      )) as { me: { collections: { path: string; sandboxCount: number }[] } }
      return me.collections.map(({ path, sandboxCount }) => `${path} ${sandboxCount}`)
    }
    expect(await paths()).toEqual(['/ 0', '/apps 0', '/apps/web 1'])
    const rename =
      'mutation ($teamId: UUID4, $path: String!, $newPath: String!) { renameCollection(teamId: $teamId, path: $path, newPath: $newPath) { path } }'
    expect(await codeOf(owner, rename, { teamId, path: '/apps', newPath: '/apps/web/deeper' })).toBe('CONFLICT')
    await run(owner, rename, { teamId, path: '/apps', newPath: '/old/apps' })
    expect(await paths()).toEqual(['/ 0', '/old 0', '/old/apps 0', '/old/apps/web 1'])
    await run(owner, 'mutation ($teamId: UUID4) { deleteCollection(teamId: $teamId, path: "/old") { path } }', {
      teamId,
    })
    expect(await paths()).toEqual(['/ 0'])
    expect((await listed(owner, true)).filed).toEqual([id])
  })

  it('is shared with people by name and by e-mail, and no longer when that ends', async () => {
    const id = await make(owner, '/apps')
    const see = async () => (await member.call('GET', `/api/v1/sandboxes/${id}`)).status
    expect(await see()).toBe(404)
    await run(
      owner,
      'mutation ($id: ID!) { addCollaborator(sandboxId: $id, username: "member", authorization: READ) { user { username } } }',
      { id },
    )
    expect(await see()).toBe(200)
    expect(await run(member, '{ me { collaboratorSandboxes { id authorization } } }')).toEqual({
      me: { collaboratorSandboxes: [{ id, authorization: 'READ' }] },
    })
    await run(owner, 'mutation ($id: ID!) { removeCollaborator(sandboxId: $id, username: "member") { id } }', { id })
    expect(await see()).toBe(404)
    const { createSandboxInvitation } = (await run(
      owner,
      'mutation ($id: ID!) { createSandboxInvitation(sandboxId: $id, email: "m@example.test", authorization: WRITE_CODE) { token } }',
      { id },
    )) as { createSandboxInvitation: { token: string } }
    const redeem =
      'mutation ($id: ID!, $token: String!) { redeemSandboxInvitation(sandboxId: $id, invitationToken: $token) { sandbox { authorization } } }'
    const answer = await run(member, redeem, { id, token: createSandboxInvitation.token })
    expect(answer).toEqual({ redeemSandboxInvitation: { sandbox: { authorization: 'WRITE_CODE' } } })
    expect(await codeOf(member, redeem, { id, token: createSandboxInvitation.token })).toBe('NOT_FOUND')
  })

  it('costs the same number of queries for many sandboxes as for few', async () => {
    const { database } = server.context
    const first = await make(owner, '/many')
    const [row] = await database.select().from(sandboxes).where(eq(sandboxes.id, first))
    const query = `query ($teamId: UUID4!) { me { team(id: $teamId) { sandboxes { id authorization author { username personalWorkspaceId } team { name }
      collection { path } customTemplate { id } collaborators { id } invitations { id } permissions { preventSandboxExport } restricted lastAccessedAt } } } }`
    const count = async () => {
      let queries = 0
      const { $client: client } = database as unknown as { $client: { query: (...args: unknown[]) => unknown } }
      const query0 = client.query.bind(client)
      client.query = (...args) => {
        queries += 1
        return query0(...args)
      }
      await run(owner, query, { teamId })
      client.query = query0
      return queries
    }
    const few = await count()
    await database.insert(sandboxes).values(
      Array.from({ length: 49 }, (_, index) => ({
        ...row!,
        id: `zz${String(index).padStart(4, '0')}`,
        sourceId: ids['owner']!,
      })),
    )
    expect(few).toBeGreaterThan(5)
    expect(await count()).toBe(few)
  })
})

describe('an account', () => {
  it('is deleted when its time has come, unless its owner changes their mind', async () => {
    const leaver = await server.signedIn('leaver')
    const { database } = server.context
    const due = new Date(Date.now() + (DELETION_DAYS + 1) * 86_400_000)
    const present = async () => (await database.select().from(users).where(eq(users.username, 'leaver'))).length
    await run(leaver, 'mutation { deleteCurrentUser }')
    expect(await run(leaver, '{ me { deletionRequested } }')).toEqual({ me: { deletionRequested: true } })
    await run(leaver, 'mutation { cancelDeleteCurrentUser }')
    await deleteDueAccounts(database, due)
    expect(await present()).toBe(1)
    await run(leaver, 'mutation { deleteCurrentUser }')
    await deleteDueAccounts(database, new Date())
    expect(await present()).toBe(1)
    await deleteDueAccounts(database, due)
    expect(await present()).toBe(0)
  })
})
