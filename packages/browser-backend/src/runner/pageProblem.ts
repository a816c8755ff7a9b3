import type { PageProblem } from '../common/agentMessages.ts'
import { cutProblem } from '../common/cutProblem.ts'
import type { ProjectProblem } from '../common/messages.ts'

/** A problem that this page shows over itself, as its pane is told of it. */
export function pageProblem(problem: ProjectProblem, cause: PageProblem['cause']): PageProblem {
  const { message, file, line, column, frame } = cutProblem(problem)
  const frames = file === null ? [] : [{ name: '', file, line: line ?? 1, column: column ?? 1 }]
  return { message, detail: frame, frames, cause, isShown: true }
}
