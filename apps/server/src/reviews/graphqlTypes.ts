import type { Builder } from '../graphql/builder.ts'
import type { RepositoryShape } from '../repositories/graphqlTypes.ts'
import type { UserRow } from '../accounts/graphqlTypes.ts'

export type GitHubAuthorAssociationValue =
  'collaborator' | 'contributor' | 'first_time_contributor' | 'first_timer' | 'mannequin' | 'member' | 'none' | 'owner'
export type GitHubPullRequestReviewCommentSideValue = 'left' | 'right'
export type GitHubPullRequestReviewCommentSubjectTypeValue = 'file' | 'line'
export type PullRequestReviewStateValue = 'approved' | 'changes_requested' | 'commented' | 'dismissed'
export type GitHubPullRequestReviewActionValue = 'approve' | 'comment' | 'request_changes'
export type GitHubPullRequestMergeMethodValue = 'merge' | 'rebase' | 'squash'
export type PullRequestCommentEventActionValue = 'created' | 'deleted' | 'edited'
export type PullRequestEventActionValue =
  'closed' | 'converted_to_draft' | 'opened' | 'ready_for_review' | 'review_request_removed' | 'review_requested'
export type PullRequestReviewCommentEventActionValue = 'created' | 'deleted' | 'edited'
export type PullRequestReviewEventActionValue = 'dismissed' | 'edited' | 'submitted'
export interface PullRequestShape {
  additions: number | null
  baseBranch: string
  baseRepository: RepositoryShape
  body: string | null
  changedFiles: number | null
  comments: GitHubPullRequestCommentShape[]
  commentsCount: number | null
  commitsCount: number | null
  creator: UserRow | null
  creatorUsername: string
  deletions: number | null
  draft: boolean
  headBranch: string
  headSha: string
  htmlUrl: string
  mergeable: boolean | null
  mergeableStatus: string | null
  number: number
  prClosedAt: Date | null
  prCreatedAt: Date | null
  prMergedAt: Date | null
  prUpdatedAt: Date
  requestedReviewers: GithubRequestedReviewerShape[]
  requestedTeams: GithubRequestedTeamShape[]
  reviewCommentsCount: number | null
  reviews: PullRequestReviewShape[]
  state: string
  title: string
}
export interface GitHubPullRequestCommentShape {
  authorAssociation: GitHubAuthorAssociationValue
  body: string
  createdAt: Date
  htmlUrl: string
  id: number
  issueId: number
  updatedAt: Date
  user: UserRow | null
  username: string
}
export interface GithubRequestedReviewerShape {
  requestedAt: Date | null
  user: UserRow | null
  username: string
}
export interface GithubRequestedTeamShape {
  name: string
  requestedAt: Date | null
}
export interface PullRequestReviewShape {
  body: string | null
  comments: GitHubPullRequestReviewCommentShape[]
  id: number
  state: PullRequestReviewStateValue
  submittedAt: Date | null
  syncedAt: Date | null
  user: UserRow | null
  username: string
}
export interface GitHubPullRequestReviewCommentShape {
  authorAssociation: GitHubAuthorAssociationValue
  body: string
  commitId: string
  createdAt: Date
  diffHunk: string
  htmlUrl: string
  id: number
  inReplyToId: number | null
  line: number | null
  originalCommitId: string
  originalLine: number | null
  originalStartLine: number | null
  path: string
  pullRequestReviewId: number | null
  side: GitHubPullRequestReviewCommentSideValue | null
  startLine: number | null
  startSide: GitHubPullRequestReviewCommentSideValue | null
  subjectType: GitHubPullRequestReviewCommentSubjectTypeValue | null
  updatedAt: Date
  user: UserRow | null
  username: string
}
export interface PullRequestCommentEventShape {
  __typename: 'PullRequestCommentEvent'
  action: PullRequestCommentEventActionValue
  comment: GitHubPullRequestCommentShape
  event: string
  pullRequest: PullRequestShape | null
}
export interface PullRequestEventShape {
  __typename: 'PullRequestEvent'
  action: PullRequestEventActionValue
  event: string
  pullRequest: PullRequestShape
}
export interface PullRequestReviewCommentEventShape {
  __typename: 'PullRequestReviewCommentEvent'
  action: PullRequestReviewCommentEventActionValue
  comment: GitHubPullRequestReviewCommentShape
  event: string
  pullRequest: PullRequestShape
}
export interface PullRequestReviewEventShape {
  __typename: 'PullRequestReviewEvent'
  action: PullRequestReviewEventActionValue
  event: string
  pullRequest: PullRequestShape
  review: PullRequestReviewShape
}
export type BranchEventShape =
  | PullRequestCommentEventShape
  | PullRequestEventShape
  | PullRequestReviewCommentEventShape
  | PullRequestReviewEventShape
