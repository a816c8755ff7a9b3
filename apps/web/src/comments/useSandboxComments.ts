import type { CommentSource } from '@boxyard/workbench'
import { useEffect, useMemo, useRef } from 'react'
import type { Sandbox } from '../api/schemas.ts'
import { useApp } from '../App.ts'
import { sandboxComments } from './sandboxComments.ts'
import type { SandboxComments } from './sandboxComments.ts'

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
  const latest = useRef(id)
  const opened = useRef<Promise<SandboxComments> | null>(null)
  useEffect(() => {
    latest.current = id
    opened.current
      ?.then((comments) => comments.moveTo(id))
      .catch((error: unknown) => console.warn('The comments are those of before', error))
  }, [id])
  return useMemo(
    () =>
      isBranch ? undefined : () => (opened.current = sandboxComments(app, latest.current, { canComment: isSignedIn })),
    [app, isBranch, isSignedIn],
  )
}
