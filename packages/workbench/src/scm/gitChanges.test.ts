import type { GitItem, GitStatus } from '@boxyard/protocol'
import { expect, it } from 'vitest'
import { changeMarks, gitChanges, isRepository } from './gitChanges.ts'

const side = { head: null, branch: null, ahead: 0, behind: 0, safe: true }
const item = (path: string, index: GitItem['index'], workingTree: GitItem['workingTree'], isConflicted = false) => ({
  path,
  index,
  workingTree,
  isStaged: false,
  isConflicted,
})
const status = (changed: GitItem[], deleted: GitItem[] = [], branch: string | null = 'main'): GitStatus => ({
  changedFiles: Object.fromEntries(changed.map((one) => [one.path, one])),
  deletedFiles: deleted,
  conflicts: false,
  localChanges: true,
  remote: side,
  target: side,
  commits: [],
  branch,
  isMerging: false,
})

it('WB420: each of the seven kinds of change has its badge', () => {
  const changes = gitChanges(
    status(
      [
        item('a', '', 'M'),
        item('b', 'A', ''),
        item('d', 'R', 'M'),
        item('e', 'C', ''),
        item('f', '?', '?'),
        item('g', 'U', 'U', true),
      ],
      [item('c', '', 'D')],
    ),
  )
  expect(changes.map(({ path, kind }) => `${path}${changeMarks[kind].letter}`)).toEqual([
    'aM',
    'bA',
    'cD',
    'dR',
    'eC',
    'fU',
    'g!',
  ])
})

it('WB420: what is staged counts like what is not, and a letter that git does not have is an error', () => {
  expect(gitChanges(status([item('a', 'M', ''), item('b', 'A', 'M')]))).toEqual([
    { path: 'a', kind: 'modified' },
    { path: 'b', kind: 'added' },
  ])
  expect(() => gitChanges(status([item('a', '', '')]))).toThrow('a change of a that is none')
})

it('WB421: a workspace without a repository has nothing to show', () => {
  expect(isRepository(undefined)).toBe(false)
  expect(isRepository(status([], [], null))).toBe(false)
  expect(isRepository(status([]))).toBe(true)
  expect(isRepository({ ...status([], [], null), head: 'abc' })).toBe(true)
})
