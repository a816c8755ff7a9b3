import { ApiError, branchPolicies } from '@boxyard/api'
import type { Builder } from '../graphql/builder.ts'
import type { GraphqlContext } from '../graphql/graphqlContext.ts'
import { limitOf } from '../graphql/limitOf.ts'
import { requireUser } from '../graphql/requireUser.ts'
import type { GraphqlTypes } from '../graphql/types.ts'
import { validInput } from '../graphql/validInput.ts'
import { findTeams, memberAuthorizations } from '../workspaces/teams.ts'
import { findCredential } from './gitCredentials.ts'
import {
  branchRole,
  findBranch,
  findBranchNamed,
  projectsOfRepository,
  recentBranches,
  recordBranchAccess,
  visibleProjects,
} from './projects.ts'
import type { Branch, Project } from './projects.ts'
import { githubRepoShape } from './repositoryShape.ts'
import { nameText } from './nameText.ts'

const MOST_PER_PAGE = 100
type Sort = 'created' | 'full_name' | 'pushed' | 'updated'

function paging({ page, perPage, sort }: { page?: number | null; perPage?: number | null; sort?: Sort | null }) {
  return {
    page: Math.max(page ?? 1, 1),
    perPage: Math.min(Math.max(perPage ?? 30, 1), MOST_PER_PAGE),
    ...(sort == null ? {} : { sort }),
  }
}

