import type { ProjectProblem } from '../common/messages.ts'

/** A file can't be compiled. */
export class CompileError extends Error {
  readonly problem: ProjectProblem

  constructor(problem: Partial<ProjectProblem> & { message: string }) {
    super(problem.message)
    this.name = 'CompileError'
    this.problem = { file: null, line: null, column: null, frame: null, ...problem }
  }
}
