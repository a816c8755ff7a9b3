import { RequestError } from '../api/RequestError.ts'
import { classify } from '../api/RequestError.ts'
import type { EditorErrorCode } from '../editor/editorErrors.ts'

/** Which error of the editor page it is that the address of a branch does not open. */
export function branchErrorCode(error: unknown, isNew: boolean): EditorErrorCode {
  const code = error instanceof RequestError ? error.code : undefined
  const isRefused = error instanceof RequestError && error.status === 403
  if (isNew && (isRefused || code === 'GIT_HOST_NOT_CONNECTED')) return 'NO_WORKSPACE_FOR_BRANCH_CREATION'
  if (code === 'WORKSPACE_ACCESS_NEEDED') return 'REQUEST_WORKSPACE_ACCESS'
  if (isRefused) return 'RESTRICTED_REPOSITORY'
  switch (classify(error)) {
    case 'NOT_FOUND':
      return 'REPOSITORY_NOT_FOUND'
    case 'WORKSPACE_FROZEN':
      return 'WORKSPACE_FROZEN'
    default:
      return 'UNKNOWN_ERROR'
  }
}
