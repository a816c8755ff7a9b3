import type { Builder } from '../graphql/builder.ts'
import type { GraphqlTypes } from '../graphql/types.ts'

/** What the query API says about reviews. */
export function defineReviews(builder: Builder, types: GraphqlTypes): void {
  types.pullRequest.implement({
    fields: (t) => ({
      additions: t.expose('additions', { type: 'Int', nullable: true }),
      baseBranch: t.expose('baseBranch', { type: 'String', nullable: false }),
      baseRepository: t.expose('baseRepository', { type: types.repository, nullable: false }),
      body: t.expose('body', { type: 'String', nullable: true }),
      changedFiles: t.expose('changedFiles', { type: 'Int', nullable: true }),
      comments: t.expose('comments', { type: [types.gitHubPullRequestComment], nullable: false }),
      commentsCount: t.expose('commentsCount', { type: 'Int', nullable: true }),
      commitsCount: t.expose('commitsCount', { type: 'Int', nullable: true }),
      creator: t.expose('creator', { type: types.user, nullable: true }),
      creatorUsername: t.expose('creatorUsername', { type: 'String', nullable: false }),
      deletions: t.expose('deletions', { type: 'Int', nullable: true }),
      draft: t.expose('draft', { type: 'Boolean', nullable: false }),
      headBranch: t.expose('headBranch', { type: 'String', nullable: false }),
      htmlUrl: t.expose('htmlUrl', { type: 'String', nullable: false }),
      mergeable: t.expose('mergeable', { type: 'Boolean', nullable: true }),
      mergeableStatus: t.expose('mergeableStatus', { type: 'String', nullable: true }),
      number: t.expose('number', { type: 'Int', nullable: false }),
      prClosedAt: t.expose('prClosedAt', { type: 'DateTime', nullable: true }),
      prCreatedAt: t.expose('prCreatedAt', { type: 'DateTime', nullable: true }),
      prMergedAt: t.expose('prMergedAt', { type: 'DateTime', nullable: true }),
      prUpdatedAt: t.expose('prUpdatedAt', { type: 'DateTime', nullable: false }),
      requestedReviewers: t.expose('requestedReviewers', { type: [types.githubRequestedReviewer], nullable: false }),
      requestedTeams: t.expose('requestedTeams', { type: [types.githubRequestedTeam], nullable: false }),
      reviewCommentsCount: t.expose('reviewCommentsCount', { type: 'Int', nullable: true }),
      reviews: t.expose('reviews', { type: [types.pullRequestReview], nullable: false }),
      state: t.expose('state', { type: 'String', nullable: false }),
      title: t.expose('title', { type: 'String', nullable: false }),
    }),
  })

  types.gitHubPullRequestComment.implement({
    fields: (t) => ({
      authorAssociation: t.expose('authorAssociation', { type: types.gitHubAuthorAssociation, nullable: false }),
      body: t.expose('body', { type: 'String', nullable: false }),
      createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false }),
      htmlUrl: t.expose('htmlUrl', { type: 'String', nullable: false }),
      id: t.expose('id', { type: 'Int', nullable: false }),
      issueId: t.expose('issueId', { type: 'Int', nullable: false }),
      updatedAt: t.expose('updatedAt', { type: 'DateTime', nullable: false }),
      user: t.expose('user', { type: types.user, nullable: true }),
      username: t.expose('username', { type: 'String', nullable: false }),
    }),
  })

  types.githubRequestedReviewer.implement({
    fields: (t) => ({
      requestedAt: t.expose('requestedAt', { type: 'DateTime', nullable: true }),
      user: t.expose('user', { type: types.user, nullable: true }),
      username: t.expose('username', { type: 'String', nullable: false }),
    }),
  })

  types.githubRequestedTeam.implement({
    fields: (t) => ({
      name: t.expose('name', { type: 'String', nullable: false }),
      requestedAt: t.expose('requestedAt', { type: 'DateTime', nullable: true }),
    }),
  })

  types.pullRequestReview.implement({
    fields: (t) => ({
      body: t.expose('body', { type: 'String', nullable: true }),
      comments: t.expose('comments', { type: [types.gitHubPullRequestReviewComment], nullable: false }),
      id: t.expose('id', { type: 'Int', nullable: false }),
      state: t.expose('state', { type: types.pullRequestReviewState, nullable: false }),
      submittedAt: t.expose('submittedAt', { type: 'DateTime', nullable: true }),
      syncedAt: t.expose('syncedAt', { type: 'DateTime', nullable: true }),
      user: t.expose('user', { type: types.user, nullable: true }),
      username: t.expose('username', { type: 'String', nullable: false }),
    }),
  })

  types.gitHubPullRequestReviewComment.implement({
    fields: (t) => ({
      authorAssociation: t.expose('authorAssociation', { type: types.gitHubAuthorAssociation, nullable: false }),
      body: t.expose('body', { type: 'String', nullable: false }),
      commitId: t.expose('commitId', { type: 'String', nullable: false }),
      createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false }),
      diffHunk: t.expose('diffHunk', { type: 'String', nullable: false }),
      htmlUrl: t.expose('htmlUrl', { type: 'String', nullable: false }),
      id: t.expose('id', { type: 'Int', nullable: false }),
      inReplyToId: t.expose('inReplyToId', { type: 'Int', nullable: true }),
      line: t.expose('line', { type: 'Int', nullable: true }),
      originalCommitId: t.expose('originalCommitId', { type: 'String', nullable: false }),
      originalLine: t.expose('originalLine', { type: 'Int', nullable: true }),
      originalStartLine: t.expose('originalStartLine', { type: 'Int', nullable: true }),
      path: t.expose('path', { type: 'String', nullable: false }),
      pullRequestReviewId: t.expose('pullRequestReviewId', { type: 'Int', nullable: true }),
      side: t.expose('side', { type: types.gitHubPullRequestReviewCommentSide, nullable: true }),
      startLine: t.expose('startLine', { type: 'Int', nullable: true }),
      startSide: t.expose('startSide', { type: types.gitHubPullRequestReviewCommentSide, nullable: true }),
      subjectType: t.expose('subjectType', { type: types.gitHubPullRequestReviewCommentSubjectType, nullable: true }),
      updatedAt: t.expose('updatedAt', { type: 'DateTime', nullable: false }),
      user: t.expose('user', { type: types.user, nullable: true }),
      username: t.expose('username', { type: 'String', nullable: false }),
    }),
  })

  types.pullRequestCommentEvent.implement({
    fields: (t) => ({
      action: t.expose('action', { type: types.pullRequestCommentEventAction, nullable: false }),
      comment: t.expose('comment', { type: types.gitHubPullRequestComment, nullable: false }),
      event: t.expose('event', { type: 'String', nullable: false }),
      pullRequest: t.expose('pullRequest', { type: types.pullRequest, nullable: true }),
    }),
  })

  types.pullRequestEvent.implement({
    fields: (t) => ({
      action: t.expose('action', { type: types.pullRequestEventAction, nullable: false }),
      event: t.expose('event', { type: 'String', nullable: false }),
      pullRequest: t.expose('pullRequest', { type: types.pullRequest, nullable: false }),
    }),
  })

  types.pullRequestReviewCommentEvent.implement({
    fields: (t) => ({
      action: t.expose('action', { type: types.pullRequestReviewCommentEventAction, nullable: false }),
      comment: t.expose('comment', { type: types.gitHubPullRequestReviewComment, nullable: false }),
      event: t.expose('event', { type: 'String', nullable: false }),
      pullRequest: t.expose('pullRequest', { type: types.pullRequest, nullable: false }),
    }),
  })

  types.pullRequestReviewEvent.implement({
    fields: (t) => ({
      action: t.expose('action', { type: types.pullRequestReviewEventAction, nullable: false }),
      event: t.expose('event', { type: 'String', nullable: false }),
      pullRequest: t.expose('pullRequest', { type: types.pullRequest, nullable: false }),
      review: t.expose('review', { type: types.pullRequestReview, nullable: false }),
    }),
  })
}
