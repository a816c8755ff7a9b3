import { ApiError, branchPolicies, holdsOnBranch, teamPolicies } from '@boxyard/api'
import type { BranchOperation, BranchRole } from '@boxyard/api'
import type { HostRepository, RepositoryName } from '@boxyard/git-host'
import { and, asc, desc, eq, inArray, isNull } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import type { User } from '../accounts/users.ts'
import type { Queryable } from '../database/database.ts'
import { branchAccesses, branches, projects } from '../database/schema.ts'
import { memberAuthorization, memberAuthorizations } from '../workspaces/teams.ts'
import { isOfRepository } from './sameRepository.ts'

export type Project = typeof projects.$inferSelect
export type Branch = typeof branches.$inferSelect

/** The repository of a project as the git host last said it. JSON has no dates. */
export function repositoryOf({ repository }: Project): HostRepository {
  const stored = repository as unknown as HostRepository
  return {
    ...stored,
    createdAt: new Date(stored.createdAt),
    updatedAt: new Date(stored.updatedAt),
    pushedAt: new Date(stored.pushedAt),
  }
}

export async function findProject(database: Queryable, id: string): Promise<Project | null> {
  const [project] = await database.select().from(projects).where(eq(projects.id, id))
  return project ?? null
}

export async function findProjectsById(database: Queryable, ids: readonly string[]): Promise<Project[]> {
  return ids.length === 0
    ? []
    : database
        .select()
        .from(projects)
        .where(inArray(projects.id, [...ids]))
}

/** The project of a repository in a workspace, or the one without a workspace. */
export async function findProjectIn(
  database: Queryable,
  repository: RepositoryName,
  teamId: string | null,
): Promise<Project | null> {
  const inTeam = teamId === null ? isNull(projects.teamId) : eq(projects.teamId, teamId)
  const [project] = await database
    .select()
    .from(projects)
    .where(and(isOfRepository(projects, repository), inTeam))
  return project ?? null
}

export async function projectsOfRepository(database: Queryable, repository: RepositoryName): Promise<Project[]> {
  return database.select().from(projects).where(isOfRepository(projects, repository)).orderBy(asc(projects.insertedAt))
}

export async function projectsOfTeams(database: Queryable, teamIds: readonly string[]): Promise<Project[]> {
  return database
    .select()
    .from(projects)
    .where(inArray(projects.teamId, [...teamIds]))
    .orderBy(asc(projects.insertedAt))
}

/** What `user` is to a project: by the workspace; without one everybody reads what is public. */
export async function projectRole(
  database: Queryable,
  project: Project,
  user: Pick<User, 'id'> | null,
): Promise<BranchRole> {
  return (await projectRoles(database, [project], user))[0]!
}

/** The same for several projects, in their order. */
export async function projectRoles(
  database: Queryable,
  list: readonly Project[],
  user: Pick<User, 'id'> | null,
): Promise<BranchRole[]> {
  const teamIds = [...new Set(list.flatMap(({ teamId }) => teamId ?? []))]
  const member =
    user && teamIds.length > 0 ? await memberAuthorizations(database, teamIds, user.id) : new Map<string, never>()
  return list.map((project) => {
    const everyone: BranchRole = repositoryOf(project).private ? 'none' : 'read'
    return project.teamId === null ? everyone : branchPolicies.stronger(everyone, member.get(project.teamId) ?? 'none')
  })
}

/** Those of these projects that someone may see. */
export async function visibleProjects(
  database: Queryable,
  list: readonly Project[],
  user: Pick<User, 'id'> | null,
): Promise<Project[]> {
  const roles = await projectRoles(database, list, user)
  return list.filter((_project, index) => branchPolicies.mayDo(roles[index]!, 'see'))
}

/** What `user` is to a branch. Whoever owns a contribution branch may write on it. */
export async function branchRole(
  database: Queryable,
  branch: Branch,
  project: Project,
  user: Pick<User, 'id'> | null,
): Promise<BranchRole> {
  const role = await projectRole(database, project, user)
  const owns = branch.contribution && user !== null && branch.ownerId === user.id
  return owns ? branchPolicies.stronger(role, 'write') : role
}

/** Throws FORBIDDEN for what the role or the state of the branch does not allow. */
export async function authorizeBranch(
  database: Queryable,
  branch: Branch,
  project: Project,
  user: Pick<User, 'id'> | null,
  operation: BranchOperation,
): Promise<void> {
  const role = await branchRole(database, branch, project, user)
  if (!branchPolicies.mayDo(role, 'see')) throw new ApiError('NOT_FOUND')
  branchPolicies.authorize(role, operation)
  const state = { isProtected: branch.protected, isContribution: branch.contribution }
  if (!holdsOnBranch(operation, state)) {
    throw new ApiError('FORBIDDEN', {
      detail: branch.protected ? 'This branch is protected' : 'A contribution branch does not allow this',
    })
  }
}

