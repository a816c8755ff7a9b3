import { randomUUID } from 'node:crypto'
import { and, eq, inArray, ne } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import {
  albums,
  albumSandboxes,
  branches,
  collections,
  comments,
  customTemplates,
  liveSessions,
  notifications,
  privateRegistries,
  projects,
  pullRequests,
  sandboxCollaborators,
  sandboxes,
  sandboxInvitations,
  secrets,
  subscriptions,
  teamInvitations,
  teamMembers,
  teams,
  users,
} from '../database/schema.ts'
import { valueOf } from './ask.ts'
import type { TestBrowser } from './browser.ts'
import { storedRepository } from './storedRepository.ts'

/** Stands in everything that only the workspace may see. */
export const MARK = 'only-for-the-workspace'
/** Of its repository, and of the branch of that. */
export const MARKED_REPOSITORY = `${MARK}-repository`

const LONG_AGO = '2026-01-01T00:00:00.000Z'
const LATER = new Date(Date.now() + 86_400_000)

export interface MarkedWorkspace {
  teamId: string
  sandboxId: string
  templateId: string
  albumId: string
  commentId: string
  notificationId: string
  projectId: string
  branchId: string
  invitationId: string
  subscriptionId: string
  ownerId: string
  memberId: string
}

/** A workspace of the person called owner, with one called member who may read, and one of everything that a workspace can have. */
export async function createMarkedWorkspace(
  database: Database,
  owner: TestBrowser,
  { privacy }: { privacy: 0 | 2 },
): Promise<MarkedWorkspace> {
  const { id: teamId } = await valueOf<{ id: string }>(owner, `mutation { createTeam(name: "${MARK}") { id } }`)
  const people = await database.select().from(users)
  const idOf = (name: string) => people.find(({ username }) => username === name)!.id
  const [ownerId, memberId] = [idOf('owner'), idOf('member')]
  await database.insert(teamMembers).values({ teamId, userId: memberId, authorization: 'read' })
  const title = privacy === 2 ? MARK : 'For everybody'
  const forked = await owner.call('POST', '/api/v1/sandboxes/node/fork', { team_id: teamId, title, privacy })
  const sandboxId = (forked.body as { data: { id: string } }).data.id
  await valueOf(
    owner,
    `mutation ($id: ID!, $teamId: UUID4!) {
      createCollection(path: "/${MARK}", teamId: $teamId) { path }
      addToCollection(collectionPath: "/${MARK}", sandboxIds: [$id], teamId: $teamId) { path }
      makeSandboxesTemplates(sandboxIds: [$id]) { id }
    }`,
    { id: sandboxId, teamId },
  )
  await owner.call('POST', `/api/v1/sandboxes/${sandboxId}/env`, {
    environment_variable: { name: 'SECRET', value: MARK },
  })
  const [template] = await database.select().from(customTemplates).where(eq(customTemplates.sandboxId, sandboxId))

  const [albumId, commentId, notificationId, projectId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  const [invitationId, subscriptionId] = [randomUUID(), randomUUID()]
  const branchId = `b${randomUUID().slice(0, 8)}`
  await database.insert(albums).values({ id: albumId, userId: ownerId, title: 'An album' })
  await database.insert(albumSandboxes).values({ albumId, sandboxId, position: 0 })
  const content = privacy === 2 ? MARK : 'A comment'
  await database.insert(comments).values({ id: commentId, sandboxId, userId: ownerId, content })
  await database
    .insert(notifications)
    .values({ id: notificationId, userId: ownerId, type: 'comment', data: { title: MARK } })
  // Each workspace has its own, since what is asked names one by its owner.
  await database.insert(projects).values({
    id: projectId,
    provider: 'github',
    owner: teamId,
    name: MARKED_REPOSITORY,
    teamId,
    repository: storedRepository(teamId, MARKED_REPOSITORY),
  })
  await database.insert(branches).values([
    { id: branchId, projectId, name: MARKED_REPOSITORY, ownerId },
    { id: `m${branchId}`, projectId, name: 'main', ownerId },
  ])
  // A list without any would be asked for at the git host.
  await database.insert(pullRequests).values({
    id: randomUUID(),
    provider: 'github',
    owner: teamId,
    name: MARKED_REPOSITORY,
    number: 1,
    state: 'open',
    headBranch: MARKED_REPOSITORY,
    baseBranch: 'main',
    pullRequest: {
      number: 1,
      title: MARK,
      author: { id: 1, login: 'owner', avatarUrl: '' },
      htmlUrl: 'https://git.test',
      headBranch: MARKED_REPOSITORY,
      baseBranch: 'main',
      draft: false,
      requestedReviewers: [],
      requestedTeams: [],
      createdAt: LONG_AGO,
      updatedAt: LONG_AGO,
      closedAt: null,
      mergedAt: null,
    },
    reviews: [],
    reviewComments: [],
    comments: [],
    syncedAt: LATER,
  })
  const email = `${MARK}@example.test`
  const invited = { authorization: 'read', expiresAt: LATER } as const
  await database
    .insert(sandboxInvitations)
    .values({ ...invited, id: invitationId, sandboxId, email, token: `${MARK}-${invitationId}` })
  await database.insert(teamInvitations).values({ ...invited, id: randomUUID(), teamId, email })
  await database.insert(subscriptions).values({
    id: subscriptionId,
    teamId,
    type: 'team_pro',
    plan: 'flex',
    status: 'active',
    provider: 'local',
    billingInterval: 'monthly',
    unitPrice: 1,
  })
  await database.insert(privateRegistries).values({
    id: randomUUID(),
    teamId,
    registryType: 'custom',
    registryUrl: `https://${MARK}.test`,
    limitToScopes: false,
    proxyEnabled: false,
  })
  await database
    .insert(liveSessions)
    .values({ id: randomUUID(), vmId: sandboxId, hostId: ownerId, defaultPermission: 'read' })
  return {
    teamId,
    sandboxId,
    templateId: template!.id,
    albumId,
    commentId,
    notificationId,
    projectId,
    branchId,
    invitationId,
    subscriptionId,
    ownerId,
    memberId,
  }
}

/** Everything of the workspace that nobody outside of it may change, and no reader of it. */
export async function contentOf(database: Database, workspace: MarkedWorkspace): Promise<Record<string, unknown>> {
  const { teamId, sandboxId, albumId, commentId, notificationId, projectId, memberId } = workspace
  const ids = [sandboxId]
  const content = {
    team: database.select().from(teams).where(eq(teams.id, teamId)),
    // Whoever belongs to it may leave, or call it their first workspace.
    members: database
      .select()
      .from(teamMembers)
      .where(and(eq(teamMembers.teamId, teamId), ne(teamMembers.userId, memberId))),
    folders: database.select().from(collections).where(eq(collections.teamId, teamId)),
    inside: database.select().from(sandboxes).where(eq(sandboxes.teamId, teamId)),
    collaborators: database.select().from(sandboxCollaborators).where(inArray(sandboxCollaborators.sandboxId, ids)),
    templates: database.select().from(customTemplates).where(inArray(customTemplates.sandboxId, ids)),
    variables: database.select().from(secrets).where(inArray(secrets.sandboxId, ids)),
    album: database.select().from(albums).where(eq(albums.id, albumId)),
    inAlbum: database.select().from(albumSandboxes).where(eq(albumSandboxes.albumId, albumId)),
    comment: database.select().from(comments).where(eq(comments.id, commentId)),
    notification: database.select().from(notifications).where(eq(notifications.id, notificationId)),
    project: database.select().from(projects).where(eq(projects.teamId, teamId)),
    branch: database.select().from(branches).where(eq(branches.projectId, projectId)),
    invitations: database.select().from(sandboxInvitations).where(inArray(sandboxInvitations.sandboxId, ids)),
    teamInvited: database.select().from(teamInvitations).where(eq(teamInvitations.teamId, teamId)),
    subscription: database.select().from(subscriptions).where(eq(subscriptions.teamId, teamId)),
    registry: database.select().from(privateRegistries).where(eq(privateRegistries.teamId, teamId)),
    live: database.select().from(liveSessions).where(eq(liveSessions.vmId, sandboxId)),
  }
  const rows = await Promise.all(Object.entries(content).map(async ([name, asked]) => [name, await asked] as const))
  return Object.fromEntries(rows)
}