/** What people ask about repositories: their own ones at the git host, and those in workspaces. */
export function defineRepositoryQueries(builder: Builder, types: GraphqlTypes): void {
  const opened = async (
    context: GraphqlContext,
    found: { branch: Branch; project: Project } | null,
  ): Promise<Branch> => {
    const role = found ? await branchRole(context.database, found.branch, found.project, context.user) : 'none'
    if (!found || !branchPolicies.mayDo(role, 'see'))
      throw new ApiError('NOT_FOUND', { detail: 'This branch is not found' })
    if (context.user) await recordBranchAccess(context.database, context.user.id, found.branch.id)
    return found.branch
  }
  const projectOf = async (context: GraphqlContext, owner: string, name: string, teamId: string | null) =>
    context.repositories.projectFor(
      context.user,
      { owner: validInput(nameText, owner), name: validInput(nameText, name) },
      teamId,
    )

  builder.queryFields((t) => ({
    branchById: t.field({
      type: types.branch,
      nullable: false,
      args: { id: t.arg.string({ required: true }) },
      resolve: async (_root, { id }, context) =>
        opened(context, await findBranch(context.database, validInput(nameText, id))),
    }),
    branchByName: t.field({
      type: types.branch,
      nullable: false,
      args: {
        branch: t.arg.string({ required: true }),
        name: t.arg.string({ required: true }),
        owner: t.arg.string({ required: true }),
        provider: t.arg({ type: types.gitProvider, required: true }),
        team: t.arg.id(),
      },
      resolve: async (_root, { owner, name, branch, team }, context) => {
        const project = await projectOf(context, owner, name, team ?? null)
        const found = project && (await findBranchNamed(context.database, project.id, branch, context.user))
        return opened(context, found ? { branch: found, project } : null)
      },
    }),
    githubOrganizationRepos: t.field({
      type: [types.githubRepo],
      nullable: true,
      args: {
        organization: t.arg.string({ required: true }),
        page: t.arg.int(),
        perPage: t.arg.int(),
        sort: t.arg({ type: types.userRepoSort }),
      },
      resolve: async (_root, args, context) => {
        const host = await context.repositories.hosts.as(requireUser(context))
        const { items } = await host.organizationRepositories(validInput(nameText, args.organization), paging(args))
        const appInstalled = await context.repositories.hosts.appInstallations(host, items)
        return items.map((repository) => githubRepoShape(repository, appInstalled(repository)))
      },
    }),
    githubRepo: t.field({
      type: types.githubRepo,
      nullable: true,
      args: { owner: t.arg.string({ required: true }), repo: t.arg.string({ required: true }) },
      resolve: async (_root, { owner, repo }, { repositories, user }) => {
        const host = await repositories.hosts.asOptional(user)
        const repository = await host.repository({
          owner: validInput(nameText, owner),
          name: validInput(nameText, repo),
        })
        if (!repository) return null
        // Nobody has no installations.
        const appInstalled = user === null ? null : await repositories.hosts.appInstallations(host, [repository])
        return githubRepoShape(repository, appInstalled?.(repository) ?? repositories.hosts.isLocal)
      },
    }),
    project: t.field({
      type: types.project,
      nullable: true,
      args: {
        gitProvider: t.arg({ type: types.gitProvider }),
        owner: t.arg.string({ required: true }),
        repo: t.arg.string({ required: true }),
        team: t.arg.id(),
      },
      resolve: (_root, { owner, repo, team }, context) => projectOf(context, owner, repo, team ?? null),
    }),
    projects: t.field({
      type: [types.project],
      nullable: false,
      args: {
        name: t.arg.string({ required: true }),
        owner: t.arg.string({ required: true }),
        provider: t.arg({ type: types.gitProvider, required: true }),
      },
      resolve: async (_root, { owner, name }, { database, user }) =>
        visibleProjects(database, await projectsOfRepository(database, { owner, name }), user),
    }),
    recentTeamsByRepository: t.field({
      type: [types.teamPreview],
      nullable: false,
      args: {
        name: t.arg.string({ required: true }),
        owner: t.arg.string({ required: true }),
        provider: t.arg({ type: types.gitProvider, required: true }),
      },
      // Those that somebody could ask to be let in, when the repository is in no workspace of theirs.
      resolve: async (_root, { owner, name }, { database, repositories, user }) => {
        if (!user) return []
        const repository = { owner: validInput(nameText, owner), name: validInput(nameText, name) }
        const all = await projectsOfRepository(database, repository)
        const teamIds = all.flatMap(({ teamId }) => teamId ?? [])
        if (teamIds.length === 0) return []
        const member = await memberAuthorizations(database, teamIds, user.id)
        const own = teamIds.filter((id) => member.has(id))
        return own.length > 0 ? findTeams(database, own) : repositories.workspacesToAsk(user, repository)
      },
    }),
  }))

  builder.objectFields(types.currentUser, (t) => ({
    githubOrganizations: t.field({
      type: [types.githubOrganization],
      nullable: true,
      resolve: async ({ id }, _args, { repositories }) => {
        const organizations = await (await repositories.hosts.as({ id })).organizations()
        return organizations.map((organization) => ({ ...organization, id: String(organization.id) }))
      },
    }),
    githubProfile: t.field({
      type: types.githubProfile,
      nullable: true,
      resolve: async ({ id }, _args, { database }) => {
        const credential = await findCredential(database, id)
        if (!credential) return null
        const { avatarUrl, subject, login, name, scopes } = credential
        return { avatarUrl, id: subject, login, name, scopes }
      },
    }),
    githubRepos: t.field({
      type: [types.githubRepo],
      nullable: false,
      args: {
        affiliation: t.arg({ type: [types.userRepoAffiliation], defaultValue: ['owner'] }),
        page: t.arg.int(),
        perPage: t.arg.int(),
        sort: t.arg({ type: types.userRepoSort }),
      },
      resolve: async ({ id }, args, { repositories }) => {
        const host = await repositories.hosts.as({ id })
        const { items } = await host.repositories({ affiliations: args.affiliation ?? ['owner'], ...paging(args) })
        const appInstalled = await repositories.hosts.appInstallations(host, items)
        return items.map((repository) => githubRepoShape(repository, appInstalled(repository)))
      },
    }),
    recentBranches: t.field({
      type: [types.branch],
      nullable: false,
      args: { contribution: t.arg.boolean(), limit: t.arg.int({ defaultValue: 50 }), teamId: t.arg({ type: 'UUID4' }) },
      resolve: async (user, { contribution, limit, teamId }, { database }) => {
        const options = { contribution: contribution ?? null, teamId: teamId ?? null, limit: limitOf(limit) }
        return (await recentBranches(database, user, options)).map(({ branch }) => branch)
      },
    }),
    recentProjects: t.field({
      type: [types.project],
      nullable: false,
      args: { limit: t.arg.int({ defaultValue: 50 }) },
      resolve: async (user, { limit }, { database }) => {
        const recent = await recentBranches(database, user, { contribution: null, teamId: null, limit: 200 })
        const seen = new Map(recent.map(({ project }) => [project.id, project]))
        return [...seen.values()].slice(0, limitOf(limit))
      },
    }),
  }))
}
