import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { GitItem, GitSide, GitStatus } from '@boxyard/protocol'
import type { GitRepository } from './GitRepository.ts'
import type { StatusEntry } from './parseStatus.ts'

/** More changed files than this are not listed: somebody forgot to ignore a folder. */
const MAX_ENTRIES = 10_000
const NO_SIDE: GitSide = { head: null, branch: null, ahead: 0, behind: 0, safe: true }

/** The state of the repository as the protocol tells it. A workspace that is no repository has nothing to tell. */
export async function readGitStatus(
  repository: GitRepository,
  idAt: (absolutePath: string) => string | undefined,
): Promise<GitStatus> {
  if (!repository.exists) return noStatus()
  const { head, branch, upstream, entries } = await repository.status()
  const changed = new Set(entries.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [path, oldPath])))
  const remoteBranch = upstream?.startsWith('origin/') ? upstream.slice('origin/'.length) : branch
  const targetBranch = await repository.targetBranch()
  const remote = await readSide(repository, head, remoteBranch, changed)
  const target = await readSide(repository, head, targetBranch, changed)
  const status: GitStatus = {
    changedFiles: {},
    deletedFiles: [],
    conflicts: entries.some(({ isConflicted }) => isConflicted),
    localChanges: entries.length > 0,
    remote,
    target,
    ...(head === undefined ? {} : { head }),
    commits: head === undefined ? [] : await repository.log(...newCommits(remote, target)),
    branch,
    isMerging: await repository.isMerging(),
    ...((await repository.isShallow()) ? { isShallow: true as const } : {}),
  }
  for (const entry of entries.slice(0, MAX_ENTRIES)) {
    const path = join(repository.root, entry.path)
    const fileId = idAt(path)
    if (isDeleted(entry, path)) status.deletedFiles.push(itemOf(entry, undefined))
    else status.changedFiles[fileId ?? entry.path] = itemOf(entry, fileId)
  }
  return status
}

function noStatus(): GitStatus {
  return {
    changedFiles: {},
    deletedFiles: [],
    conflicts: false,
    localChanges: false,
    remote: NO_SIDE,
    target: NO_SIDE,
    commits: [],
    branch: null,
    isMerging: false,
  }
}

async function readSide(
  repository: GitRepository,
  head: string | undefined,
  branch: string | null,
  changed: ReadonlySet<string>,
): Promise<GitSide> {
  if (branch === null) return NO_SIDE
  const reference = `refs/remotes/origin/${branch}`
  const hash = await repository.commit(reference)
  if (hash === null || head === undefined) return { ...NO_SIDE, head: hash, branch: hash === null ? null : branch }
  const counts = await repository.counts(hash)
  const safe = counts.behind === 0 || (await repository.mergesCleanly(hash, changed))
  return { head: hash, branch, ...counts, safe }
}

/** What only this branch has: compared with its own remote, else with where its work goes, else everything. */
function newCommits(remote: GitSide, target: GitSide): string[] {
  const known = remote.head ?? target.head
  return known === null ? ['HEAD'] : [`${known}..HEAD`]
}

function itemOf(entry: StatusEntry, fileId: string | undefined): GitItem {
  const { path, index, workingTree, isConflicted } = entry
  return {
    path,
    index,
    workingTree,
    isStaged: index !== '' && !isConflicted,
    isConflicted,
    ...(fileId === undefined ? {} : { fileId }),
  }
}

function isDeleted({ index, workingTree, isConflicted }: StatusEntry, path: string): boolean {
  if (isConflicted) return !existsSync(path)
  return workingTree === 'D' || (index === 'D' && workingTree === '')
}
