import type { GitItem, GitStatus } from '@boxyard/protocol'

export type ChangeKind = 'modified' | 'added' | 'deleted' | 'renamed' | 'copied' | 'untracked' | 'conflict'

export interface GitChange {
  /** Relative to the workspace. */
  path: string
  kind: ChangeKind
}

/** How each kind of change is marked: the letter, the words, and the color by its name in themes. */
export const changeMarks: Readonly<Record<ChangeKind, { letter: string; words: string; color: string }>> = {
  modified: { letter: 'M', words: 'Modified', color: 'gitDecoration.modifiedResourceForeground' },
  added: { letter: 'A', words: 'Added', color: 'gitDecoration.addedResourceForeground' },
  deleted: { letter: 'D', words: 'Deleted', color: 'gitDecoration.deletedResourceForeground' },
  renamed: { letter: 'R', words: 'Renamed', color: 'gitDecoration.renamedResourceForeground' },
  copied: { letter: 'C', words: 'Copied', color: 'gitDecoration.addedResourceForeground' },
  untracked: { letter: 'U', words: 'Untracked', color: 'gitDecoration.untrackedResourceForeground' },
  conflict: { letter: '!', words: 'Conflict', color: 'gitDecoration.conflictingResourceForeground' },
}

const kinds: Readonly<Partial<Record<GitItem['index'], ChangeKind>>> = {
  M: 'modified',
  A: 'added',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  '?': 'untracked',
  U: 'conflict',
}

/** Every change since the last commit, by path. What is staged counts like what is not: a commit takes both. */
export function gitChanges({ changedFiles, deletedFiles }: GitStatus): GitChange[] {
  return [...Object.values(changedFiles), ...deletedFiles]
    .map((item) => ({ path: item.path, kind: kindOf(item) }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

function kindOf({ path, index, workingTree, isConflicted }: GitItem): ChangeKind {
  if (isConflicted) return 'conflict'
  // A new or renamed file stays one, whatever was edited in it afterwards; one that was deleted afterwards is gone.
  const short = workingTree === 'D' || index === '' ? workingTree : index
  const kind = kinds[short]
  if (!kind) throw new Error(`git tells a change of ${path} that is none: "${index}${workingTree}"`)
  return kind
}

/** Whether the workspace is a repository. */
export function isRepository(status: GitStatus | undefined): status is GitStatus {
  return status !== undefined && (status.branch !== null || status.head !== undefined)
}
