/** What the git host is asked to tell. */
export const webhookEvents = [
  'push',
  'create',
  'delete',
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
  'issue_comment',
  'status',
] as const
