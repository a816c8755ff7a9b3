import { ApiError } from '@boxyard/api'
import type { DiffSide, GitHost, RepositoryName } from '@boxyard/git-host'
import { z } from 'zod'
import type { Builder } from '../graphql/builder.ts'
import type { GraphqlContext } from '../graphql/graphqlContext.ts'
import { requireUser } from '../graphql/requireUser.ts'
import type { GraphqlTypes } from '../graphql/types.ts'
import { validInput } from '../graphql/validInput.ts'
import type { PullRequestShape } from './graphqlTypes.ts'

const text = z.string().min(1).max(65_536)
const side = (value: 'left' | 'right'): DiffSide => (value === 'left' ? 'LEFT' : 'RIGHT')

function reviewIn(pullRequest: PullRequestShape, id: number) {
  const review = pullRequest.reviews.find((each) => each.id === id)
  if (!review) throw new ApiError('GIT_HOST_CONFLICT')
  return review
}

function commentIn(pullRequest: PullRequestShape, id: number) {
  const comment = pullRequest.reviews.flatMap(({ comments }) => comments).find((each) => each.id === id)
  if (!comment) throw new ApiError('GIT_HOST_CONFLICT')
  return comment
}

/** What people do with pull requests. The git host has the last word about who may. */
export function defineReviewMutations(builder: Builder, types: GraphqlTypes): void {
  const reviewsOf = ({ reviews }: GraphqlContext) => reviews

  builder.mutationFields((t) => {
    const repository = { name: t.arg.string({ required: true }), owner: t.arg.string({ required: true }) }
    const pull = { ...repository, pullRequestNumber: t.arg.int({ required: true }) }
    const changingReviewers = (
      action: string,
      change: (host: GitHost, repository: RepositoryName, number: number, reviewers: string[]) => Promise<unknown>,
    ) =>
      t.field({
        type: [types.githubRequestedReviewer],
        nullable: false,
        args: { ...pull, reviewers: t.arg.stringList({ required: true }) },
        resolve: async (_root, args, context) => {
          const number = args.pullRequestNumber
          const reviewers = validInput(z.array(z.string().max(39)).min(1).max(15), args.reviewers)
          const { pullRequest } = await reviewsOf(context).act(
            requireUser(context),
            args,
            number,
            async (host, found) => {
              await change(host, found, number, reviewers)
              return { result: null, event: { kind: 'PullRequestEvent', action } }
            },
          )
          return pullRequest.requestedReviewers
        },
      })
    return {
      createGithubPullRequestReview: t.field({
        type: types.pullRequestReview,
        nullable: false,
        args: {
          ...pull,
          body: t.arg.string(),
          comments: t.arg({ type: [types.githubPullRequestReviewCommentInput] }),
          commitId: t.arg.string(),
          event: t.arg({ type: types.gitHubPullRequestReviewAction, required: true }),
        },
        resolve: async (_root, args, context) => {
          const body = validInput(z.string().max(65_536), args.body ?? '')
          const comments = args.comments ?? []
          validInput(z.array(z.looseObject({ body: text })).max(200), comments)
          const { result, pullRequest } = await reviewsOf(context).act(
            requireUser(context),
            args,
            args.pullRequestNumber,
            async (host, found) => {
              const review = await host.createReview(found, args.pullRequestNumber, {
                event: ({ approve: 'APPROVE', comment: 'COMMENT', request_changes: 'REQUEST_CHANGES' } as const)[
                  args.event
                ],
                body,
                ...(args.commitId == null ? {} : { commitId: args.commitId }),
                comments: comments.map((comment) => ({
                  path: comment.path,
                  body: comment.body,
                  line: comment.line,
                  side: side(comment.side),
                  ...(comment.startLine == null ? {} : { startLine: comment.startLine }),
                  ...(comment.startSide == null ? {} : { startSide: side(comment.startSide) }),
                })),
              })
              return {
                result: review.id,
                event: { kind: 'PullRequestReviewEvent', action: 'submitted', reviewId: review.id },
              }
            },
          )
          return reviewIn(pullRequest, result)
        },
      }),

      updateGithubPullRequestReview: t.field({
        type: types.pullRequestReview,
        nullable: false,
        args: { ...pull, body: t.arg.string({ required: true }), pullRequestReviewId: t.arg.int({ required: true }) },
        resolve: async (_root, args, context) => {
          const { pullRequestNumber: number, pullRequestReviewId: reviewId } = args
          const body = validInput(text, args.body)
          const { pullRequest } = await reviewsOf(context).act(
            requireUser(context),
            args,
            number,
            async (host, found) => {
              await host.updateReview(found, number, reviewId, body)
              return { result: null, event: { kind: 'PullRequestReviewEvent', action: 'edited', reviewId } }
            },
          )
          return reviewIn(pullRequest, reviewId)
        },
      }),

      dismissGithubPullRequestReview: t.field({
        type: types.pullRequestReview,
        nullable: false,
        args: {
          ...pull,
          message: t.arg.string({ required: true }),
          pullRequestReviewId: t.arg.int({ required: true }),
        },
        resolve: async (_root, args, context) => {
          const { pullRequestNumber: number, pullRequestReviewId: reviewId } = args
          const message = validInput(text, args.message)
          const { pullRequest } = await reviewsOf(context).act(
            requireUser(context),
            args,
            number,
            async (host, found) => {
              await host.dismissReview(found, number, reviewId, message)
              return { result: null, event: { kind: 'PullRequestReviewEvent', action: 'dismissed', reviewId } }
            },
          )
          return reviewIn(pullRequest, reviewId)
        },
      }),

      replyToGithubPullRequestReview: t.field({
        type: types.gitHubPullRequestReviewComment,
        nullable: false,
        args: { ...pull, body: t.arg.string({ required: true }), commentId: t.arg.int({ required: true }) },
        resolve: async (_root, args, context) => {
          const number = args.pullRequestNumber
          const body = validInput(text, args.body)
          const { result, pullRequest } = await reviewsOf(context).act(
            requireUser(context),
            args,
            number,
            async (host, found) => {
              const { id } = await host.replyToReviewComment(found, number, args.commentId, body)
              return { result: id, event: { kind: 'PullRequestReviewCommentEvent', action: 'created', commentId: id } }
            },
          )
          return commentIn(pullRequest, result)
        },
      }),

      updateGithubPullRequestReviewComment: t.field({
        type: types.gitHubPullRequestReviewComment,
        nullable: false,
        args: { ...repository, body: t.arg.string({ required: true }), commentId: t.arg.int({ required: true }) },
        resolve: async (_root, args, context) => {
          const { commentId } = args
          const body = validInput(text, args.body)
          const number = await reviewsOf(context).numberOfComment(args, commentId)
          const { pullRequest } = await reviewsOf(context).act(
            requireUser(context),
            args,
            number,
            async (host, found) => {
              await host.updateReviewComment(found, commentId, body)
              return { result: null, event: { kind: 'PullRequestReviewCommentEvent', action: 'edited', commentId } }
            },
          )
          return commentIn(pullRequest, commentId)
        },
      }),

      deleteGithubPullRequestReviewComment: t.field({
        type: 'String',
        nullable: false,
        args: { ...repository, commentId: t.arg.int({ required: true }) },
        resolve: async (_root, args, context) => {
          const { commentId } = args
          const number = await reviewsOf(context).numberOfComment(args, commentId)
          await reviewsOf(context).act(requireUser(context), args, number, async (host, found) => {
            await host.removeReviewComment(found, commentId)
            return { result: null, event: { kind: 'PullRequestEvent', action: 'edited' } }
          })
          return String(commentId)
        },
      }),

      requestGithubPullRequestReviewers: changingReviewers('review_requested', (host, ...args) =>
        host.requestReviewers(...args),
      ),
      removeRequestedGithubPullRequestReviewers: changingReviewers('review_request_removed', (host, ...args) =>
        host.removeRequestedReviewers(...args),
      ),

      mergeGithubPullRequest: t.field({
        type: 'String',
        nullable: false,
        args: { ...pull, mergeMethod: t.arg({ type: types.gitHubPullRequestMergeMethod }) },
        resolve: async (_root, args, context) => {
          const number = args.pullRequestNumber
          const { result } = await reviewsOf(context).act(requireUser(context), args, number, async (host, found) => ({
            result: await host.mergePull(found, number, { method: args.mergeMethod ?? 'merge' }),
            event: { kind: 'PullRequestEvent', action: 'closed' },
          }))
          return result
        },
      }),
    }
  })
}
