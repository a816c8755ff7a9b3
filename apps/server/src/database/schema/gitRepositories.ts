import type {
  CheckRunRecord,
  CollaboratorPermission,
  PullRecord,
  RepositoryRecord,
  ReviewState,
  Side,
  StatusRecord,
} from '@boxyard/git-host'
import { bigint, boolean, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { insertedAt, moment, updatedAt } from '../columns.ts'

const id = () => bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity()
/** Ids of accounts and of organizations are told apart by the column that says which of them owns something. */
const number = (name: string) => bigint(name, { mode: 'number' })

export const gitOrganizations = pgTable(
  'git_organizations',
  {
    // Beyond the accounts: GitHub's ids of both come from one series too.
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity({ startWith: 1_000_000_000 }),
    login: text('login').notNull(),
    key: text('key').notNull(),
    name: text('name'),
    description: text('description'),
    insertedAt: insertedAt(),
  },
  (table) => [uniqueIndex('git_organizations_key').on(table.key)],
)

export const gitMemberships = pgTable(
  'git_memberships',
  {
    id: id(),
    organizationId: number('organization_id')
      .notNull()
      .references(() => gitOrganizations.id, { onDelete: 'cascade' }),
    accountId: number('account_id').notNull(),
    role: text('role').$type<'admin' | 'member'>().notNull(),
  },
  (table) => [
    uniqueIndex('git_memberships_both').on(table.organizationId, table.accountId),
    index('git_memberships_account').on(table.accountId),
  ],
)

/** Repositories of the local git host. The bare repository of each is a folder that is called by its id. */
export const gitRepositories = pgTable(
  'git_repositories',
  {
    id: id(),
    key: text('key').notNull(),
    ownerKind: text('owner_kind').$type<RepositoryRecord['ownerKind']>().notNull(),
    ownerId: number('owner_id').notNull(),
    ownerLogin: text('owner_login').notNull(),
    name: text('name').notNull(),
    description: text('description'),
    private: boolean('private').notNull(),
    parentId: number('parent_id'),
    defaultBranch: text('default_branch').notNull(),
    archived: boolean('archived').notNull(),
    nextNumber: integer('next_number').notNull(),
    pushedAt: moment('pushed_at').notNull(),
    insertedAt: insertedAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex('git_repositories_key').on(table.key),
    index('git_repositories_owner').on(table.ownerKind, table.ownerId),
    index('git_repositories_parent').on(table.parentId),
  ],
)

const repositoryId = () =>
  number('repository_id')
    .notNull()
    .references(() => gitRepositories.id, { onDelete: 'cascade' })

export const gitCollaborators = pgTable(
  'git_collaborators',
  {
    id: id(),
    repositoryId: repositoryId(),
    accountId: number('account_id').notNull(),
    permission: text('permission').$type<CollaboratorPermission>().notNull(),
  },
  (table) => [
    uniqueIndex('git_collaborators_both').on(table.repositoryId, table.accountId),
    index('git_collaborators_account').on(table.accountId),
  ],
)

export const gitPulls = pgTable(
  'git_pulls',
  {
    id: id(),
    repositoryId: repositoryId(),
    number: integer('number').notNull(),
    title: text('title').notNull(),
    body: text('body'),
    state: text('state').$type<PullRecord['state']>().notNull(),
    draft: boolean('draft').notNull(),
    authorId: number('author_id').notNull(),
    headRepositoryId: number('head_repository_id'),
    headLabel: text('head_label').notNull(),
    headRef: text('head_ref').notNull(),
    headSha: text('head_sha').notNull(),
    baseRef: text('base_ref').notNull(),
    baseSha: text('base_sha').notNull(),
    merged: boolean('merged').notNull(),
    mergedById: number('merged_by_id'),
    mergeCommitSha: text('merge_commit_sha'),
    insertedAt: insertedAt(),
    updatedAt: updatedAt(),
    closedAt: moment('closed_at'),
    mergedAt: moment('merged_at'),
  },
  (table) => [
    uniqueIndex('git_pulls_number').on(table.repositoryId, table.number),
    index('git_pulls_head').on(table.headRepositoryId, table.headRef),
  ],
)

const pullId = () =>
  number('pull_id')
    .notNull()
    .references(() => gitPulls.id, { onDelete: 'cascade' })

export const gitReviews = pgTable(
  'git_reviews',
  {
    id: id(),
    pullId: pullId(),
    authorId: number('author_id').notNull(),
    state: text('state').$type<ReviewState>().notNull(),
    body: text('body').notNull(),
    commitId: text('commit_id').notNull(),
    submittedAt: moment('submitted_at').notNull(),
  },
  (table) => [index('git_reviews_pull').on(table.pullId)],
)

export const gitReviewComments = pgTable(
  'git_review_comments',
  {
    id: id(),
    pullId: pullId(),
    reviewId: number('review_id').notNull(),
    authorId: number('author_id').notNull(),
    body: text('body').notNull(),
    path: text('path').notNull(),
    side: text('side').$type<Side>().notNull(),
    line: integer('line').notNull(),
    startLine: integer('start_line'),
    startSide: text('start_side').$type<Side>(),
    commitId: text('commit_id').notNull(),
    diffHunk: text('diff_hunk').notNull(),
    inReplyToId: number('in_reply_to_id'),
    insertedAt: insertedAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('git_review_comments_pull').on(table.pullId)],
)

export const gitIssueComments = pgTable(
  'git_issue_comments',
  {
    id: id(),
    pullId: pullId(),
    authorId: number('author_id').notNull(),
    body: text('body').notNull(),
    insertedAt: insertedAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('git_issue_comments_pull').on(table.pullId)],
)

export const gitReviewRequests = pgTable(
  'git_review_requests',
  { id: id(), pullId: pullId(), accountId: number('account_id').notNull(), insertedAt: insertedAt() },
  (table) => [uniqueIndex('git_review_requests_both').on(table.pullId, table.accountId)],
)

export const gitStatuses = pgTable(
  'git_statuses',
  {
    id: id(),
    repositoryId: repositoryId(),
    sha: text('sha').notNull(),
    state: text('state').$type<StatusRecord['state']>().notNull(),
    context: text('context').notNull(),
    description: text('description'),
    targetUrl: text('target_url'),
    creatorId: number('creator_id').notNull(),
    insertedAt: insertedAt(),
  },
  (table) => [index('git_statuses_sha').on(table.repositoryId, table.sha)],
)

export const gitCheckRuns = pgTable(
  'git_check_runs',
  {
    id: id(),
    repositoryId: repositoryId(),
    headSha: text('head_sha').notNull(),
    name: text('name').notNull(),
    status: text('status').$type<CheckRunRecord['status']>().notNull(),
    conclusion: text('conclusion'),
    detailsUrl: text('details_url'),
    title: text('title'),
    summary: text('summary'),
    startedAt: moment('started_at').notNull(),
    completedAt: moment('completed_at'),
  },
  (table) => [index('git_check_runs_sha').on(table.repositoryId, table.headSha)],
)

export const gitProtections = pgTable(
  'git_protections',
  { id: id(), repositoryId: repositoryId(), branch: text('branch').notNull() },
  (table) => [uniqueIndex('git_protections_branch').on(table.repositoryId, table.branch)],
)

export const gitHooks = pgTable(
  'git_hooks',
  {
    id: id(),
    repositoryId: repositoryId(),
    url: text('url').notNull(),
    secret: text('secret'),
    events: text('events').array().notNull(),
    active: boolean('active').notNull(),
    insertedAt: insertedAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('git_hooks_repository').on(table.repositoryId)],
)

/** Webhooks of the local git host on their way. */
export const gitDeliveries = pgTable(
  'git_deliveries',
  {
    id: id(),
    guid: uuid('guid').notNull(),
    hookId: number('hook_id')
      .notNull()
      .references(() => gitHooks.id, { onDelete: 'cascade' }),
    event: text('event').notNull(),
    action: text('action'),
    payload: text('payload').notNull(),
    attempts: integer('attempts').notNull(),
    nextAttemptAt: moment('next_attempt_at'),
    deliveredAt: moment('delivered_at'),
    statusCode: integer('status_code'),
    insertedAt: insertedAt(),
  },
  (table) => [index('git_deliveries_due').on(table.nextAttemptAt), index('git_deliveries_hook').on(table.hookId)],
)
