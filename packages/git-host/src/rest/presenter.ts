import type { Commit } from '../git/commits.ts'
import type { FileDiff } from '../git/fileDiffs.ts'
import { allows } from '../repositories/permissions.ts'
import type { Permission } from '../repositories/permissions.ts'
import type {
  CheckRunRecord,
  HookRecord,
  IssueCommentRecord,
  OrganizationRecord,
  PullRecord,
  RepositoryRecord,
  ReviewCommentRecord,
  ReviewRecord,
  StatusRecord,
} from '../repositories/records.ts'
import type { GitAccount } from '../storage.ts'
import type { HostParts } from './hostParts.ts'

/** A moment as GitHub writes it: to the second. */
export function moment(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z')
}

/** An account in GitHub's shape, as it is named inside other answers. */
export function presentSimpleUser(account: Pick<GitAccount, 'id' | 'login' | 'administrator'>, publicUrl: string) {
  return {
    login: account.login,
    id: account.id,
    node_id: Buffer.from(`User:${account.id}`).toString('base64'),
    avatar_url: `${publicUrl}/avatars/${account.id}/${account.login.slice(0, 1)}`,
    url: `${publicUrl}/api/v3/users/${account.login}`,
    html_url: `${publicUrl}/${account.login}`,
    type: 'User',
    site_admin: account.administrator,
  }
}

const ghost = { id: 0, login: 'ghost', administrator: false }

/** Records in the shapes of GitHub's REST API. */
export class Presenter {
  readonly #parts: HostParts

  constructor(parts: HostParts) {
    this.#parts = parts
  }

