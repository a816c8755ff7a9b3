import type { NoticeContent } from '@boxyard/ui'
import type { Sandbox } from '../api/schemas.ts'
import { pendingEdit } from '../repositories/pendingEdit.ts'
import { pendingFork } from './pendingFork.ts'

/**
 * Forgets what a visitor typed that waited for them to sign in, when they do not. Answers with what is said then; null where nothing waited, as
 * when they came to the sign-in by a button.
 */
export function giveUpOwnCopy(
  storage: Storage,
  { id, git }: Pick<Sandbox, 'id' | 'git'>,
  signIn: () => void,
): NoticeContent | null {
  const waiting = git
    ? pendingEdit(storage, { owner: git.username, repo: git.repo, branch: git.branch })
    : pendingFork(storage, id)
  if (!waiting.read()) return null
  waiting.clear()
  return {
    uniqueName: 'no-user',
    tone: 'error',
    title: 'Can not seamless branch without a user',
    body: `Sign in to edit ${git ? 'a branch' : 'a copy'} of your own. What you typed is not kept; the original is as it was.`,
    actions: [{ label: 'Sign in', perform: signIn }],
    timeout: 10_000,
  }
}
