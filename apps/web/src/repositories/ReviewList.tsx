import { Button, Dialog } from '@boxyard/ui'
import { useState } from 'react'
import type { Pull } from './queries.ts'

const words: Readonly<Record<string, string>> = {
  APPROVED: 'approved',
  CHANGES_REQUESTED: 'asked for changes',
  COMMENTED: 'commented',
  DISMISSED: 'reviewed; the review was dismissed',
}
/** A comment decides nothing, so there is nothing to dismiss. */
const deciding: ReadonlySet<string> = new Set(['APPROVED', 'CHANGES_REQUESTED'])

type Review = Pull['reviews'][number]

interface ReviewListProps {
  reviews: readonly Review[]
  canDismiss: boolean
  isPending: boolean
  onDismiss: (review: Review, message: string, done: () => void) => void
}

/** What people said about a pull request as a whole. A review that holds no longer is dismissed with the reason. */
export function ReviewList({ reviews, canDismiss, isPending, onDismiss }: ReviewListProps) {
  const [chosen, setChosen] = useState<Review | null>(null)
  const [message, setMessage] = useState('')
  const close = () => {
    setChosen(null)
    setMessage('')
  }
  return (
    <>
      <ul aria-label="Reviews" className="flex flex-col gap-1">
        {reviews
          .filter(({ body, state }) => body || state !== 'COMMENTED')
          .map((review) => (
            <li key={review.id} className="flex min-h-7 flex-wrap items-end gap-2">
              <span className="min-w-0 whitespace-pre-wrap wrap-anywhere">
                <strong>{review.username}</strong> {words[review.state] ?? review.state}
                {review.body && `: ${review.body}`}
              </span>
              {canDismiss && deciding.has(review.state) && (
                <Button
                  variant="quiet"
                  aria-label={`Dismiss the review of ${review.username}`}
                  onClick={() => setChosen(review)}
                >
                  Dismiss
                </Button>
              )}
            </li>
          ))}
      </ul>
      <Dialog
        open={chosen !== null}
        onOpenChange={close}
        title={`Dismiss the review of ${chosen?.username ?? ''}`}
        description="It stays readable, and decides no longer whether the pull request can be merged."
      >
        <form
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            if (chosen && message.trim() !== '') onDismiss(chosen, message.trim(), close)
          }}
        >
          <label className="flex flex-col gap-1 text-12 text-quiet">
            Why
            <textarea
              className="min-h-16 rounded-control border border-line-strong bg-ground p-2 text-13 text-text"
              value={message}
              maxLength={1000}
              onChange={(event) => setMessage(event.target.value)}
            />
          </label>
          <Button type="submit" variant="primary" loading={isPending} disabled={message.trim() === ''}>
            Dismiss review
          </Button>
        </form>
      </Dialog>
    </>
  )
}
