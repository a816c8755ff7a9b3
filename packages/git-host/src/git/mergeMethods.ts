import type { BareRepository } from './bareRepository.ts'
import type { Signature } from './commits.ts'

export type MergeMethod = 'merge' | 'squash' | 'rebase'

export interface MergeRequest {
  base: string
  head: string
  method: MergeMethod
  title: string
  message: string
  /** Who merges. */
  committer: Signature
  /** Who is named as the author of a squashed commit. */
  author: Signature
}

/** Makes the commit that a merge ends with, without moving any ref. Null when a person has to solve conflicts. */
export async function mergeCommits(repository: BareRepository, request: MergeRequest): Promise<string | null> {
  const { base, head, method, title, message, committer, author } = request
  if (method === 'rebase') return rebase(repository, base, head, committer)
  const tree = await repository.mergeTree(base, head)
  if (tree === null) return null
  const text = message === '' ? title : `${title}\n\n${message}`
  return method === 'merge'
    ? repository.writeCommit({ tree, parents: [base, head], message: text, author: committer, committer })
    : repository.writeCommit({ tree, parents: [base], message: text, author, committer })
}

/**
 * Puts the commits of `head` on top of `base`, one by one and without a work tree: a commit with our tree and the parent of theirs makes
 * git find that parent as the base of the merge.
 */
async function rebase(
  repository: BareRepository,
  base: string,
  head: string,
  committer: Signature,
): Promise<string | null> {
  const commits = (await repository.log({ head, base })).toReversed().filter(({ parents }) => parents.length === 1)
  let onto = base
  for (const commit of commits) {
    const ours = await repository.commit(onto)
    const standIn = await repository.writeCommit({
      tree: ours.tree,
      parents: commit.parents,
      message: 'base',
      author: committer,
      committer,
    })
    const tree = await repository.mergeTree(standIn, commit.sha)
    if (tree === null) return null
    const { author, message } = commit
    onto = await repository.writeCommit({ tree, parents: [onto], message, author, committer })
  }
  return onto
}
