import type { Builder } from '../graphql/builder.ts'
import type { projects, branches } from '../database/schema.ts'
import type { UserRow } from '../accounts/graphqlTypes.ts'

export type ProjectAuthorizationValue = 'admin' | 'none' | 'read' | 'write'
export type GithubPermissionValue = 'admin' | 'none' | 'read' | 'write'
export type GitProviderValue = 'github'
export type GithubRepoAuthorizationValue = 'read' | 'write'
export type UserRepoSortValue = 'created' | 'full_name' | 'pushed' | 'updated'
export type UserRepoAffiliationValue = 'collaborator' | 'organization_member' | 'owner'
export type InstallationEventActionValue = 'created'
export type ProjectRow = typeof projects.$inferSelect
export type BranchRow = typeof branches.$inferSelect
export interface ConnectionShape {
  appId: string
  clientId: string
  color: string
  timestamp: string
  user: UserRow | null
}
export interface LastCommitShape {
  color: string
  message: string | null
  sha: string
  timestamp: string
  user: UserRow | null
}
export interface GitHubRepositoryShape {
  __typename: 'GitHubRepository'
  allowForking: boolean
  archived: boolean
  createdAt: Date
  defaultBranch: string
  description: string | null
  fork: boolean
  id: number
  isTemplate: boolean
  name: string
  owner: string
  parent: GitHubRepositoryShape | null
  permission: GithubPermissionValue
  private: boolean
  pushedAt: Date
  source: GitHubRepositoryShape | null
  updatedAt: Date
}
export interface BranchSettingsShape {
  protected: boolean
}
export interface StatusShape {
  hasChanges: boolean
  hasConflicts: boolean
  remote: StatusCommitCountsShape
  target: StatusCommitCountsShape
}
export interface StatusCommitCountsShape {
  ahead: number
  behind: number
}
export interface ResourcesShape {
  cpu: number
  memory: number
  storage: number
}
export interface ProjectSettingsShape {
  aiConsent: boolean | null
}
export interface GithubRepoShape {
  appInstalled: boolean
  authorization: GithubRepoAuthorizationValue
  fullName: string
  id: string
  name: string
  owner: GithubOrganizationShape
  private: boolean
  pushedAt: string | null
  updatedAt: string
}
export interface GithubOrganizationShape {
  avatarUrl: string
  description: string | null
  id: string
  login: string
}
export interface InstallationEventShape {
  __typename: 'InstallationEvent'
  action: InstallationEventActionValue
  event: string
}
export interface BranchLastCommitShape {
  branchId: string
  lastCommit: LastCommitShape
}
export interface BranchConnectionsShape {
  branchId: string
  connections: ConnectionShape[]
}
export interface BranchStatusShape {
  branchId: string
  status: StatusShape
}
export type RepositoryShape = GitHubRepositoryShape
export type RepositoryEventShape = InstallationEventShape

/** The types of this domain, so that others can refer to them before they have fields. */
export function repositoriesTypes(builder: Builder) {
  const projectAuthorization = builder.enumType('ProjectAuthorization', {
    values: {
      ADMIN: { value: 'admin' },
      NONE: { value: 'none' },
      READ: { value: 'read' },
      WRITE: { value: 'write' },
    } satisfies Record<string, { value: ProjectAuthorizationValue }>,
  })
  const githubPermission = builder.enumType('GithubPermission', {
    values: {
      ADMIN: { value: 'admin' },
      NONE: { value: 'none' },
      READ: { value: 'read' },
      WRITE: { value: 'write' },
    } satisfies Record<string, { value: GithubPermissionValue }>,
  })
  const gitProvider = builder.enumType('GitProvider', {
    values: { GITHUB: { value: 'github' } } satisfies Record<string, { value: GitProviderValue }>,
  })
  const githubRepoAuthorization = builder.enumType('GithubRepoAuthorization', {
    values: { READ: { value: 'read' }, WRITE: { value: 'write' } } satisfies Record<
      string,
      { value: GithubRepoAuthorizationValue }
    >,
  })
  const userRepoSort = builder.enumType('UserRepoSort', {
    values: {
      CREATED: { value: 'created' },
      FULL_NAME: { value: 'full_name' },
      PUSHED: { value: 'pushed' },
      UPDATED: { value: 'updated' },
    } satisfies Record<string, { value: UserRepoSortValue }>,
  })
  const userRepoAffiliation = builder.enumType('UserRepoAffiliation', {
    values: {
      COLLABORATOR: { value: 'collaborator' },
      ORGANIZATION_MEMBER: { value: 'organization_member' },
      OWNER: { value: 'owner' },
    } satisfies Record<string, { value: UserRepoAffiliationValue }>,
  })
  const installationEventAction = builder.enumType('InstallationEventAction', {
    values: { CREATED: { value: 'created' } } satisfies Record<string, { value: InstallationEventActionValue }>,
  })
  const project = builder.objectRef<ProjectRow>('Project')
  const branch = builder.objectRef<BranchRow>('Branch')
  const connection = builder.objectRef<ConnectionShape>('Connection')
  const lastCommit = builder.objectRef<LastCommitShape>('LastCommit')
  const gitHubRepository = builder.objectRef<GitHubRepositoryShape>('GitHubRepository')
  const branchSettings = builder.objectRef<BranchSettingsShape>('BranchSettings')
  const status = builder.objectRef<StatusShape>('Status')
  const statusCommitCounts = builder.objectRef<StatusCommitCountsShape>('StatusCommitCounts')
  const resources = builder.objectRef<ResourcesShape>('Resources')
  const projectSettings = builder.objectRef<ProjectSettingsShape>('ProjectSettings')
  const githubRepo = builder.objectRef<GithubRepoShape>('GithubRepo')
  const githubOrganization = builder.objectRef<GithubOrganizationShape>('GithubOrganization')
  const installationEvent = builder.objectRef<InstallationEventShape>('InstallationEvent')
  const branchLastCommit = builder.objectRef<BranchLastCommitShape>('BranchLastCommit')
  const branchConnections = builder.objectRef<BranchConnectionsShape>('BranchConnections')
  const branchStatus = builder.objectRef<BranchStatusShape>('BranchStatus')
  const repository = builder.unionType('Repository', {
    types: [gitHubRepository],
    resolveType: ({ __typename }) => __typename,
  })
  const repositoryEvent = builder.unionType('RepositoryEvent', {
    types: [installationEvent],
    resolveType: ({ __typename }) => __typename,
  })
  return {
    projectAuthorization,
    githubPermission,
    gitProvider,
    githubRepoAuthorization,
    userRepoSort,
    userRepoAffiliation,
    installationEventAction,
    project,
    branch,
    connection,
    lastCommit,
    gitHubRepository,
    branchSettings,
    status,
    statusCommitCounts,
    resources,
    projectSettings,
    githubRepo,
    githubOrganization,
    installationEvent,
    branchLastCommit,
    branchConnections,
    branchStatus,
    repository,
    repositoryEvent,
  }
}
