/** A repository of a git host, by owner and name. */
export interface RepositoryName {
  owner: string
  name: string
}

export interface HostUser {
  id: number
  login: string
  avatarUrl: string
}

export interface HostOrganization extends HostUser {
  description: string | null
}

export interface Viewer extends HostUser {
  name: string | null
  /** What the token may do, as the host says it. */
  scopes: string[]
}

export type HostPermission = 'ADMIN' | 'WRITE' | 'READ' | 'NONE'

export interface HostRepository extends RepositoryName {
  id: number
  ownerIsOrganization: boolean
  ownerId: number
  ownerAvatarUrl: string
  description: string | null
  private: boolean
  fork: boolean
  archived: boolean
  isTemplate: boolean
  allowForking: boolean
  defaultBranch: string
  permission: HostPermission
  cloneUrl: string
  parent: (RepositoryName & { defaultBranch: string }) | null
  createdAt: Date
  updatedAt: Date
  pushedAt: Date
}

export interface HostBranch {
  name: string
  sha: string
  protected: boolean
}

export interface HostPull {
  id: number
  number: number
  title: string
  body: string | null
  state: 'open' | 'closed'
  draft: boolean
  merged: boolean
  author: HostUser
  htmlUrl: string
  headBranch: string
  headSha: string
  /** Null when the repository of the head is gone. */
  headRepository: RepositoryName | null
  baseBranch: string
  baseSha: string
  mergeable: boolean | null
  mergeableState: string | null
  mergeCommitSha: string | null
  additions: number | null
  deletions: number | null
  changedFiles: number | null
  commits: number | null
  comments: number | null
  reviewComments: number | null
  requestedReviewers: HostUser[]
  requestedTeams: string[]
  createdAt: Date
  updatedAt: Date
  closedAt: Date | null
  mergedAt: Date | null
}

export type HostReviewState = 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED'

export interface HostReview {
  id: number
  author: HostUser
  body: string
  state: HostReviewState
  commitId: string | null
  submittedAt: Date | null
}

export type DiffSide = 'LEFT' | 'RIGHT'

export interface HostReviewComment {
  id: number
  reviewId: number | null
  author: HostUser
  authorAssociation: string
  body: string
  path: string
  line: number | null
  originalLine: number | null
  startLine: number | null
  originalStartLine: number | null
  side: DiffSide | null
  startSide: DiffSide | null
  subjectType: 'file' | 'line'
  commitId: string
  originalCommitId: string
  diffHunk: string
  inReplyToId: number | null
  htmlUrl: string
  createdAt: Date
  updatedAt: Date
}

export interface HostComment {
  id: number
  author: HostUser
  authorAssociation: string
  body: string
  issueId: number
  htmlUrl: string
  createdAt: Date
  updatedAt: Date
}

export interface HostFile {
  path: string
  previousPath: string | null
  status: string
  additions: number
  deletions: number
  patch: string | null
}

/** A file of a commit. */
export interface HostTreeFile {
  path: string
  /** Of its content, as git counts it. */
  sha: string
  mode: '100644' | '100755' | '120000'
}

export interface HostComparison {
  baseSha: string
  headSha: string
  files: HostFile[]
}

export interface HostCheck {
  name: string
  state: 'pending' | 'success' | 'failure'
  description: string | null
  url: string | null
}

export interface Page<T> {
  items: T[]
  /** Null on the last page. */
  nextPage: number | null
}

export interface ListOptions {
  page?: number
  perPage?: number
  sort?: 'created' | 'updated' | 'pushed' | 'full_name'
}

export type RepositoryAffiliation = 'owner' | 'collaborator' | 'organization_member'

export interface ReviewInput {
  event: 'APPROVE' | 'COMMENT' | 'REQUEST_CHANGES'
  body: string
  commitId?: string
  comments: readonly {
    path: string
    body: string
    line: number
    side: DiffSide
    startLine?: number
    startSide?: DiffSide
  }[]
}

