import { RequestError } from '../api/RequestError.ts'

/** What a person is told when there is no new branch. A name that is taken is not better later. */
export function branchFailure(error: unknown): Error {
  const why = error instanceof Error ? error.message : String(error)
  if (error instanceof RequestError && error.code === 'BRANCH_EXISTS') return error
  return new Error(`Branch cannot be created. Please try again later. ${why}`, { cause: error })
}
