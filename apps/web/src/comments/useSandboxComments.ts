import type { CommentSource } from '@boxyard/workbench'
import { useMemo } from 'react'
import type { Sandbox } from '../api/schemas.ts'
import { useApp } from '../App.ts'
import { sandboxComments } from './sandboxComments.ts'

/** The comments on the texts of a devbox or sandbox. On a branch people talk in the review of its pull request. */
export function useSandboxComments({ id, git }: Sandbox, isSignedIn: boolean): Promise<CommentSource> | undefined {
  const app = useApp()
  const isBranch = git != null
  return useMemo(() => {
    if (isBranch) return undefined
    const opening = sandboxComments(app, id, { canComment: isSignedIn })
    // The workbench says so; nobody else waits for it.
    opening.catch(() => undefined)
    return opening
  }, [app, id, isBranch, isSignedIn])
}
