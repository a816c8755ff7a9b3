import { ApiError, teamPolicies } from '@boxyard/api'
import type { BranchRole } from '@boxyard/api'
import { userLoader } from '../accounts/loaders.ts'
import type { Builder } from '../graphql/builder.ts'
import { defineCountLoader, defineListLoader, defineLoader, defineRowLoader } from '../graphql/loader.ts'
import type { GraphqlContext } from '../graphql/graphqlContext.ts'
import type { GraphqlTypes } from '../graphql/types.ts'
import type { PullRequestShape } from '../reviews/graphqlTypes.ts'
import type { PullRequestList } from '../reviews/pullRequests.ts'
import { standingLoader, teamLoader } from '../workspaces/loaders.ts'
import { aiConsentOf } from './aiConsentOf.ts'
import { connectionsOf } from './branchConnections.ts'
import type { ConnectionShape, LastCommitShape, StatusShape } from './graphqlTypes.ts'
import {
  branchAccessTimes,
  branchesOf,
  findProjectsById,
  projectRoles,
  projectsOfTeams,
  repositoryOf,
  visibleProjects,
} from './projects.ts'
import type { Branch, Project } from './projects.ts'
import { repositoryShape } from './repositoryShape.ts'
import { resourcesOf } from './vmTier.ts'

const projectLoader = defineRowLoader(({ database }, ids) => findProjectsById(database, ids))
const branchListLoader = defineListLoader(
  ({ database }, projectIds) => branchesOf(database, projectIds),
  ({ projectId }) => projectId,
)
const branchCountLoader = defineCountLoader(async ({ database }, projectIds) => {
  const counts = new Map<string, number>()
  for (const { projectId } of await branchesOf(database, projectIds))
    counts.set(projectId, (counts.get(projectId) ?? 0) + 1)
  return counts
})
const connectionLoader = defineListLoader(
  ({ database }, branchIds) => connectionsOf(database, branchIds),
  ({ branchId }) => branchId,
)
const accessLoader = defineLoader<string, Date | null>(async ({ database, user }, branchIds) => {
  const times = user ? await branchAccessTimes(database, user.id, branchIds) : new Map<string, Date>()
  return branchIds.map((id) => times.get(id) ?? null)
})

/** The repositories of a workspace that whoever asks may see. */
const teamProjectsLoader = defineListLoader(
  async ({ database, user }, teamIds) => visibleProjects(database, await projectsOfTeams(database, teamIds), user),
  ({ teamId }) => teamId ?? '',
)
const projectRoleLoader = defineLoader<Project, BranchRole>(({ database, user }, list) =>
  projectRoles(database, list, user),
)
/** The pull requests of a repository, or with a branch those that come from it. */
const pullRequestsLoader = defineLoader<PullRequestList, PullRequestShape[]>(({ reviews, user }, wishes) =>
  reviews.lists(user, wishes),
)

/** The branch of a project by its name: the one of the project, else the contribution of whoever asks. */
async function branchNamed(project: Project, name: string, context: GraphqlContext): Promise<Branch | null> {
  const named = (await visibleBranches(project, context)).filter((branch) => branch.name === name)
  return named.find(({ contribution }) => !contribution) ?? named[0] ?? null
}

/** The branches of a project that someone is shown: the shared ones and their own contributions. */
async function visibleBranches(project: Project, context: GraphqlContext): Promise<Branch[]> {
  const branches = await branchListLoader(context).load(project.id)
  return branches.filter(({ contribution, ownerId }) => !contribution || ownerId === context.user?.id)
}

/** Who has a branch open, for members of its workspace and for whoever contributes on it. */
async function visibleConnections(
  { id, contribution, ownerId }: Branch,
  { teamId }: Project,
  context: GraphqlContext,
): Promise<ConnectionShape[]> {
  const isOwn = contribution && context.user !== null && ownerId === context.user.id
  const isMember = teamId !== null && teamPolicies.mayDo((await standingLoader(context).load(teamId)).role, 'see')
  if (!isOwn && !isMember) return []
  const connections = await connectionLoader(context).load(id)
  return Promise.all(
    connections.map(async ({ userId, ...connection }) => ({
      ...connection,
      user: userId === null ? null : await userLoader(context).load(userId),
    })),
  )
}

async function lastCommitShape({ lastCommit }: Branch, context: GraphqlContext): Promise<LastCommitShape | null> {
  if (!lastCommit) return null
  const { userId, ...commit } = lastCommit
  return { ...commit, user: userId === null ? null : await userLoader(context).load(userId) }
}

