import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registerSdk } from '../csb/registerSdk.ts'
import { auditEntries, sandboxInvitations, ssoDomains, subscriptions, teams, users } from '../database/schema.ts'
import { createGraphqlSchema } from '../graphql/schema.ts'
import { registerPortPolicies } from '../hosts/routes.ts'
import type { MachineService } from '../machines/machineService.ts'
import { valueOf } from '../testing/ask.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { callGitHost, connectGitHost } from '../testing/localGitHost.ts'
import { recordingMachines } from '../testing/machines.ts'
import { notWrittenDown } from '../testing/notWrittenDown.ts'
import { startTestServer, TEST_ADMIN_TOKEN } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'
import { writeTemplates } from '../testing/templates.ts'

type Person = 'owner' | 'member' | 'guest'

const templates = writeTemplates({ node: { title: 'Node' } })
let server: TestServer
const people = {} as Record<Person, TestBrowser>
/** Ids by what they are of. */
const known: Record<string, string> = {}

beforeAll(async () => {
  const recorded = recordingMachines()
  server = await startTestServer(
    {},
    {
      machines: async (app, context, catalogue) => {
        const machines = Object.assign(recorded, { running: async () => [] }) as unknown as MachineService
        registerPortPolicies(app, context)
        registerSdk(app, context, { machines, templates: catalogue })
        return { service: recorded, close: async () => undefined }
      },
      templatesFolder: templates.folder,
    },
  )
  for (const person of ['owner', 'member', 'guest'] as const) {
    people[person] = await server.signedIn(person)
    const [row] = await server.context.database.select().from(users).where(eq(users.username, person))
    known[person] = row!.id
  }
  await connectGitHost(people.owner, 'private_repos')
  for (const name of ['todo', 'notes'])
    await callGitHost(server, 'owner', 'POST', '/user/repos', { name, private: true, auto_init: true })
})
afterAll(async () => {
  await server.close()
  templates.remove()
})

/** What was written down meanwhile, the oldest first. */
async function writtenDuring(work: () => Promise<void>): Promise<(typeof auditEntries.$inferSelect)[]> {
  const { database } = server.context
  const before = new Set((await database.select().from(auditEntries)).map(({ id }) => id))
  await work()
  return (await database.select().from(auditEntries)).filter(({ id }) => !before.has(id))
}

interface Step {
  /** One field of the mutation type. */
  mutation: string
  by?: Person
  /** Its arguments and selection. */
  text: () => string
  writes: string
  /** What has to be so first. */
  first?: () => Promise<unknown>
  /** What the next ones need of its value. */
  keeps?: (value: never) => Promise<void> | void
}

const team = () => `teamId: "${known['team']}"`
const sandbox = () => `sandboxId: "${known['sandbox']}"`
const sandboxes = () => `sandboxIds: ["${known['sandbox']}"]`
const repository = (name: string) => `owner: "owner", name: "${name}", provider: GITHUB, team: "${known['team']}"`
const subscription = () => `subscriptionId: "${known['subscription']}", ${team()}`
const inviteMember = () =>
  valueOf(people.owner, `mutation { inviteToTeam(${team()}, username: "member", authorization: WRITE) { id } }`)
const keep = (name: string) => (value: { id: string }) => {
  known[name] = value.id
}

