import { ApiError } from '@boxyard/api'
import { BoxError, boxErrors } from '@boxyard/boxes'

/** What went wrong with a machine, for a program: the text says what happened and what to do. Anything else stays what it is. */
export function asApiError(error: unknown): unknown {
  if (!(error instanceof BoxError)) return error
  const { message, next } = boxErrors[error.code]
  const code = error.code === 'BOX_NOT_FOUND' ? 'NOT_FOUND' : 'MACHINE_FAILED'
  return new ApiError(code, { detail: `${message}. ${next}`, cause: error })
}
