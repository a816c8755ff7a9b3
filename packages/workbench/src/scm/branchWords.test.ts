import type { GitStatus } from '@boxyard/protocol'
import { expect, it } from 'vitest'
import { branchEntry, isTarget, nextStep, pullRequestEntry, syncEntry } from './branchWords.ts'

const side = { head: 'abc', branch: 'fix', ahead: 0, behind: 0, safe: true }
const commit = { hash: 'abc', date: '', message: 'm', author: 'a' }
const status = (changes: Partial<GitStatus> = {}): GitStatus => ({
  changedFiles: {},
  deletedFiles: [],
  conflicts: false,
  localChanges: false,
  remote: side,
  target: { ...side, branch: 'main' },
  head: 'abcdef0123',
  commits: [],
  branch: 'fix',
  isMerging: false,
  ...changes,
})

it('WB422: the status bar says on which branch the box is, and what is not committed', () => {
  expect(branchEntry(status()).text).toBe('$(git-branch) fix')
  expect(branchEntry(status({ localChanges: true, conflicts: true, isMerging: true }))).toEqual({
    text: '$(git-branch) fix*!',
    tooltip:
      'The branch of this box is fix. A merge is not finished. There are conflicts. There are changes that are not committed.',
  })
  expect(branchEntry(status({ branch: null })).text).toBe('$(git-branch) abcdef01')
})

it('WB423: it says how far the branch is ahead and behind, also before it was pushed', () => {
  expect(syncEntry(status())).toBeUndefined()
  expect(syncEntry(status({ remote: { ...side, ahead: 2, behind: 1 } }))).toMatchObject({
    text: '$(sync) 1↓ 2↑',
    tooltip: 'Pull 1 commit from the remote. 2 commits are not pushed.',
    action: 'pull',
  })
  const unpushed = { ...side, head: null, branch: null }
  expect(syncEntry(status({ remote: unpushed, commits: [commit] }))).toMatchObject({ action: 'push' })
})

it('WB1078: the branch that work goes to is known as such, and nothing else is', () => {
  const host = { targetBranch: 'main' }
  expect([isTarget({ branch: 'main' }, host), isTarget({ branch: 'better' }, host)]).toEqual([true, false])
  expect([isTarget({ branch: null }, host), isTarget(undefined, host)]).toEqual([false, false])
})

it('WB424: the button offers the next step on the way to a pull request', () => {
  const host = { canPush: true, targetBranch: 'main', pullRequest: undefined }
  expect(nextStep(status({ localChanges: true }), host)).toBe('commitAndPush')
  expect(nextStep(status({ localChanges: true }), undefined)).toBe('commit')
  expect(nextStep(status({ isMerging: true }), { ...host, canPush: false })).toBe('commit')
  expect(nextStep(status({ remote: { ...side, ahead: 1 } }), host)).toBe('push')
  expect(nextStep(status({ remote: { ...side, behind: 1 } }), host)).toBe('pull')
  const pushed = status({ target: { ...side, branch: 'main', ahead: 1 } })
  expect(nextStep(pushed, host)).toBe('createPullRequest')
  const pullRequest = { number: 7, title: 'Fix', state: 'Open' }
  expect(nextStep(pushed, { ...host, pullRequest })).toBeUndefined()
  expect(nextStep({ ...pushed, branch: 'main' }, host)).toBeUndefined()
  expect(nextStep(pushed, undefined)).toBeUndefined()
  expect(pullRequestEntry(pullRequest).text).toBe('$(git-pull-request) #7 Open')
})
