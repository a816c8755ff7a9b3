import { branchPolicies, holdsOnBranch } from '@boxyard/api'
import { z } from 'zod'
import type { User } from '../accounts/users.ts'
import type { Queryable } from '../database/database.ts'
import { findCredential } from './gitCredentials.ts'
import { findTeams } from '../workspaces/teams.ts'
import { aiConsentOf } from './aiConsentOf.ts'
import { branchRole, repositoryOf } from './projects.ts'
import type { Branch, Project } from './projects.ts'
import { resourcesOf } from './vmTier.ts'

export const branchAnswer = z.object({
  type: z.literal('branch'),
  id: z.string(),
  branch: z.string(),
  owner: z.string(),
  repo: z.string(),
  project_id: z.string(),
  workspace_id: z.string().nullable(),
  contribution: z.boolean(),
  /** Whose fork at the git host a contribution is pushed to; null for a branch of the repository itself. */
  head_owner: z.string().nullable(),
  default_branch_name: z.string(),
  github_app_installed: z.boolean(),
  authorization: z.enum(['none', 'read', 'write', 'admin']),
  repo_permission: z.string(),
  is_private: z.boolean(),
  source_branch_name: z.string().nullable(),
  protected_branch: z.boolean(),
  /** Whether artificial intelligence may read it. */
  ai_consent: z.boolean(),
  resources: z.object({ cpu: z.number(), memory: z.number(), storage: z.number() }),
  parent_repo: z.object({ owner: z.string(), repo: z.string(), default_branch: z.string() }).nullable(),
  abilities: z.record(z.string(), z.boolean()),
})

/** A branch as `user` reads it over REST, with what they may do. */
export async function presentBranch(
  database: Queryable,
  { branch, project }: { branch: Branch; project: Project },
  user: User | null,
): Promise<z.infer<typeof branchAnswer>> {
  const repository = repositoryOf(project)
  const role = await branchRole(database, branch, project, user)
  const state = { isProtected: branch.protected, isContribution: branch.contribution }
  const abilities = Object.fromEntries(
    branchPolicies.operations.map((operation) => [
      operation,
      branchPolicies.mayDo(role, operation) && holdsOnBranch(operation, state),
    ]),
  )
  const { parent } = repository
  const fork = branch.contribution && branch.ownerId !== null ? await findCredential(database, branch.ownerId) : null
  const [team = null] = project.teamId === null ? [] : await findTeams(database, [project.teamId])
  return {
    type: 'branch',
    id: branch.id,
    branch: branch.name,
    owner: repository.owner,
    repo: repository.name,
    project_id: project.id,
    workspace_id: project.teamId,
    contribution: branch.contribution,
    head_owner: fork?.login ?? null,
    default_branch_name: repository.defaultBranch,
    github_app_installed: project.appInstalled,
    authorization: role,
    repo_permission: repository.permission.toLowerCase(),
    is_private: repository.private,
    source_branch_name: branch.sourceBranch,
    protected_branch: branch.protected,
    ai_consent: aiConsentOf({
      own: [branch.aiConsent, project.aiConsent],
      kind: 'Repositories',
      isPrivate: repository.private,
      team,
    }),
    resources: resourcesOf(branch.vmTier ?? project.vmTier),
    parent_repo: parent && { owner: parent.owner, repo: parent.name, default_branch: parent.defaultBranch },
    abilities,
  }
}