/** What someone can do at a git host with one credential. Every method rejects with GitHostFailure. */
export interface GitHost {
  viewer(): Promise<Viewer>
  organizations(): Promise<HostOrganization[]>
  repositories(options: ListOptions & { affiliations: readonly RepositoryAffiliation[] }): Promise<Page<HostRepository>>
  organizationRepositories(organization: string, options: ListOptions): Promise<Page<HostRepository>>
  searchRepositories(query: string, options: ListOptions): Promise<Page<HostRepository>>
  /** Null for one that does not exist or may not be seen. */
  repository(repository: RepositoryName): Promise<HostRepository | null>
  createRepository(values: {
    organization: string | null
    name: string
    description: string | null
    private: boolean
    /** Whether it begins with a commit, so that others can be made on top of it. */
    initialCommit?: boolean
  }): Promise<HostRepository>
  fork(
    repository: RepositoryName,
    options: { organization: string | null; name: string | null },
  ): Promise<HostRepository>
  /**
   * Tells which repositories of these owners the platform's app is installed for. Null where whoever asks did so without an app, so that there is
   * none to install.
   */
  appInstallations(owners: readonly string[]): Promise<((repository: RepositoryName) => boolean) | null>

  branches(repository: RepositoryName): Promise<HostBranch[]>
  branch(repository: RepositoryName, name: string): Promise<HostBranch | null>
  createBranch(repository: RepositoryName, name: string, sha: string): Promise<void>
  renameBranch(repository: RepositoryName, name: string, newName: string): Promise<void>
  removeBranch(repository: RepositoryName, name: string): Promise<void>

  /** Moves a branch on to a commit that comes after the one it is at. */
  moveBranch(repository: RepositoryName, name: string, sha: string): Promise<void>
  /** Every file of a commit. */
  files(repository: RepositoryName, commitSha: string): Promise<HostTreeFile[]>
  /** What the files with this content hold. */
  content(repository: RepositoryName, sha: string): Promise<Buffer>
  /** What changed from where two commits or branches parted to the second of them. */
  compare(repository: RepositoryName, base: string, head: string): Promise<HostComparison>
  /** Makes a commit that no branch has yet and returns its id. Without `keep` it has nothing of its first parent's files. */
  createCommit(
    repository: RepositoryName,
    commit: {
      message: string
      parents: readonly string[]
      keep: boolean
      /** No content removes a file. */
      changes: readonly { path: string; mode: HostTreeFile['mode']; content: Buffer | null }[]
    },
  ): Promise<string>

  /** Newest first. */
  pulls(
    repository: RepositoryName,
    options: ListOptions & { state?: 'open' | 'closed' | 'all'; head?: string; base?: string },
  ): Promise<Page<HostPull>>
  pull(repository: RepositoryName, number: number): Promise<HostPull>
  createPull(
    repository: RepositoryName,
    values: { title: string; body: string; head: string; base: string; draft: boolean },
  ): Promise<HostPull>
  updatePull(
    repository: RepositoryName,
    number: number,
    change: { title?: string; body?: string; state?: 'open' | 'closed'; base?: string },
  ): Promise<HostPull>
  /** Makes a draft of a pull request, or ends that. */
  setDraft(repository: RepositoryName, number: number, draft: boolean): Promise<HostPull>
  /** The commit the base branch is at afterwards. */
  mergePull(
    repository: RepositoryName,
    number: number,
    options: { method: 'merge' | 'squash' | 'rebase'; sha?: string },
  ): Promise<string>
  pullFiles(repository: RepositoryName, number: number): Promise<HostFile[]>

  reviews(repository: RepositoryName, number: number): Promise<HostReview[]>
  createReview(repository: RepositoryName, number: number, review: ReviewInput): Promise<HostReview>
  updateReview(repository: RepositoryName, number: number, reviewId: number, body: string): Promise<HostReview>
  dismissReview(repository: RepositoryName, number: number, reviewId: number, message: string): Promise<HostReview>
  reviewComments(repository: RepositoryName, number: number): Promise<HostReviewComment[]>
  replyToReviewComment(
    repository: RepositoryName,
    number: number,
    commentId: number,
    body: string,
  ): Promise<HostReviewComment>
  updateReviewComment(repository: RepositoryName, commentId: number, body: string): Promise<HostReviewComment>
  removeReviewComment(repository: RepositoryName, commentId: number): Promise<void>
  comments(repository: RepositoryName, number: number): Promise<HostComment[]>
  requestReviewers(repository: RepositoryName, number: number, logins: readonly string[]): Promise<HostUser[]>
  removeRequestedReviewers(repository: RepositoryName, number: number, logins: readonly string[]): Promise<HostUser[]>
  checks(repository: RepositoryName, sha: string): Promise<HostCheck[]>

  /** The id of the webhook. One for the same address that exists already is kept. */
  createWebhook(
    repository: RepositoryName,
    hook: { url: string; secret: string; events: readonly string[] },
  ): Promise<number>
  removeWebhook(repository: RepositoryName, id: number): Promise<void>
}
