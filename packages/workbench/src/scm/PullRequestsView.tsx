import '../views/boxView.css'
import type { GitArea } from '@boxyard/dev-server-client'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import type { BranchHost, ListedPullRequest } from './branchHost.ts'
import { isTarget } from './branchWords.ts'

export interface PullRequestsViewProps {
  host: Pick<BranchHost, 'pullRequest' | 'onDidChangePullRequest' | 'showPullRequest' | 'targetBranch'>
  git: Pick<GitArea, 'status' | 'onDidChange'>
  list(): Promise<readonly ListedPullRequest[]>
  /** Undefined where none can be opened for this branch. */
  create: (() => void) | undefined
}

type Answer = { pulls: readonly ListedPullRequest[] } | { error: string }

/** The open pull requests of the repository. Each leads to its review. */
export function PullRequestsView({ host, git, list, create }: PullRequestsViewProps) {
  const subscribe = useCallback(
    (listener: () => void) => {
      const subscription = git.onDidChange(listener)
      return () => subscription.dispose()
    },
    [git],
  )
  const isOnTarget = useSyncExternalStore(subscribe, () => isTarget(git.status, host))
  const [answer, setAnswer] = useState<Answer>()
  const [own, setOwn] = useState(host.pullRequest)
  const ask = useCallback(() => {
    list().then(
      (pulls) => setAnswer({ pulls }),
      (error: unknown) => setAnswer({ error: error instanceof Error ? error.message : String(error) }),
    )
  }, [list])
  useEffect(() => {
    ask()
    const subscription = host.onDidChangePullRequest(() => {
      setOwn(host.pullRequest)
      ask()
    })
    // What happened at the git host meanwhile is seen by who comes back.
    window.addEventListener('focus', ask)
    return () => {
      subscription.dispose()
      window.removeEventListener('focus', ask)
    }
  }, [host, ask])
  return (
    <div className="boxyard-box">
      <section aria-label="Open pull requests" aria-busy={answer === undefined}>
        <h2>
          Open
          <button
            type="button"
            className="codicon codicon-refresh"
            aria-label="Read the pull requests again"
            title="Read the pull requests again"
            onClick={ask}
          />
        </h2>
        {answer && 'error' in answer && (
          <p role="alert" className="boxyard-alert">
            The pull requests were not read: {answer.error}
          </p>
        )}
        {answer && 'pulls' in answer && answer.pulls.length === 0 && (
          <p className="boxyard-quiet">
            No pull request is open. One shows others what a branch changes, so that they can comment before it is
            merged.
            {isOnTarget && ` Make a branch of ${host.targetBranch} for yours: in the status bar, at its name.`}
          </p>
        )}
        {answer && 'pulls' in answer && answer.pulls.length > 0 && (
          <ul>
            {answer.pulls.map((pull) => (
              <PullRequestRow
                key={pull.number}
                pull={pull}
                isOfThisBranch={pull.number === own?.number}
                show={() => host.showPullRequest(pull.number)}
              />
            ))}
          </ul>
        )}
      </section>
      {create && !own && !isOnTarget && (
        <button type="button" className="boxyard-wide-button" onClick={create}>
          Create a pull request of this branch
        </button>
      )}
    </div>
  )
}

interface PullRequestRowProps {
  pull: ListedPullRequest
  isOfThisBranch: boolean
  show(): void
}

function PullRequestRow({ pull, isOfThisBranch, show }: PullRequestRowProps) {
  const { number, title, state, author, branch, target } = pull
  const place = `${author}, ${branch} → ${target}`
  return (
    <li>
      <button
        type="button"
        className="boxyard-list-button"
        aria-label={`Review #${number} ${title}, ${state}, ${place}`}
        title="Open the review"
        onClick={show}
      >
        <span className="boxyard-name">
          #{number} {title}
        </span>
        <span className="boxyard-status">
          {isOfThisBranch ? `This branch · ${state}` : state} · {place}
        </span>
      </button>
    </li>
  )
}
