import type { PageProblem } from '@boxyard/browser-backend/agent-messages'
import { detailOfProblem, placeOfProblem } from './pageState.ts'

export interface PreviewProblemProps {
  problem: PageProblem
  onOpen(place: { path: string; line: number; column: number }): void
  onClose(): void
}

/** What went wrong in the page, over it, with the way to the place in the code. */
export function PreviewProblem({ problem, onOpen, onClose }: PreviewProblemProps) {
  const place = placeOfProblem(problem)
  const detail = detailOfProblem(problem)
  return (
    <div className="boxyard-problem" role="alert">
      <h2>The page stopped with an error</h2>
      <p>
        Your files are safe.{' '}
        {place ? 'Correct the place it names; the page goes on by itself.' : 'Correct it and reload.'}
      </p>
      <div className="boxyard-problem-actions">
        {place && (
          <button type="button" className="boxyard-primary" onClick={() => onOpen(place)}>
            Open {place.path}:{place.line}
          </button>
        )}
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
      <p className="boxyard-problem-message">{problem.message}</p>
      {detail !== undefined && (
        <pre tabIndex={0} aria-label="Details of the error">
          {detail}
        </pre>
      )}
    </div>
  )
}
