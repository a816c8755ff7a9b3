/** A review, whole or of a single line comment. */
export const reviewDocument = `mutation review($owner: String!, $name: String!, $number: Int!, $body: String, $commitId: String, $event: GitHubPullRequestReviewAction!, $comments: [GithubPullRequestReviewCommentInput!]) {
  createGithubPullRequestReview(owner: $owner, name: $name, pullRequestNumber: $number, body: $body, commitId: $commitId, event: $event, comments: $comments) { id }
}`

/** An answer in the thread of a line comment. */
export const replyDocument = `mutation reply($owner: String!, $name: String!, $number: Int!, $commentId: Int!, $body: String!) {
  replyToGithubPullRequestReview(owner: $owner, name: $name, pullRequestNumber: $number, commentId: $commentId, body: $body) { id }
}`
