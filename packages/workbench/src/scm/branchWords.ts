import type { GitStatus } from '@boxyard/protocol'
import type { BranchPullRequest } from './branchHost.ts'

export interface StatusEntry {
  text: string
  tooltip: string
}

/** The branch and what is not committed, in the status bar. */
export function branchEntry({ branch, head, localChanges, conflicts, isMerging }: GitStatus): StatusEntry {
  const name = branch ?? (head ? head.slice(0, 8) : 'no branch')
  const marks = `${localChanges ? '*' : ''}${conflicts ? '!' : ''}`
  const notes = [
    branch === null ? 'The files are at a commit, on no branch.' : `The branch of this box is ${branch}.`,
    ...(isMerging ? ['A merge is not finished.'] : []),
    ...(conflicts ? ['There are conflicts.'] : []),
    ...(localChanges ? ['There are changes that are not committed.'] : []),
  ]
  return { text: `$(git-branch) ${name}${marks}`, tooltip: notes.join(' ') }
}

/** How far the branch and its remote are apart; undefined when there is nothing to pull or push. */
export function syncEntry({ remote, commits }: GitStatus): (StatusEntry & { action: 'pull' | 'push' }) | undefined {
  const ahead = remote.branch === null ? commits.length : remote.ahead
  const { behind } = remote
  if (ahead === 0 && behind === 0) return undefined
  const counted = (count: number) => (count === 1 ? '1 commit' : `${count} commits`)
  const action = behind > 0 ? 'pull' : 'push'
  const toPull = behind > 0 ? [`Pull ${counted(behind)} from the remote.`] : []
  const toPush = ahead > 0 ? [`${counted(ahead)} ${ahead === 1 ? 'is' : 'are'} not pushed.`] : []
  return { text: `$(sync) ${behind}↓ ${ahead}↑`, tooltip: [...toPull, ...toPush].join(' '), action }
}

export function pullRequestEntry({ number, title, state }: BranchPullRequest): StatusEntry {
  return { text: `$(git-pull-request) #${number} ${state}`, tooltip: `Show the pull request “${title}”, ${state}.` }
}

/** Whether what is open is the branch that work goes to: nothing of it can be asked to be merged there. */
export function isTarget(status: Pick<GitStatus, 'branch'> | undefined, host: { targetBranch: string }): boolean {
  return status?.branch === host.targetBranch
}

/** What the button below the message does next. */
export type NextStep = 'commitAndPush' | 'commit' | 'push' | 'pull' | 'createPullRequest' | undefined

export function nextStep(
  status: GitStatus,
  host: { canPush: boolean; targetBranch: string; pullRequest: BranchPullRequest | undefined } | undefined,
): NextStep {
  if (status.localChanges || status.isMerging) return host?.canPush ? 'commitAndPush' : 'commit'
  if (!host?.canPush) return undefined
  const sync = syncEntry(status)
  if (sync) return sync.action
  const isOffered = status.branch !== null && !isTarget(status, host) && status.target.ahead > 0
  return isOffered && !host.pullRequest ? 'createPullRequest' : undefined
}