/** In an order in which each finds what it changes. */
const steps: readonly Step[] = [
  { mutation: 'createTeam', text: () => '(name: "Crew") { id }', writes: 'team.created', keeps: keep('team') },
  {
    mutation: 'inviteToTeam',
    text: () => `(${team()}, username: "member", authorization: WRITE) { id }`,
    writes: 'invitation.created',
  },
  {
    mutation: 'revokeTeamInvitation',
    text: () => `(${team()}, userId: "${known['member']}") { id }`,
    writes: 'invitation.revoked',
  },
  {
    mutation: 'rejectTeamInvitation',
    by: 'member',
    first: inviteMember,
    text: () => `(${team()})`,
    writes: 'invitation.rejected',
  },
  {
    mutation: 'acceptTeamInvitation',
    by: 'member',
    first: inviteMember,
    text: () => `(${team()}) { id }`,
    writes: 'member.added',
  },
  {
    mutation: 'changeTeamMemberAuthorizations',
    text: () => `(${team()}, memberAuthorizations: [{ userId: "${known['member']}", authorization: READ }]) { id }`,
    writes: 'member.changed',
  },
  { mutation: 'leaveTeam', by: 'member', text: () => `(${team()})`, writes: 'member.left' },
  {
    mutation: 'redeemTeamInviteToken',
    by: 'member',
    first: async () => {
      const [row] = await server.context.database.select().from(teams).where(eq(teams.id, known['team']!))
      known['inviteToken'] = row!.inviteToken
    },
    text: () => `(inviteToken: "${known['inviteToken']}") { id }`,
    writes: 'member.added',
  },
  {
    mutation: 'removeFromTeam',
    text: () => `(${team()}, userId: "${known['member']}") { id }`,
    writes: 'member.removed',
  },
  {
    mutation: 'joinEligibleWorkspace',
    by: 'member',
    first: () =>
      server.context.database.insert(ssoDomains).values({
        id: randomUUID(),
        teamId: known['team']!,
        domain: 'example.test',
        proof: 'proof',
        verifiedAt: new Date(),
      }),
    text: () => `(workspaceId: "${known['team']}") { id }`,
    writes: 'member.added',
  },
  {
    mutation: 'inviteToTeamViaEmail',
    text: () => `(${team()}, email: "new@elsewhere.test", authorization: READ)`,
    writes: 'invitation.created',
  },
  {
    mutation: 'setDefaultTeamMemberAuthorization',
    text: () => `(${team()}, defaultAuthorization: READ) { defaultAuthorization }`,
    writes: 'team.settingsChanged',
  },
  {
    mutation: 'setTeamMinimumPrivacy',
    text: () => `(${team()}, minimumPrivacy: 0, updateDrafts: false) { minimumPrivacy }`,
    writes: 'team.settingsChanged',
  },
  {
    mutation: 'setWorkspaceSandboxSettings',
    text: () => `(${team()}, preventSandboxExport: false, preventSandboxLeaving: false) { minimumPrivacy }`,
    writes: 'team.settingsChanged',
  },
  {
    mutation: 'setTeamAiConsent',
    text: () =>
      `(${team()}, privateRepositories: true, privateSandboxes: true, publicRepositories: true, publicSandboxes: true) { publicSandboxes }`,
    writes: 'team.settingsChanged',
  },
  {
    mutation: 'setTeamLimits',
    text: () => `(${team()}, onDemandSpendingLimit: 10)`,
    writes: 'team.settingsChanged',
  },
  { mutation: 'joinUsageBillingBeta', text: () => `(${team()})`, writes: 'team.settingsChanged' },
  {
    mutation: 'createOrUpdatePrivateNpmRegistry',
    text: () =>
      `(${team()}, registryType: CUSTOM, registryUrl: "https://npm.test", registryAuthKey: "secret", authType: BEARER,
        enabledScopes: [], limitToScopes: false, proxyEnabled: false) { id }`,
    writes: 'registry.changed',
  },
  { mutation: 'deletePrivateNpmRegistry', text: () => `(${team()}) { id }`, writes: 'registry.removed' },
  // The bill.
  {
    mutation: 'convertToUsageBilling',
    text: () => `(${team()}, plan: "flex", addons: [], billingInterval: MONTHLY)`,
    writes: 'subscription.ordered',
    keeps: async () => {
      const found = server.context.database.select().from(subscriptions)
      known['subscription'] = (await found.where(eq(subscriptions.teamId, known['team']!)))[0]!.id
    },
  },
  {
    mutation: 'updateUsageSubscription',
    text: () => `(${team()}, addons: ["credits_500"])`,
    writes: 'subscription.ordered',
  },
  {
    mutation: 'updateUsageSubscriptionPlan',
    text: () => `(${team()}, plan: "builder", billingInterval: MONTHLY)`,
    writes: 'subscription.ordered',
  },
  {
    mutation: 'updateSubscription',
    text: () => `(${subscription()}, quantity: 2) { id }`,
    writes: 'subscription.quantityChanged',
  },
  {
    mutation: 'updateSubscriptionBillingInterval',
    text: () => `(${subscription()}, billingInterval: YEARLY) { id }`,
    writes: 'subscription.intervalChanged',
  },
  {
    mutation: 'softCancelSubscription',
    text: () => `(${subscription()}) { id }`,
    writes: 'subscription.cancelled',
  },
  {
    mutation: 'reactivateSubscription',
    text: () => `(${subscription()}) { id }`,
    writes: 'subscription.reactivated',
  },
  // One sandbox.
  {
    mutation: 'addToCollection',
    first: async () => {
      const forked = await people.owner.call('POST', '/api/v1/sandboxes/node/fork', {
        team_id: known['team'],
        v2: true,
      })
      known['sandbox'] = (forked.body as { data: { id: string } }).data.id
    },
    text: () => `(${team()}, ${sandboxes()}, collectionPath: "/a") { path }`,
    writes: 'sandbox.moved',
  },
  {
    mutation: 'addToCollectionOrTeam',
    text: () => `(${team()}, ${sandboxes()}) { id }`,
    writes: 'sandbox.moved',
  },
  {
    mutation: 'setSandboxesPrivacy',
    text: () => `(${sandboxes()}, privacy: 1) { id }`,
    writes: 'sandbox.privacyChanged',
  },
  {
    mutation: 'setSandboxesFrozen',
    text: () => `(${sandboxes()}, isFrozen: false) { id }`,
    writes: 'sandbox.protectionChanged',
  },
  {
    mutation: 'setPreventSandboxesExport',
    text: () => `(${sandboxes()}, preventSandboxExport: false) { id }`,
    writes: 'sandbox.protectionChanged',
  },
  {
    mutation: 'setPreventSandboxesLeavingWorkspace',
    text: () => `(${sandboxes()}, preventSandboxLeaving: false) { id }`,
    writes: 'sandbox.protectionChanged',
  },
  {
    mutation: 'updateSandboxSettings',
    text: () => `(${sandbox()}, aiConsent: true) { aiConsent }`,
    writes: 'sandbox.consentChanged',
  },
  {
    mutation: 'addCollaborator',
    text: () => `(${sandbox()}, username: "guest", authorization: READ) { id }`,
    writes: 'collaborator.added',
  },
  {
    mutation: 'changeCollaboratorAuthorization',
    text: () => `(${sandbox()}, username: "guest", authorization: COMMENT) { id }`,
    writes: 'collaborator.changed',
  },
  {
    mutation: 'removeCollaborator',
    text: () => `(${sandbox()}, username: "guest") { id }`,
    writes: 'collaborator.removed',
  },
  {
    mutation: 'createSandboxInvitation',
    text: () => `(${sandbox()}, email: "new@elsewhere.test", authorization: READ) { id }`,
    writes: 'sandboxInvitation.created',
    keeps: keep('invitation'),
  },
  {
    mutation: 'changeSandboxInvitationAuthorization',
    text: () => `(${sandbox()}, invitationId: "${known['invitation']}", authorization: COMMENT) { id }`,
    writes: 'sandboxInvitation.changed',
    keeps: async () => {
      const invitation = eq(sandboxInvitations.id, known['invitation']!)
      known['invitationToken'] = (
        await server.context.database.select().from(sandboxInvitations).where(invitation)
      )[0]!.token
    },
  },
  {
    mutation: 'redeemSandboxInvitation',
    by: 'guest',
    text: () => `(${sandbox()}, invitationToken: "${known['invitationToken']}") { id }`,
    writes: 'sandboxInvitation.redeemed',
  },
  {
    mutation: 'revokeSandboxInvitation',
    first: async () => {
      const text = `mutation { createSandboxInvitation(${sandbox()}, email: "b@elsewhere.test", authorization: READ) { id } }`
      known['invitation'] = (await valueOf<{ id: string }>(people.owner, text)).id
    },
    text: () => `(${sandbox()}, invitationId: "${known['invitation']}") { id }`,
    writes: 'sandboxInvitation.revoked',
  },
  // Guests of a machine.
  {
    mutation: 'startLiveSession',
    text: () => `(vmId: "${known['sandbox']}", defaultPermission: READ) { id }`,
    writes: 'live.started',
    keeps: keep('live'),
  },
  { mutation: 'joinLiveSession', by: 'guest', text: () => `(id: "${known['live']}") { id }`, writes: 'live.joined' },
  {
    mutation: 'setLiveSessionDefaultPermission',
    text: () => `(vmId: "${known['sandbox']}", permission: WRITE) { id }`,
    writes: 'live.permissionChanged',
  },
  {
    mutation: 'setLiveSessionGuestPermission',
    text: () => `(vmId: "${known['sandbox']}", userId: "${known['guest']}", permission: READ) { id }`,
    writes: 'live.permissionChanged',
  },
  { mutation: 'stopLiveSession', text: () => `(vmId: "${known['sandbox']}") { id }`, writes: 'live.stopped' },
  // Its ways through the workspace.
  { mutation: 'deleteSandboxes', text: () => `(${sandboxes()}) { id }`, writes: 'sandbox.trashed' },
  {
    mutation: 'renameCollection',
    first: async () => {
      const back = `mutation { addToCollection(${team()}, ${sandboxes()}, collectionPath: "/a") { path } }`
      const entries = await writtenDuring(async () => void (await valueOf(people.owner, back)))
      expect(entries.map(({ action }) => action)).toEqual(['sandbox.restored'])
      known['other'] = (await valueOf<{ id: string }>(people.owner, 'mutation { createTeam(name: "Other") { id } }')).id
    },
    text: () => `(${team()}, path: "/a", newPath: "/b", newTeamId: "${known['other']}") { id }`,
    writes: 'sandbox.moved',
  },
  {
    mutation: 'deleteCollection',
    text: () => `(teamId: "${known['other']}", path: "/b") { id }`,
    writes: 'sandbox.trashed',
  },
  {
    mutation: 'permanentlyDeleteSandboxes',
    text: () => `(${sandboxes()}) { id }`,
    writes: 'sandbox.removed',
  },
  // Repositories.
  {
    mutation: 'importProject',
    text: () => `(${repository('todo')}) { id }`,
    writes: 'project.imported',
    keeps: keep('project'),
  },
  {
    mutation: 'updateProjectSettings',
    text: () => `(projectId: "${known['project']}", aiConsent: true) { aiConsent }`,
    writes: 'project.consentChanged',
  },
  {
    mutation: 'updateProjectVmTier',
    text: () => `(projectId: "${known['project']}", vmTier: 2) { cpu }`,
    writes: 'project.machineChanged',
  },
  {
    mutation: 'importBranch',
    text: () => `(${repository('notes')}, branch: "main") { id }`,
    writes: 'project.imported',
    keeps: keep('branch'),
  },
  {
    mutation: 'setBranchProtection',
    text: () => `(branchId: "${known['branch']}", protected: true) { id }`,
    writes: 'branch.protectionChanged',
  },
  { mutation: 'deleteProjectById', text: () => `(id: "${known['project']}")`, writes: 'project.removed' },
  { mutation: 'deleteProject', text: () => `(${repository('notes')})`, writes: 'project.removed' },
  {
    mutation: 'createBranch',
    text: () => `(${repository('todo')}, branch: "fix") { id }`,
    writes: 'project.imported',
  },
  // Accounts and the end.
  {
    mutation: 'deleteCurrentUser',
    by: 'guest',
    text: () => '(confirm: true)',
    writes: 'account.deletionRequested',
  },
  { mutation: 'cancelDeleteCurrentUser', by: 'guest', text: () => '', writes: 'account.deletionCancelled' },
  { mutation: 'deleteWorkspace', text: () => `(${team()})`, writes: 'team.deleted' },
]

