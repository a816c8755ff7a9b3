import type { GitAccount } from '../storage.ts'
import type { RepositoryRecord } from './records.ts'
import type { RepositoryStorage } from './repositoryStorage.ts'

/** What someone may do with a repository, weakest first. */
export const permissions = ['none', 'read', 'write', 'admin'] as const
export type Permission = (typeof permissions)[number]

export function allows(permission: Permission, needed: Permission): boolean {
  return permissions.indexOf(permission) >= permissions.indexOf(needed)
}

/** Who is asking: an account, and the scopes of the token it came with; null scopes mean the account itself, without a token. */
export interface Actor {
  account: GitAccount
  scopes: readonly string[] | null
}

/**
 * What `actor` may do: as owner, member of the organization or collaborator, else as anyone for what is public; never more than the
 * scopes of the token let through.
 */
export async function permissionOf(
  storage: RepositoryStorage,
  repository: RepositoryRecord,
  actor: Actor | null,
): Promise<Permission> {
  const everyone: Permission = repository.private ? 'none' : 'read'
  if (!actor) return everyone
  const own = await ownPermission(storage, repository, actor.account)
  const permission = allows(own, everyone) ? own : everyone
  const { scopes } = actor
  if (scopes === null || scopes.includes('repo')) return permission
  if (repository.private) return 'none'
  return scopes.includes('public_repo') ? permission : everyone
}

async function ownPermission(
  storage: RepositoryStorage,
  repository: RepositoryRecord,
  account: GitAccount,
): Promise<Permission> {
  if (repository.ownerKind === 'account' && repository.ownerId === account.id) return 'admin'
  if (repository.ownerKind === 'organization') {
    const where = { organizationId: repository.ownerId, accountId: account.id }
    const [membership] = await storage.memberships.find(where)
    if (membership) return membership.role === 'admin' ? 'admin' : 'write'
  }
  const [collaborator] = await storage.collaborators.find({ repositoryId: repository.id, accountId: account.id })
  return collaborator?.permission ?? 'none'
}

/** The ids of the repositories someone owns, shares through an organization or works on, by why. */
export async function repositoryIdsOf(
  storage: RepositoryStorage,
  account: GitAccount,
  affiliations: readonly ('owner' | 'collaborator' | 'organization_member')[],
): Promise<number[]> {
  const ids = new Set<number>()
  if (affiliations.includes('owner')) {
    const owned = await storage.repositories.find({ ownerKind: 'account', ownerId: account.id })
    for (const { id } of owned) ids.add(id)
  }
  if (affiliations.includes('collaborator')) {
    for (const { repositoryId } of await storage.collaborators.find({ accountId: account.id })) ids.add(repositoryId)
  }
  if (affiliations.includes('organization_member')) {
    const memberships = await storage.memberships.find({ accountId: account.id })
    const where = {
      ownerKind: 'organization' as const,
      ownerId: memberships.map(({ organizationId }) => organizationId),
    }
    for (const { id } of await storage.repositories.find(where)) ids.add(id)
  }
  return [...ids]
}
