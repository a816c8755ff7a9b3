import { z } from 'zod'
import type { PullRequestShape } from './graphqlTypes.ts'

const comment = z.object({
  id: z.number(),
  username: z.string(),
  body: z.string(),
  path: z.string(),
  line: z.number().nullable(),
  side: z.string().nullable(),
  commit_id: z.string(),
  in_reply_to_id: z.number().nullable(),
  html_url: z.string(),
  created_at: z.string(),
})

/** A pull request as the editor reads it. */
export const pullSchema = z.object({
  number: z.number(),
  title: z.string(),
  draft: z.boolean(),
  body: z.string().nullable(),
  state: z.string(),
  head_branch: z.string(),
  head_sha: z.string(),
  base_branch: z.string(),
  creator_username: z.string(),
  mergeable: z.boolean().nullable(),
  additions: z.number().nullable(),
  deletions: z.number().nullable(),
  requested_reviewers: z.array(z.object({ username: z.string(), requested_at: z.string().nullable() })),
  reviews: z.array(
    z.object({
      id: z.number(),
      username: z.string(),
      state: z.string(),
      submitted_at: z.string().nullable(),
      body: z.string().nullable(),
      comments: z.array(comment),
    }),
  ),
})

export function presentPull(pull: PullRequestShape): z.infer<typeof pullSchema> {
  return {
    number: pull.number,
    title: pull.title,
    draft: pull.draft,
    body: pull.body,
    state: pull.state,
    head_branch: pull.headBranch,
    head_sha: pull.headSha,
    base_branch: pull.baseBranch,
    creator_username: pull.creatorUsername,
    mergeable: pull.mergeable,
    additions: pull.additions,
    deletions: pull.deletions,
    requested_reviewers: pull.requestedReviewers.map(({ username, requestedAt }) => ({
      username,
      requested_at: requestedAt?.toISOString() ?? null,
    })),
    reviews: pull.reviews.map((review) => ({
      id: review.id,
      username: review.username,
      state: review.state.toUpperCase(),
      submitted_at: review.submittedAt?.toISOString() ?? null,
      body: review.body,
      comments: review.comments.map((each) => ({
        id: each.id,
        username: each.username,
        body: each.body,
        path: each.path,
        line: each.line,
        side: each.side?.toUpperCase() ?? null,
        commit_id: each.commitId,
        in_reply_to_id: each.inReplyToId,
        html_url: each.htmlUrl,
        created_at: each.createdAt.toISOString(),
      })),
    })),
  }
}