/** Repositories in workspaces and their branches. */
export function defineProjects(builder: Builder, types: GraphqlTypes): void {
  builder.objectFields(types.project, (t) => ({
    authorization: t.field({
      type: types.projectAuthorization,
      nullable: false,
      resolve: (project, _args, context) => projectRoleLoader(context).load(project),
    }),
    branchByName: t.field({
      type: types.branch,
      nullable: true,
      args: { name: t.arg.string({ required: true }) },
      resolve: (project, { name }, context) => branchNamed(project, name, context),
    }),
    branchCount: t.int({ nullable: false, resolve: ({ id }, _args, context) => branchCountLoader(context).load(id) }),
    branches: t.field({
      type: [types.branch],
      nullable: false,
      resolve: (project, _args, context) => visibleBranches(project, context),
    }),
    connections: t.field({
      type: [types.connection],
      nullable: false,
      resolve: async (project, _args, context) => {
        const branches = await visibleBranches(project, context)
        return (await Promise.all(branches.map((branch) => visibleConnections(branch, project, context)))).flat()
      },
    }),
    defaultBranch: t.field({
      type: types.branch,
      nullable: false,
      resolve: async (project, _args, context) => {
        const { user, repositories } = context
        const { defaultBranch } = repositoryOf(project)
        const present = await branchNamed(project, defaultBranch, context)
        // The first person who asks makes its box; a visitor makes nothing.
        if (!present && !user) throw new ApiError('UNAUTHENTICATED')
        return present ?? repositories.openBranch(user!, project, defaultBranch)
      },
    }),
    lastAccessedAt: t.string({
      nullable: true,
      resolve: async (project, _args, context) => {
        const branches = await visibleBranches(project, context)
        const times = await Promise.all(branches.map(({ id }) => accessLoader(context).load(id)))
        const last = times.flatMap((time) => time ?? []).toSorted((a, b) => b.getTime() - a.getTime())[0]
        return last?.toISOString() ?? null
      },
    }),
    lastCommit: t.field({
      type: types.lastCommit,
      nullable: true,
      resolve: async (project, _args, context) => {
        const { defaultBranch } = repositoryOf(project)
        const branch = (await visibleBranches(project, context)).find(({ name }) => name === defaultBranch)
        return branch ? lastCommitShape(branch, context) : null
      },
    }),
    pullRequests: t.field({
      type: [types.pullRequest],
      nullable: false,
      resolve: (project, _args, context) =>
        pullRequestsLoader(context).load({ repository: repositoryOf(project), branch: null }),
    }),
    repository: t.field({
      type: types.repository,
      nullable: false,
      resolve: (project) => repositoryShape(repositoryOf(project)),
    }),
    resources: t.field({ type: types.resources, nullable: false, resolve: ({ vmTier }) => resourcesOf(vmTier) }),
    settings: t.field({ type: types.projectSettings, nullable: false, resolve: ({ aiConsent }) => ({ aiConsent }) }),
    team: t.field({
      type: types.team,
      nullable: true,
      resolve: async ({ teamId }, _args, context) => {
        if (teamId === null) return null
        const { role } = await standingLoader(context).load(teamId)
        return teamPolicies.mayDo(role, 'see') ? teamLoader(context).load(teamId) : null
      },
    }),
  }))

  builder.objectFields(types.branch, (t) => ({
    aiConsent: t.boolean({
      nullable: false,
      resolve: async ({ aiConsent, projectId }, _args, context) => {
        const project = (await projectLoader(context).load(projectId))!
        const team = project.teamId === null ? null : await teamLoader(context).load(project.teamId)
        return aiConsentOf({
          own: [aiConsent, project.aiConsent],
          kind: 'Repositories',
          isPrivate: repositoryOf(project).private,
          team,
        })
      },
    }),
    connections: t.field({
      type: [types.connection],
      nullable: false,
      resolve: async (branch, _args, context) =>
        visibleConnections(branch, (await projectLoader(context).load(branch.projectId))!, context),
    }),
    contributionOwner: t.boolean({
      nullable: false,
      resolve: ({ contribution, ownerId }, _args, { user }) => contribution && user !== null && ownerId === user.id,
    }),
    lastAccessedAt: t.string({
      nullable: true,
      resolve: async ({ id }, _args, context) => (await accessLoader(context).load(id))?.toISOString() ?? null,
    }),
    lastCommit: t.field({
      type: types.lastCommit,
      nullable: true,
      resolve: (branch, _args, context) => lastCommitShape(branch, context),
    }),
    owner: t.field({
      type: types.user,
      nullable: true,
      resolve: ({ ownerId }, _args, context) => (ownerId === null ? null : userLoader(context).load(ownerId)),
    }),
    project: t.field({
      type: types.project,
      nullable: false,
      resolve: async ({ projectId }, _args, context) => (await projectLoader(context).load(projectId))!,
    }),
    pullRequests: t.field({
      type: [types.pullRequest],
      nullable: false,
      resolve: async (branch, _args, context) => {
        const project = (await projectLoader(context).load(branch.projectId))!
        return pullRequestsLoader(context).load({ repository: repositoryOf(project), branch: branch.name })
      },
    }),
    settings: t.field({
      type: types.branchSettings,
      nullable: false,
      resolve: ({ protected: isProtected }) => ({ protected: isProtected }),
    }),
    status: t.field({ type: types.status, nullable: true, resolve: ({ status }) => status as StatusShape | null }),
  }))

  builder.objectFields(types.team, (t) => ({
    projects: t.field({
      type: [types.project],
      nullable: false,
      args: { syncData: t.arg.boolean({ defaultValue: true }) },
      resolve: ({ id }, _args, context) => teamProjectsLoader(context).load(id),
    }),
  }))
}