describe('AP854: what changes access, membership, secrets or the bill is written down with who did it', () => {
  it.each(steps)('$mutation writes $writes', async ({ mutation, by = 'owner', text, writes, first, keeps }) => {
    await first?.()
    let value: unknown
    const entries = await writtenDuring(async () => {
      value = await valueOf(people[by], `mutation { ${mutation}${text()} }`)
    })
    expect(entries.map(({ action }) => action)).toContain(writes)
    expect(entries.map(({ actorId }) => actorId)).toEqual(entries.map(() => known[by]))
    // Without a workspace it would be in nobody's log but that of the installation.
    expect(entries.filter(({ sandboxId, teamId }) => sandboxId !== null && teamId === null)).toEqual([])
    await keeps?.(value as never)
  })

  it('leaves out those mutations alone for which there is a reason', () => {
    const all = Object.keys(createGraphqlSchema().getMutationType()!.getFields())
    const excused = Object.values(notWrittenDown).flat()
    expect([...steps.map(({ mutation }) => mutation), ...excused].toSorted()).toEqual(all.toSorted())
  })
})

describe('AP855: what changes access or secrets by REST and by the SDK is written down', () => {
  const call = async (method: string, path: string, body?: unknown, by: Person = 'owner') => {
    const { status, body: answer } = await people[by].call(method, path, body)
    expect([path, status < 300, answer]).toEqual([path, true, answer])
    return answer as { data: Record<string, string> }
  }
  const sdk = async (method: string, path: string, body?: unknown) => {
    const answer = await server.browser().request(`/csb/sdk${path}`, {
      method,
      headers: {
        authorization: `Bearer ${TEST_ADMIN_TOKEN}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    expect([path, answer.status, answer.text]).toEqual([path, 200, answer.text])
    return JSON.parse(answer.text) as { data: Record<string, string> & { token: { token_id: string } } }
  }

  beforeAll(async () => {
    known['team'] = (await valueOf<{ id: string }>(people.owner, 'mutation { createTeam(name: "Rest") { id } }')).id
    const forked = await call('POST', '/api/v1/sandboxes/node/fork', { team_id: known['team'], v2: true })
    known['sandbox'] = forked.data['id']!
    await valueOf(people.owner, `mutation { importProject(${repository('notes')}) { id } }`)
  })

  const one = () => `/api/v1/sandboxes/${known['sandbox']}`
  const tokens = () => `/org/workspace/${known['team']}/tokens`
  const hostTokens = () => `/sandbox/${known['sandbox']}/tokens`
  it.each<[name: string, writes: string, act: () => Promise<unknown>]>([
    ['the privacy', 'sandbox.privacyChanged', () => call('PATCH', `${one()}/privacy`, { sandbox: { privacy: 1 } })],
    ['a freeze', 'sandbox.protectionChanged', () => call('PUT', one(), { sandbox: { is_frozen: false } })],
    [
      'a variable',
      'secret.set',
      () => call('POST', `${one()}/env`, { environment_variable: { name: 'KEY', value: 'x' } }),
    ],
    ['the end of a variable', 'secret.removed', () => call('DELETE', `${one()}/env/KEY`)],
    ['a port', 'port.visibilityChanged', () => call('PUT', `${one()}/ports/3000`, { visibility: 'public' })],
    [
      'the variables of a repository',
      'secrets.replaced',
      () => call('PUT', '/api/beta/repos/secrets/owner/notes', { secrets: { TOKEN: 'x' }, team_id: known['team'] }),
    ],
    [
      'a repository that leaves',
      'project.removed',
      () => call('DELETE', `/api/beta/repos/link/github/owner/notes/${known['team']}`),
    ],
    [
      'a token for programs',
      'token.created',
      async () => {
        known['token'] = (await call('GET', '/api/v1/auth/auth-token')).data['token']!
      },
    ],
    ['its end', 'token.revoked', () => call('DELETE', `/api/v1/auth/revoke/${known['token']}`)],
    [
      'the end of an account at the git host',
      'integration.removed',
      () => call('DELETE', '/api/v1/users/current/integrations/github'),
    ],
    ['the account at the git host', 'integration.connected', () => connectGitHost(people.owner, 'private_repos')],
    ['a curator', 'curator.appointed', () => call('POST', `/api/v1/users/curators/${known['member']}`)],
    ['the end of one', 'curator.dismissed', () => call('DELETE', `/api/v1/users/curators/${known['member']}`)],
    [
      'a feature',
      'flag.changed',
      () => call('PUT', '/api/v1/admin/feature_flags/ubbBeta', { enabled: true, description: 'Usage' }),
    ],
    [
      'single sign-on',
      'sso.changed',
      () =>
        call('PUT', `/api/v1/teams/${known['team']}/sso`, {
          settings: { kind: 'oidc', issuer: 'https://id.test', client_id: 'us' },
          client_secret: 'secret',
        }),
    ],
    ['the end of single sign-on', 'sso.removed', () => call('DELETE', `/api/v1/teams/${known['team']}/sso`)],
    ['a sandbox that goes', 'sandbox.trashed', () => call('DELETE', one())],
    [
      'a workspace of the SDK',
      'team.created',
      async () => {
        known['team'] = (await sdk('POST', '/org/workspace', { name: 'Keys' })).data['id']!
        const forked = await call('POST', '/api/v1/sandboxes/node/fork', { team_id: known['team'], v2: true })
        known['sandbox'] = forked.data['id']!
      },
    ],
    [
      'a key',
      'apiKey.created',
      async () => {
        known['key'] = (await sdk('POST', tokens(), { description: 'ci' })).data['token_id']!
      },
    ],
    ['a changed key', 'apiKey.changed', () => sdk('PATCH', `${tokens()}/${known['key']}`, { description: 'other' })],
    [
      'pages that may embed',
      'previewHosts.changed',
      () => sdk('PUT', '/workspace/preview_hosts', { hosts: ['a.test'] }),
    ],
    [
      'a token for previews',
      'hostToken.created',
      async () => {
        known['hostToken'] = (await sdk('POST', hostTokens(), {})).data.token.token_id
      },
    ],
    [
      'its new end',
      'hostToken.changed',
      () => sdk('PATCH', `${hostTokens()}/${known['hostToken']}`, { expires_at: '2030-01-01T00:00:00Z' }),
    ],
    ['the end of all', 'hostToken.revoked', () => sdk('DELETE', hostTokens())],
  ])('%s: %s', async (_name, writes, act) => {
    const entries = await writtenDuring(async () => void (await act()))
    expect(entries.map(({ action }) => action)).toContain(writes)
    expect(entries.map(({ actorId }) => actorId)).toEqual(entries.map(() => known['owner']))
    expect(entries.filter(({ sandboxId, teamId }) => sandboxId !== null && teamId === null)).toEqual([])
    expect(JSON.stringify(entries)).not.toContain('csb_key_')
  })
})