  /** The accounts of these ids; one that is gone is shown as the ghost. */
  async users(ids: readonly (number | null)[]) {
    const accounts = await this.#parts.storage.findAccounts([...new Set(ids.filter((id) => id !== null))])
    const byId = new Map(accounts.map((account) => [account.id, account]))
    return (id: number | null) => presentSimpleUser(byId.get(id ?? 0) ?? ghost, this.#parts.publicUrl)
  }

  organization(organization: OrganizationRecord) {
    const { apiUrl, publicUrl } = this.#parts
    return {
      login: organization.login,
      id: organization.id,
      node_id: Buffer.from(`Organization:${organization.id}`).toString('base64'),
      url: `${apiUrl}/orgs/${organization.login}`,
      repos_url: `${apiUrl}/orgs/${organization.login}/repos`,
      html_url: `${publicUrl}/${organization.login}`,
      avatar_url: `${publicUrl}/avatars/${organization.id}/${organization.login.slice(0, 1)}`,
      description: organization.description,
      name: organization.name,
      type: 'Organization',
    }
  }

  owner(repository: RepositoryRecord) {
    const { ownerId: id, ownerLogin: login, ownerKind } = repository
    const shown = presentSimpleUser({ id, login, administrator: false }, this.#parts.publicUrl)
    return ownerKind === 'organization' ? { ...shown, type: 'Organization' } : shown
  }

  repository(repository: RepositoryRecord, permission: Permission) {
    const { apiUrl, publicUrl } = this.#parts
    const fullName = `${repository.ownerLogin}/${repository.name}`
    return {
      id: repository.id,
      node_id: Buffer.from(`Repository:${repository.id}`).toString('base64'),
      name: repository.name,
      full_name: fullName,
      private: repository.private,
      visibility: repository.private ? 'private' : 'public',
      owner: this.owner(repository),
      html_url: `${publicUrl}/${fullName}`,
      description: repository.description,
      fork: repository.parentId !== null,
      url: `${apiUrl}/repos/${fullName}`,
      clone_url: `${publicUrl}/${fullName}.git`,
      default_branch: repository.defaultBranch,
      archived: repository.archived,
      disabled: false,
      is_template: false,
      allow_forking: true,
      has_issues: false,
      created_at: moment(repository.insertedAt),
      updated_at: moment(repository.updatedAt),
      pushed_at: moment(repository.pushedAt),
      permissions: {
        admin: allows(permission, 'admin'),
        maintain: allows(permission, 'admin'),
        push: allows(permission, 'write'),
        triage: allows(permission, 'write'),
        pull: allows(permission, 'read'),
      },
    }
  }

  commit(repository: RepositoryRecord, commit: Commit) {
    const { apiUrl, publicUrl } = this.#parts
    const base = `${apiUrl}/repos/${repository.ownerLogin}/${repository.name}`
    const person = ({ name, email, date }: Commit['author']) => ({ name, email, date: moment(date) })
    return {
      sha: commit.sha,
      node_id: Buffer.from(`Commit:${commit.sha}`).toString('base64'),
      url: `${base}/commits/${commit.sha}`,
      html_url: `${publicUrl}/${repository.ownerLogin}/${repository.name}/commit/${commit.sha}`,
      commit: {
        author: person(commit.author),
        committer: person(commit.committer),
        message: commit.message,
        tree: { sha: commit.tree, url: `${base}/git/trees/${commit.tree}` },
        url: `${base}/git/commits/${commit.sha}`,
        comment_count: 0,
      },
      author: null,
      committer: null,
      parents: commit.parents.map((sha) => ({ sha, url: `${base}/commits/${sha}` })),
    }
  }

  file(file: FileDiff) {
    return {
      sha: file.sha,
      filename: file.path,
      status: file.status,
      additions: file.additions,
      deletions: file.deletions,
      changes: file.additions + file.deletions,
      ...(file.previousPath === null ? {} : { previous_filename: file.previousPath }),
      ...(file.patch === null ? {} : { patch: file.patch }),
    }
  }

  /** `repository` is the base; `head` is null when the repository of the head is gone. */
  async pull(pull: PullRecord, repository: RepositoryRecord, head: RepositoryRecord | null) {
    const { storage, apiUrl, publicUrl } = this.#parts
    const requests = await storage.reviewRequests.find({ pullId: pull.id })
    const user = await this.users([pull.authorId, pull.mergedById, ...requests.map(({ accountId }) => accountId)])
    const fullName = `${repository.ownerLogin}/${repository.name}`
    const end = (record: RepositoryRecord | null, label: string, ref: string, sha: string) => ({
      label,
      ref,
      sha,
      user: record && this.owner(record),
      repo: record && this.repository(record, 'read'),
    })
    return {
      id: pull.id,
      node_id: Buffer.from(`PullRequest:${pull.id}`).toString('base64'),
      number: pull.number,
      url: `${apiUrl}/repos/${fullName}/pulls/${pull.number}`,
      html_url: `${publicUrl}/${fullName}/pull/${pull.number}`,
      diff_url: `${publicUrl}/${fullName}/pull/${pull.number}.diff`,
      issue_url: `${apiUrl}/repos/${fullName}/issues/${pull.number}`,
      state: pull.state,
      locked: false,
      title: pull.title,
      user: user(pull.authorId),
      body: pull.body,
      draft: pull.draft,
      created_at: moment(pull.insertedAt),
      updated_at: moment(pull.updatedAt),
      closed_at: pull.closedAt && moment(pull.closedAt),
      merged_at: pull.mergedAt && moment(pull.mergedAt),
      merge_commit_sha: pull.mergeCommitSha,
      requested_reviewers: requests.map(({ accountId }) => user(accountId)),
      requested_teams: [],
      labels: [],
      assignees: [],
      head: end(head, pull.headLabel, pull.headRef, pull.headSha),
      base: end(repository, `${repository.ownerLogin}:${pull.baseRef}`, pull.baseRef, pull.baseSha),
      author_association: pull.authorId === repository.ownerId ? 'OWNER' : 'CONTRIBUTOR',
      merged: pull.merged,
      merged_by: pull.mergedById === null ? null : user(pull.mergedById),
    }
  }

  async reviews(reviews: readonly ReviewRecord[], pull: PullRecord, repository: RepositoryRecord) {
    const user = await this.users(reviews.map(({ authorId }) => authorId))
    const page = `${this.#parts.publicUrl}/${repository.ownerLogin}/${repository.name}/pull/${pull.number}`
    return reviews.map((review) => ({
      id: review.id,
      node_id: Buffer.from(`Review:${review.id}`).toString('base64'),
      user: user(review.authorId),
      body: review.body,
      state: review.state,
      html_url: `${page}#pullrequestreview-${review.id}`,
      commit_id: review.commitId,
      submitted_at: moment(review.submittedAt),
      author_association: review.authorId === repository.ownerId ? 'OWNER' : 'COLLABORATOR',
    }))
  }

  async reviewComments(comments: readonly ReviewCommentRecord[], pull: PullRecord, repository: RepositoryRecord) {
    const user = await this.users(comments.map(({ authorId }) => authorId))
    const page = `${this.#parts.publicUrl}/${repository.ownerLogin}/${repository.name}/pull/${pull.number}`
    return comments.map((comment) => ({
      id: comment.id,
      node_id: Buffer.from(`ReviewComment:${comment.id}`).toString('base64'),
      pull_request_review_id: comment.reviewId,
      user: user(comment.authorId),
      body: comment.body,
      path: comment.path,
      diff_hunk: comment.diffHunk,
      commit_id: pull.headSha,
      original_commit_id: comment.commitId,
      // A line of a commit that is no longer the head may be elsewhere now.
      line: comment.commitId === pull.headSha ? comment.line : null,
      original_line: comment.line,
      start_line: comment.startLine,
      original_start_line: comment.startLine,
      side: comment.side,
      start_side: comment.startSide,
      subject_type: 'line',
      ...(comment.inReplyToId === null ? {} : { in_reply_to_id: comment.inReplyToId }),
      html_url: `${page}#discussion_r${comment.id}`,
      created_at: moment(comment.insertedAt),
      updated_at: moment(comment.updatedAt),
      author_association: comment.authorId === repository.ownerId ? 'OWNER' : 'COLLABORATOR',
    }))
  }

  async issueComments(comments: readonly IssueCommentRecord[], pull: PullRecord, repository: RepositoryRecord) {
    const user = await this.users(comments.map(({ authorId }) => authorId))
    const fullName = `${repository.ownerLogin}/${repository.name}`
    return comments.map((comment) => ({
      id: comment.id,
      node_id: Buffer.from(`IssueComment:${comment.id}`).toString('base64'),
      user: user(comment.authorId),
      body: comment.body,
      issue_url: `${this.#parts.apiUrl}/repos/${fullName}/issues/${pull.number}`,
      html_url: `${this.#parts.publicUrl}/${fullName}/pull/${pull.number}#issuecomment-${comment.id}`,
      created_at: moment(comment.insertedAt),
      updated_at: moment(comment.updatedAt),
      author_association: comment.authorId === repository.ownerId ? 'OWNER' : 'COLLABORATOR',
    }))
  }

  status(status: StatusRecord) {
    return {
      id: status.id,
      state: status.state,
      description: status.description,
      target_url: status.targetUrl,
      context: status.context,
      created_at: moment(status.insertedAt),
      updated_at: moment(status.insertedAt),
    }
  }

  checkRun(run: CheckRunRecord) {
    return {
      id: run.id,
      head_sha: run.headSha,
      name: run.name,
      status: run.status,
      conclusion: run.conclusion,
      details_url: run.detailsUrl,
      started_at: moment(run.startedAt),
      completed_at: run.completedAt && moment(run.completedAt),
      output: { title: run.title, summary: run.summary, annotations_count: 0 },
    }
  }

  /** The secret is never shown again. */
  hook(hook: HookRecord) {
    return {
      type: 'Repository',
      id: hook.id,
      name: 'web',
      active: hook.active,
      events: hook.events,
      config: {
        url: hook.url,
        content_type: 'json',
        insecure_ssl: '0',
        ...(hook.secret === null ? {} : { secret: '********' }),
      },
      created_at: moment(hook.insertedAt),
      updated_at: moment(hook.updatedAt),
    }
  }
}
