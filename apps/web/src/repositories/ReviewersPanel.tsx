import { Avatar, Button, IconButton, Input } from '@boxyard/ui'
import { useState } from 'react'
import { X } from 'lucide-react'

interface ReviewersPanelProps {
  /** Names at the git host, in the order in which they were asked. */
  asked: readonly string[]
  /** Who has reviewed it; their reviews are beside. */
  reviewed: readonly string[]
  canChange: boolean
  isPending: boolean
  onAsk: (username: string, done: () => void) => void
  onWithdraw: (username: string) => void
}

/** Who is asked to review a pull request, and how somebody else is asked. */
export function ReviewersPanel({ asked, reviewed, canChange, isPending, onAsk, onWithdraw }: ReviewersPanelProps) {
  const [name, setName] = useState('')
  const wanted = name.trim()
  return (
    <section aria-label="Reviewers" className="flex flex-col gap-2 rounded-panel border border-line bg-panel p-3">
      <h2 className="text-14 font-semibold">Reviewers</h2>
      {asked.length === 0 && <p className="text-quiet">Nobody is asked to review it.</p>}
      {asked.length > 0 && (
        <ul className="flex flex-col gap-1">
          {asked.map((username) => (
            <li key={username} className="flex min-h-7 items-center gap-2">
              <Avatar name={username} size="s" />
              <span className="min-w-0 flex-1 truncate">
                {username}
                <span className="block text-12 text-quiet">
                  {reviewed.includes(username) ? 'asked again' : 'asked, not answered yet'}
                </span>
              </span>
              {canChange && (
                <IconButton
                  label={`Withdraw the request to ${username}`}
                  size="small"
                  disabled={isPending}
                  onClick={() => onWithdraw(username)}
                >
                  <X aria-hidden size={16} strokeWidth={1.5} />
                </IconButton>
              )}
            </li>
          ))}
        </ul>
      )}
      {canChange && (
        <form
          className="flex flex-col gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            if (wanted !== '') onAsk(wanted, () => setName(''))
          }}
        >
          <Input
            label="Ask for a review"
            placeholder="Name at the git host"
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <Button type="submit" loading={isPending} disabled={wanted === ''}>
            Ask
          </Button>
        </form>
      )}
    </section>
  )
}
