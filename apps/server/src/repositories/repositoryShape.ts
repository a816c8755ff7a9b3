import type { HostRepository } from '@boxyard/git-host'
import type { GithubPermissionValue, GitHubRepositoryShape, GithubRepoShape } from './graphqlTypes.ts'
import { isWriter } from './isWriter.ts'

/** A repository of the git host in the words of the query API. */
export function repositoryShape(repository: HostRepository): GitHubRepositoryShape {
  const shape = {
    __typename: 'GitHubRepository' as const,
    allowForking: repository.allowForking,
    archived: repository.archived,
    createdAt: new Date(repository.createdAt),
    defaultBranch: repository.defaultBranch,
    description: repository.description,
    fork: repository.fork,
    id: repository.id,
    isTemplate: repository.isTemplate,
    name: repository.name,
    owner: repository.owner,
    permission: repository.permission.toLowerCase() as GithubPermissionValue,
    private: repository.private,
    pushedAt: new Date(repository.pushedAt),
    updatedAt: new Date(repository.updatedAt),
  }
  const { parent } = repository
  // The host tells little about what a fork came from; the rest is as the fork says.
  const origin = parent && {
    ...shape,
    fork: false,
    owner: parent.owner,
    name: parent.name,
    defaultBranch: parent.defaultBranch,
    parent: null,
    source: null,
  }
  return { ...shape, parent: origin, source: origin }
}

/** A repository in a list of what someone has at the git host. */
export function githubRepoShape(repository: HostRepository, appInstalled: boolean): GithubRepoShape {
  return {
    appInstalled,
    authorization: isWriter(repository) ? 'write' : 'read',
    fullName: `${repository.owner}/${repository.name}`,
    id: String(repository.id),
    name: repository.name,
    owner: {
      avatarUrl: repository.ownerAvatarUrl,
      description: null,
      id: String(repository.ownerId),
      login: repository.owner,
    },
    private: repository.private,
    pushedAt: repository.pushedAt.toISOString(),
    updatedAt: repository.updatedAt.toISOString(),
  }
}
