import type {
  DiffSide,
  HostBranch,
  HostComment,
  HostFile,
  HostOrganization,
  HostPermission,
  HostPull,
  HostRepository,
  HostReview,
  HostReviewComment,
  HostReviewState,
  HostUser,
} from './gitHost.ts'

/*
 * GitHub's shapes as far as we read them. Its lists leave out what its single answers have, so most members may be missing.
 */
interface UserShape {
  id: number
  login: string
  avatar_url: string
}
interface RepositoryShape {
  id: number
  name: string
  owner: (UserShape & { type?: string }) | null
  description: string | null
  private: boolean
  fork: boolean
  archived?: boolean
  is_template?: boolean
  allow_forking?: boolean
  default_branch?: string
  clone_url?: string
  permissions?: { admin?: boolean; push?: boolean; pull?: boolean }
  parent?: { name: string; owner: { login: string } | null; default_branch?: string }
  created_at?: string | null
  updated_at?: string | null
  pushed_at?: string | null
}

const ghost: UserShape = { id: 0, login: 'ghost', avatar_url: '' }

export function readUser(user: UserShape | null | undefined): HostUser {
  const { id, login, avatar_url: avatarUrl } = user ?? ghost
  return { id, login, avatarUrl }
}

export function readOrganization(organization: UserShape & { description?: string | null }): HostOrganization {
  return { ...readUser(organization), description: organization.description ?? null }
}

function permissionOf(permissions: RepositoryShape['permissions'], isPrivate: boolean): HostPermission {
  if (permissions?.admin) return 'ADMIN'
  if (permissions?.push) return 'WRITE'
  return permissions?.pull || !isPrivate ? 'READ' : 'NONE'
}

export function readRepository(repository: RepositoryShape): HostRepository {
  const owner = readUser(repository.owner)
  const created = date(repository.created_at) ?? new Date(0)
  const { parent } = repository
  return {
    id: repository.id,
    owner: owner.login,
    ownerId: owner.id,
    ownerAvatarUrl: owner.avatarUrl,
    ownerIsOrganization: repository.owner?.type === 'Organization',
    name: repository.name,
    description: repository.description,
    private: repository.private,
    fork: repository.fork,
    archived: repository.archived ?? false,
    isTemplate: repository.is_template ?? false,
    allowForking: repository.allow_forking ?? true,
    defaultBranch: repository.default_branch ?? 'main',
    permission: permissionOf(repository.permissions, repository.private),
    cloneUrl: repository.clone_url ?? '',
    parent: parent?.owner
      ? { owner: parent.owner.login, name: parent.name, defaultBranch: parent.default_branch ?? 'main' }
      : null,
    createdAt: created,
    updatedAt: date(repository.updated_at) ?? created,
    pushedAt: date(repository.pushed_at) ?? created,
  }
}

export function readBranch(branch: { name: string; commit: { sha: string }; protected: boolean }): HostBranch {
  return { name: branch.name, sha: branch.commit.sha, protected: branch.protected }
}

interface PullShape {
  id: number
  number: number
  title: string
  body: string | null
  state: string
  draft?: boolean
  merged?: boolean
  user: UserShape | null
  html_url: string
  head: { ref: string; sha: string; repo: { name: string; owner: { login: string } } | null }
  base: { ref: string; sha: string }
  mergeable?: boolean | null
  mergeable_state?: string
  merge_commit_sha: string | null
  additions?: number
  deletions?: number
  changed_files?: number
  commits?: number
  comments?: number
  review_comments?: number
  requested_reviewers?: (UserShape | { name: string })[] | null
  requested_teams?: { name: string }[] | null
  created_at: string
  updated_at: string
  closed_at: string | null
  merged_at: string | null
}