export type ProjectEventShape =
  | PullRequestCommentEventShape
  | PullRequestEventShape
  | PullRequestReviewCommentEventShape
  | PullRequestReviewEventShape

/** The types of this domain, so that others can refer to them before they have fields. */
export function reviewsTypes(builder: Builder) {
  const gitHubAuthorAssociation = builder.enumType('GitHubAuthorAssociation', {
    values: {
      COLLABORATOR: { value: 'collaborator' },
      CONTRIBUTOR: { value: 'contributor' },
      FIRST_TIME_CONTRIBUTOR: { value: 'first_time_contributor' },
      FIRST_TIMER: { value: 'first_timer' },
      MANNEQUIN: { value: 'mannequin' },
      MEMBER: { value: 'member' },
      NONE: { value: 'none' },
      OWNER: { value: 'owner' },
    } satisfies Record<string, { value: GitHubAuthorAssociationValue }>,
  })
  const gitHubPullRequestReviewCommentSide = builder.enumType('GitHubPullRequestReviewCommentSide', {
    values: { LEFT: { value: 'left' }, RIGHT: { value: 'right' } } satisfies Record<
      string,
      { value: GitHubPullRequestReviewCommentSideValue }
    >,
  })
  const gitHubPullRequestReviewCommentSubjectType = builder.enumType('GitHubPullRequestReviewCommentSubjectType', {
    values: { FILE: { value: 'file' }, LINE: { value: 'line' } } satisfies Record<
      string,
      { value: GitHubPullRequestReviewCommentSubjectTypeValue }
    >,
  })
  const pullRequestReviewState = builder.enumType('PullRequestReviewState', {
    values: {
      APPROVED: { value: 'approved' },
      CHANGES_REQUESTED: { value: 'changes_requested' },
      COMMENTED: { value: 'commented' },
      DISMISSED: { value: 'dismissed' },
    } satisfies Record<string, { value: PullRequestReviewStateValue }>,
  })
  const gitHubPullRequestReviewAction = builder.enumType('GitHubPullRequestReviewAction', {
    values: {
      APPROVE: { value: 'approve' },
      COMMENT: { value: 'comment' },
      REQUEST_CHANGES: { value: 'request_changes' },
    } satisfies Record<string, { value: GitHubPullRequestReviewActionValue }>,
  })
  const gitHubPullRequestMergeMethod = builder.enumType('GitHubPullRequestMergeMethod', {
    values: { MERGE: { value: 'merge' }, REBASE: { value: 'rebase' }, SQUASH: { value: 'squash' } } satisfies Record<
      string,
      { value: GitHubPullRequestMergeMethodValue }
    >,
  })
  const pullRequestCommentEventAction = builder.enumType('PullRequestCommentEventAction', {
    values: {
      CREATED: { value: 'created' },
      DELETED: { value: 'deleted' },
      EDITED: { value: 'edited' },
    } satisfies Record<string, { value: PullRequestCommentEventActionValue }>,
  })
  const pullRequestEventAction = builder.enumType('PullRequestEventAction', {
    values: {
      CLOSED: { value: 'closed' },
      CONVERTED_TO_DRAFT: { value: 'converted_to_draft' },
      OPENED: { value: 'opened' },
      READY_FOR_REVIEW: { value: 'ready_for_review' },
      REVIEW_REQUEST_REMOVED: { value: 'review_request_removed' },
      REVIEW_REQUESTED: { value: 'review_requested' },
    } satisfies Record<string, { value: PullRequestEventActionValue }>,
  })
  const pullRequestReviewCommentEventAction = builder.enumType('PullRequestReviewCommentEventAction', {
    values: {
      CREATED: { value: 'created' },
      DELETED: { value: 'deleted' },
      EDITED: { value: 'edited' },
    } satisfies Record<string, { value: PullRequestReviewCommentEventActionValue }>,
  })
  const pullRequestReviewEventAction = builder.enumType('PullRequestReviewEventAction', {
    values: {
      DISMISSED: { value: 'dismissed' },
      EDITED: { value: 'edited' },
      SUBMITTED: { value: 'submitted' },
    } satisfies Record<string, { value: PullRequestReviewEventActionValue }>,
  })
  const githubPullRequestReviewCommentInput = builder.inputType('GithubPullRequestReviewCommentInput', {
    fields: (t) => ({
      body: t.field({ type: 'String', required: true }),
      line: t.field({ type: 'Int', required: true }),
      path: t.field({ type: 'String', required: true }),
      side: t.field({ type: gitHubPullRequestReviewCommentSide, required: true }),
      startLine: t.field({ type: 'Int' }),
      startSide: t.field({ type: gitHubPullRequestReviewCommentSide }),
    }),
  })
  const pullRequest = builder.objectRef<PullRequestShape>('PullRequest')
  const gitHubPullRequestComment = builder.objectRef<GitHubPullRequestCommentShape>('GitHubPullRequestComment')
  const githubRequestedReviewer = builder.objectRef<GithubRequestedReviewerShape>('GithubRequestedReviewer')
  const githubRequestedTeam = builder.objectRef<GithubRequestedTeamShape>('GithubRequestedTeam')
  const pullRequestReview = builder.objectRef<PullRequestReviewShape>('PullRequestReview')
  const gitHubPullRequestReviewComment = builder.objectRef<GitHubPullRequestReviewCommentShape>(
    'GitHubPullRequestReviewComment',
  )
  const pullRequestCommentEvent = builder.objectRef<PullRequestCommentEventShape>('PullRequestCommentEvent')
  const pullRequestEvent = builder.objectRef<PullRequestEventShape>('PullRequestEvent')
  const pullRequestReviewCommentEvent = builder.objectRef<PullRequestReviewCommentEventShape>(
    'PullRequestReviewCommentEvent',
  )
  const pullRequestReviewEvent = builder.objectRef<PullRequestReviewEventShape>('PullRequestReviewEvent')
  const branchEvent = builder.unionType('BranchEvent', {
    types: [pullRequestCommentEvent, pullRequestEvent, pullRequestReviewCommentEvent, pullRequestReviewEvent],
    resolveType: ({ __typename }) => __typename,
  })
  const projectEvent = builder.unionType('ProjectEvent', {
    types: [pullRequestCommentEvent, pullRequestEvent, pullRequestReviewCommentEvent, pullRequestReviewEvent],
    resolveType: ({ __typename }) => __typename,
  })
  return {
    gitHubAuthorAssociation,
    gitHubPullRequestReviewCommentSide,
    gitHubPullRequestReviewCommentSubjectType,
    pullRequestReviewState,
    gitHubPullRequestReviewAction,
    gitHubPullRequestMergeMethod,
    pullRequestCommentEventAction,
    pullRequestEventAction,
    pullRequestReviewCommentEventAction,
    pullRequestReviewEventAction,
    githubPullRequestReviewCommentInput,
    pullRequest,
    gitHubPullRequestComment,
    githubRequestedReviewer,
    githubRequestedTeam,
    pullRequestReview,
    gitHubPullRequestReviewComment,
    pullRequestCommentEvent,
    pullRequestEvent,
    pullRequestReviewCommentEvent,
    pullRequestReviewEvent,
    branchEvent,
    projectEvent,
  }
}
