import type { Builder } from '../graphql/builder.ts'
import type { GraphqlTypes } from '../graphql/types.ts'

/** What the query API says about repositories. */
export function defineRepositories(builder: Builder, types: GraphqlTypes): void {
  types.project.implement({
    fields: (t) => ({
      appInstalled: t.expose('appInstalled', { type: 'Boolean', nullable: false }),
      id: t.expose('id', { type: 'ID', nullable: false }),
    }),
  })

  types.branch.implement({
    fields: (t) => ({
      contribution: t.expose('contribution', { type: 'Boolean', nullable: false }),
      id: t.expose('id', { type: 'String', nullable: false }),
      name: t.expose('name', { type: 'String', nullable: false }),
      sourceBranch: t.expose('sourceBranch', { type: 'String', nullable: true }),
      upstream: t.expose('upstream', { type: 'Boolean', nullable: false }),
    }),
  })

  types.connection.implement({
    fields: (t) => ({
      appId: t.expose('appId', { type: 'String', nullable: false }),
      clientId: t.expose('clientId', { type: 'String', nullable: false }),
      color: t.expose('color', { type: 'String', nullable: false }),
      timestamp: t.expose('timestamp', { type: 'String', nullable: false }),
      user: t.expose('user', { type: types.user, nullable: true }),
    }),
  })

  types.lastCommit.implement({
    fields: (t) => ({
      color: t.expose('color', { type: 'String', nullable: false }),
      message: t.expose('message', { type: 'String', nullable: true }),
      sha: t.expose('sha', { type: 'String', nullable: false }),
      timestamp: t.expose('timestamp', { type: 'String', nullable: false }),
      user: t.expose('user', { type: types.user, nullable: true }),
    }),
  })

  types.gitHubRepository.implement({
    fields: (t) => ({
      allowForking: t.expose('allowForking', { type: 'Boolean', nullable: false }),
      archived: t.expose('archived', { type: 'Boolean', nullable: false }),
      createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false }),
      defaultBranch: t.expose('defaultBranch', { type: 'String', nullable: false }),
      description: t.expose('description', { type: 'String', nullable: true }),
      fork: t.expose('fork', { type: 'Boolean', nullable: false }),
      id: t.expose('id', { type: 'Int', nullable: false }),
      isTemplate: t.expose('isTemplate', { type: 'Boolean', nullable: false }),
      name: t.expose('name', { type: 'String', nullable: false }),
      owner: t.expose('owner', { type: 'String', nullable: false }),
      parent: t.expose('parent', { type: types.gitHubRepository, nullable: true }),
      permission: t.expose('permission', { type: types.githubPermission, nullable: false }),
      private: t.expose('private', { type: 'Boolean', nullable: false }),
      pushedAt: t.expose('pushedAt', { type: 'DateTime', nullable: false }),
      source: t.expose('source', { type: types.gitHubRepository, nullable: true }),
      updatedAt: t.expose('updatedAt', { type: 'DateTime', nullable: false }),
    }),
  })

  types.branchSettings.implement({
    fields: (t) => ({
      protected: t.expose('protected', { type: 'Boolean', nullable: false }),
    }),
  })

  types.status.implement({
    fields: (t) => ({
      hasChanges: t.expose('hasChanges', { type: 'Boolean', nullable: false }),
      hasConflicts: t.expose('hasConflicts', { type: 'Boolean', nullable: false }),
      remote: t.expose('remote', { type: types.statusCommitCounts, nullable: false }),
      target: t.expose('target', { type: types.statusCommitCounts, nullable: false }),
    }),
  })

  types.statusCommitCounts.implement({
    fields: (t) => ({
      ahead: t.expose('ahead', { type: 'Int', nullable: false }),
      behind: t.expose('behind', { type: 'Int', nullable: false }),
    }),
  })

  types.resources.implement({
    fields: (t) => ({
      cpu: t.expose('cpu', { type: 'Int', nullable: false }),
      memory: t.expose('memory', { type: 'Int', nullable: false }),
      storage: t.expose('storage', { type: 'Int', nullable: false }),
    }),
  })

  types.projectSettings.implement({
    fields: (t) => ({
      aiConsent: t.expose('aiConsent', { type: 'Boolean', nullable: true }),
    }),
  })

  types.githubRepo.implement({
    fields: (t) => ({
      appInstalled: t.expose('appInstalled', { type: 'Boolean', nullable: false }),
      authorization: t.expose('authorization', { type: types.githubRepoAuthorization, nullable: false }),
      fullName: t.expose('fullName', { type: 'String', nullable: false }),
      id: t.expose('id', { type: 'ID', nullable: false }),
      name: t.expose('name', { type: 'String', nullable: false }),
      owner: t.expose('owner', { type: types.githubOrganization, nullable: false }),
      private: t.expose('private', { type: 'Boolean', nullable: false }),
      pushedAt: t.expose('pushedAt', { type: 'String', nullable: true }),
      updatedAt: t.expose('updatedAt', { type: 'String', nullable: false }),
    }),
  })

  types.githubOrganization.implement({
    fields: (t) => ({
      avatarUrl: t.expose('avatarUrl', { type: 'String', nullable: false }),
      description: t.expose('description', { type: 'String', nullable: true }),
      id: t.expose('id', { type: 'ID', nullable: false }),
      login: t.expose('login', { type: 'String', nullable: false }),
    }),
  })

  types.installationEvent.implement({
    fields: (t) => ({
      action: t.expose('action', { type: types.installationEventAction, nullable: false }),
      event: t.expose('event', { type: 'String', nullable: false }),
    }),
  })

  types.branchLastCommit.implement({
    fields: (t) => ({
      branchId: t.expose('branchId', { type: 'String', nullable: false }),
      lastCommit: t.expose('lastCommit', { type: types.lastCommit, nullable: false }),
    }),
  })

  types.branchConnections.implement({
    fields: (t) => ({
      branchId: t.expose('branchId', { type: 'String', nullable: false }),
      connections: t.expose('connections', { type: [types.connection], nullable: false }),
    }),
  })

  types.branchStatus.implement({
    fields: (t) => ({
      branchId: t.expose('branchId', { type: 'String', nullable: false }),
      status: t.expose('status', { type: types.status, nullable: false }),
    }),
  })
}
