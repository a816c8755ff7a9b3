import { randomUUID } from 'node:crypto'
import type { Database } from '../database/database.ts'
import {
  albums,
  albumSandboxes,
  branchAccesses,
  branchConnections,
  branches,
  collections,
  commentReferences,
  comments,
  customTemplates,
  gits,
  identities,
  liveSessionGuests,
  liveSessions,
  notifications,
  privateRegistries,
  projects,
  pullRequests,
  sandboxAccesses,
  sandboxCollaborators,
  sandboxes,
  sandboxInvitations,
  sandboxLikes,
  subscriptions,
  teamInvitations,
  teamMembers,
  teams,
  templateBookmarks,
  users,
} from '../database/schema.ts'
import { storedRepository } from './storedRepository.ts'

/** What everything in a seeded world hangs on. */
export interface World {
  teamId: string
  sandboxId: string
  albumId: string
  commentId: string
  branchId: string
}

const LATER = new Date(Date.now() + 86_400_000)
const LONG_AGO = '2026-01-01T00:00:00.000Z'

/**
 * Fills a database around one person so that every list of the query API has `size` entries where it is looked at first, and one
 * entry everywhere else: in a workspace of theirs, in one of its sandboxes, in one of its repositories. `templates` are names of
 * official ones.
 */
export async function seedWorld(
  database: Database,
  asking: { userId: string; teamId: string; username: string },
  size: number,
  templates: readonly string[],
): Promise<World> {
  const each = <T>(make: (index: number) => T): T[] => Array.from({ length: size }, (_, index) => make(index))
  const id = (prefix: string, index: number) => `${prefix}${String(index).padStart(6 - prefix.length, '0')}`

  /** As many people as there are entries, each with a workspace of their own. */
  async function people(role: string): Promise<{ id: string; teamId: string; account: number }[]> {
    const list = each((index) => ({ id: randomUUID(), teamId: randomUUID(), account: accounts++, index }))
    await database
      .insert(users)
      .values(
        list.map(({ id, index }) => ({ id, username: `${role}${index}`, email: `${role}${index}@elsewhere.test` })),
      )
    await database.insert(teams).values(
      list.map(({ id, teamId, index }) => ({
        id: teamId,
        kind: 'personal' as const,
        name: `${role}${index}`,
        creatorId: id,
      })),
    )
    await database
      .insert(teamMembers)
      .values(list.map(({ id, teamId }) => ({ teamId, userId: id, authorization: 'admin' as const })))
    await database.insert(identities).values(
      list.map(({ id, account, index }) => ({
        id: randomUUID(),
        userId: id,
        provider: 'github' as const,
        issuer: 'https://git.test',
        subject: String(account),
        login: `${role}${index}`,
        scopes: [],
      })),
    )
    return list
  }
  let accounts = 1_000_000

  const authors = await people('author')
  const colleagues = await people('colleague')
  const guests = await people('guest')
  const invitees = await people('invitee')
  const speakers = await people('speaker')
  const strangers = await people('stranger')

  // Workspaces: the person's own one first.
  const teamIds = each((index) => (index === 0 ? asking.teamId : randomUUID()))
  if (size > 1) {
    await database
      .insert(teams)
      .values(
        teamIds
          .slice(1)
          .map((id, index) => ({ id, kind: 'team' as const, name: `Team ${index}`, creatorId: authors[index]!.id })),
      )
  }
  const memberships = [
    ...teamIds.slice(1).map((teamId) => ({ teamId, userId: asking.userId })),
    ...colleagues.map(({ id }) => ({ teamId: asking.teamId, userId: id })),
    ...teamIds.slice(1).map((teamId, index) => ({ teamId, userId: authors[index]!.id })),
  ]
  await database.insert(teamMembers).values(memberships.map((row) => ({ ...row, authorization: 'admin' as const })))
  await database
    .insert(teamInvitations)
    .values(
      [
        ...invitees.map(({ id }) => ({ teamId: asking.teamId, userId: id })),
        ...teamIds.slice(1).map((teamId, index) => ({ teamId, userId: invitees[index]!.id })),
      ].map((row) => ({ id: randomUUID(), authorization: 'read' as const, expiresAt: LATER, ...row })),
    )
  await database.insert(subscriptions).values(
    teamIds.map((teamId) => ({
      id: randomUUID(),
      teamId,
      type: 'team_pro' as const,
      plan: 'flex',
      status: 'active' as const,
      provider: 'local' as const,
      billingInterval: 'monthly' as const,
      unitPrice: 1,
    })),
  )
  await database.insert(privateRegistries).values(
    teamIds.map((teamId) => ({
      id: randomUUID(),
      teamId,
      registryType: 'npm' as const,
      limitToScopes: false,
      proxyEnabled: false,
    })),
  )
  const folders = [
    ...each((index) => ({ id: randomUUID(), teamId: asking.teamId, path: index === 0 ? '/' : `/folder${index}` })),
    ...teamIds.slice(1).map((teamId) => ({ id: randomUUID(), teamId, path: '/' })),
  ]
  await database.insert(collections).values(folders)

  // Sandboxes: filed ones in the first folder, one in each other folder, drafts, and those of others that are shared.
  const place = { username: 'acme', repo: 'shop', branch: 'main', path: '' }
  const shop = { id: randomUUID(), ...place }
  const gitIds = each(() => randomUUID())
  await database.insert(gits).values([shop, ...gitIds.map((id, index) => ({ id, ...place, repo: `shop${index}` }))])
  const filed = each((index) => ({
    id: id('a', index),
    teamId: asking.teamId,
    collectionId: folders[0]!.id,
    authorId: authors[index]!.id,
    gitId: gitIds[index],
    baseGitId: shop.id,
    originalGitId: shop.id,
    privacy: 0,
  }))
  const elsewhere = folders.slice(1).map(({ id: collectionId, teamId }, index) => ({
    id: id('b', index),
    teamId,
    collectionId,
    authorId: authors[0]!.id,
  }))
  const drafts = [
    ...each((index) => ({ id: id('c', index), teamId: asking.teamId, template: templates[index % templates.length] })),
    ...teamIds.slice(1).map((teamId, index) => ({ id: id('d', index), teamId, template: templates[0] })),
  ].map((row) => ({ ...row, authorId: asking.userId }))
  const shared = each((index) => ({
    id: id('e', index),
    teamId: strangers[index]!.teamId,
    authorId: strangers[index]!.id,
  }))
  for (const rows of [filed, elsewhere, drafts, shared]) {
    if (rows.length > 0)
      await database.insert(sandboxes).values(rows.map((row) => ({ isV2: true, title: `Word ${row.id}`, ...row })))
  }
  const sandboxId = filed[0]!.id
  const others = filed.slice(1)
  await database
    .insert(sandboxAccesses)
    .values(filed.map(({ id }) => ({ userId: asking.userId, sandboxId: id, lastAccessedAt: new Date() })))
  await database.insert(sandboxLikes).values(filed.map(({ id }) => ({ userId: asking.userId, sandboxId: id })))
  await database
    .insert(sandboxCollaborators)
    .values(
      [
        ...strangers.map(({ id }) => ({ sandboxId, userId: id })),
        ...others.map(({ id }, index) => ({ sandboxId: id, userId: strangers[index]!.id })),
        ...shared.map(({ id }) => ({ sandboxId: id, userId: asking.userId })),
      ].map((row) => ({ id: randomUUID(), authorization: 'comment' as const, ...row })),
    )
  await database.insert(sandboxInvitations).values(
    [...each(() => sandboxId), ...others.map(({ id }) => id)].map((sandboxId, index) => ({
      id: randomUUID(),
      sandboxId,
      email: `somebody${index}@elsewhere.test`,
      authorization: 'read' as const,
      token: randomUUID(),
      expiresAt: LATER,
    })),
  )

  const templateRows = [...filed, ...elsewhere].map(({ id }) => ({
    id: randomUUID(),
    sandboxId: id,
    title: 'A template',
  }))
  await database.insert(customTemplates).values(templateRows)
  await database.insert(templateBookmarks).values(
    [
      ...templateRows.slice(0, size).flatMap(({ id }) => [
        { templateId: id, userId: asking.userId },
        { templateId: id, teamId: asking.teamId },
      ]),
      ...teamIds.slice(1).map((teamId) => ({ templateId: templateRows[0]!.id, teamId })),
    ].map((row) => ({ id: randomUUID(), ...row })),
  )

  const albumIds = each(() => randomUUID())
  await database
    .insert(albums)
    .values(albumIds.map((id) => ({ id, userId: asking.userId, title: 'An album', curatedAt: new Date() })))
  await database
    .insert(albumSandboxes)
    .values([
      ...filed.map(({ id }, position) => ({ albumId: albumIds[0]!, sandboxId: id, position })),
      ...albumIds.slice(1).map((albumId) => ({ albumId, sandboxId, position: 0 })),
    ])

  const threads = [
    ...each((index) => ({ id: randomUUID(), sandboxId, userId: speakers[index]!.id })),
    ...others.map(({ id: sandboxId }) => ({ id: randomUUID(), sandboxId, userId: speakers[0]!.id })),
  ]
  const commentId = threads[0]!.id
  await database.insert(comments).values(threads.map((row) => ({ content: 'A comment', ...row })))
  const replies = [...each(() => commentId), ...threads.slice(1).map(({ id }) => id)]
  await database.insert(comments).values(
    replies.map((parentCommentId, index) => ({
      id: randomUUID(),
      sandboxId: threads.find(({ id }) => id === parentCommentId)!.sandboxId,
      userId: guests[index % size]!.id,
      parentCommentId,
      content: 'A reply',
    })),
  )
  await database.insert(commentReferences).values(
    replies.map((commentId) => ({
      id: randomUUID(),
      commentId,
      type: 'user' as const,
      resource: 'somebody',
      metadata: { userId: asking.userId, username: asking.username },
    })),
  )

  await database
    .insert(notifications)
    .values(each(() => ({ id: randomUUID(), userId: asking.userId, type: 'team_invite', data: {} })))

  const [session] = await database
    .insert(liveSessions)
    .values({ id: randomUUID(), vmId: sandboxId, hostId: asking.userId, defaultPermission: 'read' as const })
    .returning()
  await database
    .insert(liveSessionGuests)
    .values(guests.map(({ id }) => ({ sessionId: session!.id, userId: id, joinedAt: new Date() })))

  // Repositories: the first one is in every workspace.
  const repositories = [
    ...each((index) => ({ teamId: asking.teamId, name: `shop${index}` })),
    ...teamIds.slice(1).map((teamId) => ({ teamId, name: 'shop0' })),
  ].map(({ teamId, name }) => ({
    id: randomUUID(),
    provider: 'github' as const,
    owner: 'acme',
    name,
    teamId,
    repository: storedRepository('acme', name),
  }))
  await database.insert(projects).values(repositories)
  const branchRows = [
    ...each((index) => ({
      id: id('f', index),
      projectId: repositories[0]!.id,
      name: index === 0 ? 'main' : `branch${index}`,
    })),
    ...repositories.slice(1).map(({ id: projectId }, index) => ({ id: id('g', index), projectId, name: 'main' })),
  ].map((row, index) => ({
    ...row,
    ownerId: authors[index % size]!.id,
    lastCommit: { color: 'red', message: null, sha: 'abc', timestamp: LONG_AGO, userId: speakers[index % size]!.id },
    status: {
      hasChanges: false,
      hasConflicts: false,
      remote: { ahead: 0, behind: 0 },
      target: { ahead: 0, behind: 0 },
    },
  }))
  await database.insert(branches).values(branchRows)
  await database.insert(branchConnections).values(
    Array.from({ length: size }, (_, index) => ({
      id: randomUUID(),
      branchId: branchRows[0]!.id,
      userId: index === 0 ? asking.userId : null,
      openedAt: new Date(),
      seenAt: new Date(),
    })),
  )
  await database
    .insert(branchAccesses)
    .values(branchRows.map(({ id }) => ({ userId: asking.userId, branchId: id, lastAccessedAt: new Date() })))
  // A list without any would be asked for at the git host.
  const pulls = [
    ...each(() => ({ name: 'shop0', headBranch: 'main' })),
    ...branchRows.slice(1, size).map(({ name }) => ({ name: 'shop0', headBranch: name })),
    ...repositories.slice(1, size).map(({ name }) => ({ name, headBranch: 'main' })),
  ]
  await database.insert(pullRequests).values(
    pulls.map(({ name, headBranch }, index) => {
      const number = index + 1
      const many = index === 0 ? guests : [guests[index % size]!]
      const remarks = many.map(({ account }, at) => remark(account, at))
      return {
        id: randomUUID(),
        provider: 'github' as const,
        owner: 'acme',
        name,
        number,
        state: 'open',
        headBranch,
        baseBranch: 'main',
        pullRequest: pullNumbered(
          number,
          many.map(({ account }) => person(account)),
        ),
        reviews: remarks.map((each) => ({ ...each, state: 'APPROVED', submittedAt: LONG_AGO })),
        reviewComments: remarks.map((each) => ({ ...each, reviewId: 0, subjectType: 'line' })),
        comments: remarks,
        // Nothing is asked for again while the lists are read.
        syncedAt: LATER,
      }
    }),
  )
  return { teamId: asking.teamId, sandboxId, albumId: albumIds[0]!, commentId, branchId: branchRows[0]!.id }
}

const person = (account: number) => ({ id: account, login: `account${account}`, avatarUrl: '' })

const remark = (account: number, id: number) => ({
  id,
  author: person(account),
  authorAssociation: 'NONE',
  body: '',
  commitId: 'abc',
  originalCommitId: 'abc',
  diffHunk: '',
  path: 'a.ts',
  htmlUrl: 'https://git.test',
  issueId: 1,
  createdAt: LONG_AGO,
  updatedAt: LONG_AGO,
})

function pullNumbered(number: number, requestedReviewers: object[]): Record<string, unknown> {
  return {
    number,
    title: `Pull request ${number}`,
    author: requestedReviewers[0],
    htmlUrl: 'https://git.test',
    headBranch: 'main',
    baseBranch: 'main',
    draft: false,
    requestedReviewers,
    requestedTeams: requestedReviewers.map((_, index) => `team${index}`),
    createdAt: LONG_AGO,
    updatedAt: LONG_AGO,
    closedAt: null,
    mergedAt: null,
  }
}