export function readPull(pull: PullShape): HostPull {
  const { head } = pull
  return {
    id: pull.id,
    number: pull.number,
    title: pull.title,
    body: pull.body,
    state: pull.state === 'open' ? 'open' : 'closed',
    draft: pull.draft ?? false,
    merged: pull.merged ?? pull.merged_at !== null,
    author: readUser(pull.user),
    htmlUrl: pull.html_url,
    headBranch: head.ref,
    headSha: head.sha,
    headRepository: head.repo && { owner: head.repo.owner.login, name: head.repo.name },
    baseBranch: pull.base.ref,
    baseSha: pull.base.sha,
    mergeable: pull.mergeable ?? null,
    mergeableState: pull.mergeable_state ?? null,
    mergeCommitSha: pull.merge_commit_sha,
    additions: pull.additions ?? null,
    deletions: pull.deletions ?? null,
    changedFiles: pull.changed_files ?? null,
    commits: pull.commits ?? null,
    comments: pull.comments ?? null,
    reviewComments: pull.review_comments ?? null,
    requestedReviewers: (pull.requested_reviewers ?? []).flatMap((user) => ('login' in user ? [readUser(user)] : [])),
    requestedTeams: (pull.requested_teams ?? []).map(({ name }) => name),
    createdAt: new Date(pull.created_at),
    updatedAt: new Date(pull.updated_at),
    closedAt: date(pull.closed_at),
    mergedAt: date(pull.merged_at),
  }
}

export function readReview(review: {
  id: number
  user: UserShape | null
  body: string | null
  state: string
  commit_id: string | null
  submitted_at?: string
}): HostReview {
  return {
    id: review.id,
    author: readUser(review.user),
    body: review.body ?? '',
    state: review.state as HostReviewState,
    commitId: review.commit_id,
    submittedAt: date(review.submitted_at),
  }
}

export function readReviewComment(comment: {
  id: number
  pull_request_review_id: number | null
  user: UserShape | null
  author_association: string
  body: string
  path: string
  line?: number | null
  original_line?: number | null
  start_line?: number | null
  original_start_line?: number | null
  side?: string | null
  start_side?: string | null
  subject_type?: string
  commit_id: string
  original_commit_id: string
  diff_hunk: string
  in_reply_to_id?: number
  html_url: string
  created_at: string
  updated_at: string
}): HostReviewComment {
  return {
    id: comment.id,
    reviewId: comment.pull_request_review_id,
    author: readUser(comment.user),
    authorAssociation: comment.author_association,
    body: comment.body,
    path: comment.path,
    line: comment.line ?? null,
    originalLine: comment.original_line ?? null,
    startLine: comment.start_line ?? null,
    originalStartLine: comment.original_start_line ?? null,
    side: (comment.side ?? null) as DiffSide | null,
    startSide: (comment.start_side ?? null) as DiffSide | null,
    subjectType: comment.subject_type === 'file' ? 'file' : 'line',
    commitId: comment.commit_id,
    originalCommitId: comment.original_commit_id,
    diffHunk: comment.diff_hunk,
    inReplyToId: comment.in_reply_to_id ?? null,
    htmlUrl: comment.html_url,
    createdAt: new Date(comment.created_at),
    updatedAt: new Date(comment.updated_at),
  }
}

export function readComment(
  comment: {
    id: number
    user: UserShape | null
    author_association?: string
    body?: string
    html_url: string
    created_at: string
    updated_at: string
  },
  issueId: number,
): HostComment {
  return {
    id: comment.id,
    author: readUser(comment.user),
    authorAssociation: comment.author_association ?? 'NONE',
    body: comment.body ?? '',
    issueId,
    htmlUrl: comment.html_url,
    createdAt: new Date(comment.created_at),
    updatedAt: new Date(comment.updated_at),
  }
}

export function readFile(file: {
  filename: string
  previous_filename?: string
  status: string
  additions: number
  deletions: number
  patch?: string
}): HostFile {
  return {
    path: file.filename,
    previousPath: file.previous_filename ?? null,
    status: file.status,
    additions: file.additions,
    deletions: file.deletions,
    patch: file.patch ?? null,
  }
}

function date(text: string | null | undefined): Date | null {
  return text == null ? null : new Date(text)
}