/** Throws FORBIDDEN for whoever may not change the repositories of a workspace. */
export async function authorizeRepositories(
  database: Queryable,
  teamId: string,
  user: Pick<User, 'id'>,
  operation: 'editRepositories' | 'removeRepositories',
): Promise<void> {
  const role = await memberAuthorization(database, teamId, user.id)
  if (role === null) throw new ApiError('NOT_FOUND', { detail: 'This workspace is not found' })
  teamPolicies.authorize(role, operation)
}

/** Puts a repository into a workspace, or among those without one. One that is there already is brought up to date. */
export async function upsertProject(
  database: Queryable,
  repository: HostRepository,
  values: { teamId: string | null; appInstalled: boolean },
): Promise<Project> {
  const said = {
    owner: repository.owner,
    name: repository.name,
    repository: { ...repository } as Record<string, unknown>,
    repositorySyncedAt: new Date(),
    appInstalled: values.appInstalled,
    updatedAt: new Date(),
  }
  const present = await findProjectIn(database, repository, values.teamId)
  if (!present) {
    const row = { id: randomUUID(), provider: 'github' as const, teamId: values.teamId, ...said }
    const [project] = await database.insert(projects).values(row).onConflictDoNothing().returning()
    // Without one somebody else imported it in this moment.
    return project ?? upsertProject(database, repository, values)
  }
  const [project] = await database.update(projects).set(said).where(eq(projects.id, present.id)).returning()
  return project!
}

export async function removeProject(database: Queryable, id: string): Promise<void> {
  await database.delete(projects).where(eq(projects.id, id))
}

export async function branchesOf(database: Queryable, projectIds: readonly string[]): Promise<Branch[]> {
  if (projectIds.length === 0) return []
  return database
    .select()
    .from(branches)
    .where(inArray(branches.projectId, [...projectIds]))
    .orderBy(asc(branches.name))
}

export async function findBranch(
  database: Queryable,
  id: string,
): Promise<{ branch: Branch; project: Project } | null> {
  const [row] = await database
    .select({ branch: branches, project: projects })
    .from(branches)
    .innerJoin(projects, eq(projects.id, branches.projectId))
    .where(eq(branches.id, id))
  return row ?? null
}

/** The branch of a project by its name: the one of the project, else the contribution of `user`. */
export async function findBranchNamed(
  database: Queryable,
  projectId: string,
  name: string,
  user: Pick<User, 'id'> | null,
): Promise<Branch | null> {
  const rows = await database
    .select()
    .from(branches)
    .where(and(eq(branches.projectId, projectId), eq(branches.name, name)))
  return (
    rows.find(({ contribution }) => !contribution) ??
    rows.find(({ ownerId }) => user !== null && ownerId === user.id) ??
    null
  )
}

export async function recordBranchAccess(database: Queryable, userId: string, branchId: string): Promise<void> {
  const lastAccessedAt = new Date()
  await database
    .insert(branchAccesses)
    .values({ userId, branchId, lastAccessedAt })
    .onConflictDoUpdate({ target: [branchAccesses.userId, branchAccesses.branchId], set: { lastAccessedAt } })
}

export async function branchAccessTimes(
  database: Queryable,
  userId: string,
  branchIds: readonly string[],
): Promise<Map<string, Date>> {
  if (branchIds.length === 0) return new Map()
  const rows = await database
    .select()
    .from(branchAccesses)
    .where(and(eq(branchAccesses.userId, userId), inArray(branchAccesses.branchId, [...branchIds])))
  return new Map(rows.map(({ branchId, lastAccessedAt }) => [branchId, lastAccessedAt]))
}

/** The branches someone opened last and may still see, newest first. */
export async function recentBranches(
  database: Queryable,
  user: Pick<User, 'id'>,
  options: { contribution: boolean | null; teamId: string | null; limit: number },
): Promise<{ branch: Branch; project: Project }[]> {
  const rows = await database
    .select({ branch: branches, project: projects })
    .from(branchAccesses)
    .innerJoin(branches, eq(branches.id, branchAccesses.branchId))
    .innerJoin(projects, eq(projects.id, branches.projectId))
    .where(
      and(
        eq(branchAccesses.userId, user.id),
        options.contribution === null ? undefined : eq(branches.contribution, options.contribution),
        options.teamId === null ? undefined : eq(projects.teamId, options.teamId),
      ),
    )
    .orderBy(desc(branchAccesses.lastAccessedAt))
  const teamIds = [...new Set(rows.flatMap(({ project }) => project.teamId ?? []))]
  const member =
    teamIds.length === 0 ? new Map<string, unknown>() : await memberAuthorizations(database, teamIds, user.id)
  return rows
    .filter(({ project }) => !repositoryOf(project).private || (project.teamId !== null && member.has(project.teamId)))
    .slice(0, options.limit)
}
