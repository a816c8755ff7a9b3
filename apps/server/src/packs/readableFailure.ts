import { ApiError } from '@boxyard/api'
import type { ApiErrorCode } from '@boxyard/api'
import { PackerError, packerErrors } from '@boxyard/packer'

/**
 * What the packer could not do, as people read it: what happened and what to do next. A registry that is away is not the fault of who asks,
 * all else is said with the code given here. Any other failure is passed on as it is.
 */
export function readableFailure(error: unknown, code: ApiErrorCode): unknown {
  if (!(error instanceof PackerError)) return error
  const detail = `${error.message.replace(/\.$/, '')}. ${packerErrors[error.code].next}`
  return new ApiError(error.status >= 500 ? 'UNAVAILABLE' : code, { detail, cause: error })
}
