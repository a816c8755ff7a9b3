import type { CommentSource } from '@boxyard/workbench'
import { useMemo } from 'react'
import type { Sandbox } from '../api/schemas.ts'
import { useApp } from '../App.ts'
import { sandboxComments } from './sandboxComments.ts'

/**
 * Asks for the comments on the texts of a devbox or sandbox, which the editor does once it stands. On a branch people talk in the review
 * of its pull request.
 */
export function useSandboxComments(
  { id, git }: Sandbox,
  isSignedIn: boolean,
): (() => Promise<CommentSource>) | undefined {
  const app = useApp()
  const isBranch = git != null
  return useMemo(
    () => (isBranch ? undefined : () => sandboxComments(app, id, { canComment: isSignedIn })),
    [app, id, isBranch, isSignedIn],
  )
}
