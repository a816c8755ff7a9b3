/** A review, whole or of a single line comment. */
export const reviewDocument = `mutation review($owner: String!, $name: String!, $number: Int!, $body: String, $commitId: String, $event: GitHubPullRequestReviewAction!, $comments: [GithubPullRequestReviewCommentInput!]) {
  createGithubPullRequestReview(owner: $owner, name: $name, pullRequestNumber: $number, body: $body, commitId: $commitId, event: $event, comments: $comments) { id }
}`

/** An answer in the thread of a line comment. */
export const replyDocument = `mutation reply($owner: String!, $name: String!, $number: Int!, $commentId: Int!, $body: String!) {
  replyToGithubPullRequestReview(owner: $owner, name: $name, pullRequestNumber: $number, commentId: $commentId, body: $body) { id }
}`

export const askReviewersDocument = `mutation askReviewers($owner: String!, $name: String!, $number: Int!, $reviewers: [String!]!) {
  requestGithubPullRequestReviewers(owner: $owner, name: $name, pullRequestNumber: $number, reviewers: $reviewers) { __typename }
}`

export const withdrawReviewersDocument = `mutation withdrawReviewers($owner: String!, $name: String!, $number: Int!, $reviewers: [String!]!) {
  removeRequestedGithubPullRequestReviewers(owner: $owner, name: $name, pullRequestNumber: $number, reviewers: $reviewers) { __typename }
}`

export const dismissDocument = `mutation dismiss($owner: String!, $name: String!, $number: Int!, $reviewId: Int!, $message: String!) {
  dismissGithubPullRequestReview(owner: $owner, name: $name, pullRequestNumber: $number, pullRequestReviewId: $reviewId, message: $message) { id }
}`
