import { Badge, Button, ErrorState, Skeleton } from '@boxyard/ui'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { useApp } from '../App.ts'
import { usePullRequestEvents } from '../live/usePullRequestEvents.ts'
import { MentionTextArea } from '../comments/MentionTextArea.tsx'
import { FileDiff } from './FileDiff.tsx'
import type { NewComment } from './FileDiff.tsx'
import { peopleOfPull } from './peopleOfPull.ts'
import { gitProfile, pullFiles, pullPath, pullRequest, pullSchema } from './queries.ts'
import type { PullPlace } from './queries.ts'
import {
  askReviewersDocument,
  dismissDocument,
  replyDocument,
  reviewDocument,
  withdrawReviewersDocument,
} from './reviewDocuments.ts'
import { ReviewersPanel } from './ReviewersPanel.tsx'
import { ReviewList } from './ReviewList.tsx'

const stateWords: Readonly<Record<string, string>> = { open: 'Open', closed: 'Closed', merged: 'Merged' }
const mergeDocument = `mutation merge($owner: String!, $name: String!, $number: Int!, $method: GitHubPullRequestMergeMethod) {
  mergeGithubPullRequest(owner: $owner, name: $name, pullRequestNumber: $number, mergeMethod: $method)
}`

/** One pull request: what it changes, what people say about it, and how it ends. */
export function PullRequestPage({ place }: { place: PullPlace }) {
  const app = useApp()
  const queries = useQueryClient()
  const pull = useQuery(pullRequest(app, place))
  const files = useQuery(pullFiles(app, place))
  const profile = useQuery(gitProfile(app))
  const [summary, setSummary] = useState('')
  const [drafts, setDrafts] = useState<NewComment[]>([])
  const { owner, repo, number } = place
  const base = { owner, name: repo, number }
  const act = useMutation({
    mutationFn: ({ document, variables }: { document: string; variables: Record<string, unknown> }) =>
      app.graphql.query(document, { variables: { ...base, ...variables }, schema: z.unknown() }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['pull', owner, repo, number] }),
  })

  const turn = useMutation({
    mutationFn: (draft: boolean) => app.rest.patch(pullPath(place), { schema: pullSchema, body: { draft } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['pull', owner, repo, number] }),
  })
  usePullRequestEvents(owner, repo, () => {
    void queries.invalidateQueries({ queryKey: ['pull', owner, repo, number] })
    void queries.invalidateQueries({ queryKey: ['pull-files', owner, repo, number] })
  })

  const failed = pull.error ?? files.error
  if (failed) {
    return (
      <ErrorState title="The pull request could not be loaded" safe="Nothing about it was changed.">
        {failed.message}
      </ErrorState>
    )
  }
  if (!pull.data || !files.data) return <Skeleton className="h-40" />
  const { data } = pull
  const comments = data.reviews.flatMap((review) => review.comments)
  const isOpen = data.state === 'open'
  // Git hosts refuse anything but a comment of the one who asks.
  const isOwn = profile.data?.login === data.creatorUsername
  const people = peopleOfPull(data)
  const review = (event: 'APPROVE' | 'COMMENT' | 'REQUEST_CHANGES') =>
    act.mutate(
      { document: reviewDocument, variables: { body: summary, event, comments: drafts } },
      {
        onSuccess: () => {
          setSummary('')
          setDrafts([])
        },
      },
    )
  const merge = (method: 'MERGE' | 'SQUASH' | 'REBASE') =>
    act.mutate({ document: mergeDocument, variables: { method } })

  return (
    <div className="@container flex flex-col gap-4">
      <header className="flex flex-col gap-1">
        <h1 className="text-20 font-semibold wrap-anywhere">
          {data.title} <span className="text-quiet">#{data.number}</span>
        </h1>
        <p className="flex flex-wrap items-center gap-2 text-quiet">
          <Badge>{data.draft && isOpen ? 'Draft' : (stateWords[data.state] ?? data.state)}</Badge>
          <span className="min-w-0 wrap-anywhere">
            {data.creatorUsername} wants {data.headBranch} in {data.baseBranch}
          </span>
        </p>
        {data.body && <p className="whitespace-pre-wrap wrap-anywhere">{data.body}</p>}
      </header>
      <ReviewList
        reviews={data.reviews}
        canDismiss={isOpen}
        isPending={act.isPending}
        onDismiss={({ id }, message, done) =>
          act.mutate({ document: dismissDocument, variables: { reviewId: id, message } }, { onSuccess: done })
        }
      />
      <div className="flex flex-col gap-4 @min-[760px]:flex-row @min-[760px]:items-start">
        <div className="flex min-w-0 flex-1 flex-col gap-4">
          {files.data.map((file) => (
            <FileDiff
              key={file.path}
              file={file}
              people={people}
              comments={comments.filter(({ path }) => path === file.path)}
              drafts={drafts.filter(({ path }) => path === file.path)}
              onComment={isOpen ? (comment) => setDrafts([...drafts, comment]) : undefined}
              onReply={(commentId, body) => act.mutate({ document: replyDocument, variables: { commentId, body } })}
            />
          ))}
          {(act.error ?? turn.error) && (
            <p role="alert" className="text-danger">
              {(act.error ?? turn.error)?.message}
            </p>
          )}
          {isOpen && (
            <section
              aria-label="Your review"
              className="flex flex-col gap-2 rounded-panel border border-line bg-panel p-3"
            >
              <label className="flex flex-col gap-1">
                Your review
                <MentionTextArea
                  className="min-h-16 rounded-control border border-line-strong bg-ground p-2"
                  value={summary}
                  maxLength={60_000}
                  people={people}
                  onChange={setSummary}
                />
              </label>
              <div className="flex flex-wrap gap-2">
                {!isOwn && (
                  <Button loading={act.isPending} onClick={() => review('APPROVE')}>
                    Approve
                  </Button>
                )}
                <Button disabled={summary === '' && drafts.length === 0} onClick={() => review('COMMENT')}>
                  Comment
                </Button>
                {!isOwn && (
                  <Button disabled={summary === '' && drafts.length === 0} onClick={() => review('REQUEST_CHANGES')}>
                    Ask for changes
                  </Button>
                )}
              </div>
              {isOwn && <p className="text-quiet">Others approve what you ask for, or ask for changes.</p>}
              <div className="flex flex-wrap gap-2">
                <Button
                  variant="primary"
                  disabled={data.mergeable === false || data.draft}
                  onClick={() => merge('SQUASH')}
                >
                  Squash and merge
                </Button>
                <Button disabled={data.mergeable === false || data.draft} onClick={() => merge('MERGE')}>
                  Merge
                </Button>
                <Button disabled={data.mergeable === false || data.draft} onClick={() => merge('REBASE')}>
                  Rebase and merge
                </Button>
              </div>
              <div className="flex flex-wrap items-center gap-2">
                <Button variant="quiet" loading={turn.isPending} onClick={() => turn.mutate(!data.draft)}>
                  {data.draft ? 'Ready for review' : 'Make it a draft'}
                </Button>
                {data.draft && <p className="text-quiet">A draft can be reviewed, and merged when it is ready.</p>}
              </div>
              {data.mergeable === false && (
                <p className="text-quiet">It conflicts with {data.baseBranch}. Merge that branch into it first.</p>
              )}
            </section>
          )}
        </div>
        <aside className="@min-[760px]:w-60 @min-[760px]:shrink-0">
          <ReviewersPanel
            asked={data.requestedReviewers.map(({ username }) => username)}
            reviewed={data.reviews.map(({ username }) => username)}
            canChange={isOpen}
            isPending={act.isPending}
            onAsk={(username, done) =>
              act.mutate({ document: askReviewersDocument, variables: { reviewers: [username] } }, { onSuccess: done })
            }
            onWithdraw={(username) =>
              act.mutate({ document: withdrawReviewersDocument, variables: { reviewers: [username] } })
            }
          />
        </aside>
      </div>
    </div>
  )
}
