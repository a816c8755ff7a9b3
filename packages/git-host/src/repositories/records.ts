/** What the local git host keeps about repositories besides what git keeps. Every record has a positive integer as its id. */
export interface RepositoryRecord {
  id: number
  /** `owner/name` in lower case: unique. */
  key: string
  ownerKind: 'account' | 'organization'
  ownerId: number
  ownerLogin: string
  name: string
  description: string | null
  private: boolean
  /** What it is a fork of. */
  parentId: number | null
  defaultBranch: string
  archived: boolean
  /** The number of the next pull request. */
  nextNumber: number
  pushedAt: Date
  insertedAt: Date
  updatedAt: Date
}

export interface OrganizationRecord {
  id: number
  login: string
  /** Login in lower case: unique. */
  key: string
  name: string | null
  description: string | null
  insertedAt: Date
}

export interface MembershipRecord {
  id: number
  organizationId: number
  accountId: number
  role: 'admin' | 'member'
}

export type CollaboratorPermission = 'read' | 'write' | 'admin'
export interface CollaboratorRecord {
  id: number
  repositoryId: number
  accountId: number
  permission: CollaboratorPermission
}

export interface PullRecord {
  id: number
  repositoryId: number
  number: number
  title: string
  body: string | null
  state: 'open' | 'closed'
  draft: boolean
  authorId: number
  headRepositoryId: number | null
  /** `owner:branch` stays readable when the repository of the head is gone. */
  headLabel: string
  headRef: string
  headSha: string
  baseRef: string
  /** Where the base branch was when it was opened, or when it was merged. */
  baseSha: string
  merged: boolean
  mergedById: number | null
  mergeCommitSha: string | null
  insertedAt: Date
  updatedAt: Date
  closedAt: Date | null
  mergedAt: Date | null
}

export type ReviewState = 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED'
export interface ReviewRecord {
  id: number
  pullId: number
  authorId: number
  state: ReviewState
  body: string
  commitId: string
  submittedAt: Date
}

export type Side = 'LEFT' | 'RIGHT'
export interface ReviewCommentRecord {
  id: number
  pullId: number
  reviewId: number
  authorId: number
  body: string
  path: string
  side: Side
  line: number
  startLine: number | null
  startSide: Side | null
  commitId: string
  diffHunk: string
  inReplyToId: number | null
  insertedAt: Date
  updatedAt: Date
}

export interface IssueCommentRecord {
  id: number
  pullId: number
  authorId: number
  body: string
  insertedAt: Date
  updatedAt: Date
}

export interface ReviewRequestRecord {
  id: number
  pullId: number
  accountId: number
  insertedAt: Date
}

export interface StatusRecord {
  id: number
  repositoryId: number
  sha: string
  state: 'error' | 'failure' | 'pending' | 'success'
  context: string
  description: string | null
  targetUrl: string | null
  creatorId: number
  insertedAt: Date
}

export interface CheckRunRecord {
  id: number
  repositoryId: number
  headSha: string
  name: string
  status: 'queued' | 'in_progress' | 'completed'
  conclusion: string | null
  detailsUrl: string | null
  title: string | null
  summary: string | null
  startedAt: Date
  completedAt: Date | null
}

export interface ProtectionRecord {
  id: number
  repositoryId: number
  branch: string
}

export interface HookRecord {
  id: number
  repositoryId: number
  url: string
  secret: string | null
  events: string[]
  active: boolean
  insertedAt: Date
  updatedAt: Date
}

/** An event on its way to a hook. Written together with what it tells, so that it survives any end of the process. */
export interface DeliveryRecord {
  id: number
  guid: string
  hookId: number
  event: string
  action: string | null
  payload: string
  attempts: number
  /** Null once it was delivered or given up. */
  nextAttemptAt: Date | null
  deliveredAt: Date | null
  statusCode: number | null
  insertedAt: Date
}
