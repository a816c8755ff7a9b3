import { NO_COMMIT, RefMoved } from '../git/bareRepository.ts'
import { mergeCommits } from '../git/mergeMethods.ts'
import type { MergeMethod } from '../git/mergeMethods.ts'
import type { PullRecord, RepositoryRecord } from '../repositories/records.ts'
import type { HostParts } from '../rest/hostParts.ts'
import { RestError } from '../rest/restError.ts'
import type { GitAccount } from '../storage.ts'
import { afterRefChanges, changePull, emitPull, pullHeadRef } from './afterRefChanges.ts'

export interface NewPull {
  title: string
  body: string | null
  draft: boolean
  baseRef: string
  headRef: string
  head: RepositoryRecord
}

export async function createPull(
  parts: HostParts,
  base: RepositoryRecord,
  { title, body, draft, baseRef, headRef, head }: NewPull,
  author: GitAccount,
): Promise<PullRecord> {
  const refuse = (message: string) =>
    new RestError(422, 'Validation Failed', [{ resource: 'PullRequest', code: 'custom', message }])
  const git = parts.gitOf(base)
  const [baseSha, headSha] = await Promise.all([
    git.resolve(`refs/heads/${baseRef}`),
    parts.gitOf(head).resolve(`refs/heads/${headRef}`),
  ])
  if (baseSha === null) throw RestError.invalid('PullRequest', 'base', 'invalid')
  if (headSha === null) throw RestError.invalid('PullRequest', 'head', 'invalid')
  const same = { repositoryId: base.id, headRepositoryId: head.id, headRef, baseRef, state: 'open' as const }
  const headLabel = `${head.ownerLogin}:${headRef}`
  return parts.queue.run(base.id, async () => {
    if ((await parts.storage.pulls.count(same)) > 0) throw refuse(`A pull request already exists for ${headLabel}.`)
    const number = await parts.storage.takeNumber(base.id)
    await git.takeRef(parts.gitOf(head), `refs/heads/${headRef}`, pullHeadRef(number))
    if ((await git.count(headSha, baseSha)) === 0) {
      await git.updateRef(pullHeadRef(number), NO_COMMIT, headSha)
      throw refuse(`No commits between ${baseRef} and ${headRef}`)
    }
    const now = parts.now()
    const pull = await parts.storage.transaction(async (tx) => {
      const created = await tx.pulls.insert({
        repositoryId: base.id,
        number,
        title,
        body,
        state: 'open',
        draft,
        authorId: author.id,
        headRepositoryId: head.id,
        headLabel,
        headRef,
        headSha,
        baseRef,
        baseSha,
        merged: false,
        mergedById: null,
        mergeCommitSha: null,
        insertedAt: now,
        updatedAt: now,
        closedAt: null,
        mergedAt: null,
      })
      await emitPull(parts, tx, created, 'pull_request', 'opened', {}, author, now)
      return created
    })
    parts.onDelivery()
    return pull
  })
}

/** The commits a pull request is about: from where it left its base branch, to its head. */
export async function pullRange(parts: HostParts, repository: RepositoryRecord, pull: PullRecord) {
  const git = parts.gitOf(repository)
  const branch = pull.state === 'open' ? await git.resolve(`refs/heads/${pull.baseRef}`) : null
  const base = branch ?? pull.baseSha
  return { git, base, mergeBase: await git.mergeBase(base, pull.headSha), head: pull.headSha }
}

export interface MergeOptions {
  method: MergeMethod
  title: string | null
  message: string | null
  /** The head that was looked at; another one is not merged. */
  sha: string | null
}

/** Merges a pull request. The branch moves only from where it was when the merge was made. */
export async function mergePull(
  parts: HostParts,
  repository: RepositoryRecord,
  number: number,
  options: MergeOptions,
  merger: GitAccount,
): Promise<PullRecord> {
  const git = parts.gitOf(repository)
  return parts.queue.run(repository.id, async () => {
    const [pull] = await parts.storage.pulls.find({ repositoryId: repository.id, number })
    if (!pull || pull.state !== 'open' || pull.draft) throw new RestError(405, 'Pull Request is not mergeable')
    if (options.sha !== null && options.sha !== pull.headSha) {
      throw new RestError(409, 'Head branch was modified. Review and try the merge again.')
    }
    const ref = `refs/heads/${pull.baseRef}`
    const base = await git.resolve(ref)
    if (base === null) throw new RestError(405, 'Pull Request is not mergeable')
    const commits = await git.log({ head: pull.headSha, base })
    const oldest = commits.at(-1)
    const committer = parts.signatureOf(merger)
    const [authorAccount] = await parts.storage.findAccounts([pull.authorId])
    const isMerge = options.method === 'merge'
    const sha = await mergeCommits(git, {
      base,
      head: pull.headSha,
      method: options.method,
      title:
        options.title ??
        (isMerge
          ? `Merge pull request #${number} from ${pull.headLabel.replace(':', '/')}`
          : `${pull.title} (#${number})`),
      message:
        options.message ??
        (isMerge
          ? pull.title
          : commits.length > 1
            ? commits
                .toReversed()
                .map(({ message }) => `* ${message}`)
                .join('\n\n')
            : (pull.body ?? '')),
      committer,
      author: authorAccount ? parts.signatureOf(authorAccount) : (oldest?.author ?? committer),
    })
    if (sha === null) throw new RestError(405, 'Pull Request is not mergeable: it has conflicts')
    try {
      await git.updateRef(ref, sha, base)
    } catch (error) {
      if (error instanceof RefMoved)
        throw new RestError(409, 'Base branch was modified. Review and try the merge again.')
      throw error
    }
    const now = parts.now()
    const merged = await parts.storage.transaction((tx) =>
      changePull(
        parts,
        tx,
        pull,
        {
          state: 'closed',
          merged: true,
          mergedById: merger.id,
          mergeCommitSha: sha,
          baseSha: base,
          mergedAt: now,
          closedAt: now,
        },
        { action: 'closed' },
        merger,
        now,
      ),
    )
    await afterRefChanges(parts, repository, [{ ref, before: base, after: sha }], merger)
    return merged
  })
}

/** Merges the base branch into the head of a pull request, as its author would. */
export async function updatePullBranch(
  parts: HostParts,
  repository: RepositoryRecord,
  pull: PullRecord,
  head: RepositoryRecord,
  account: GitAccount,
): Promise<void> {
  const git = parts.gitOf(head)
  const base = await parts.gitOf(repository).resolve(`refs/heads/${pull.baseRef}`)
  if (base === null || pull.state !== 'open') throw new RestError(422, 'There is nothing to update')
  await parts.queue.run(head.id, async () => {
    const incoming = 'refs/boxyard/incoming'
    await git.takeRef(parts.gitOf(repository), `refs/heads/${pull.baseRef}`, incoming)
    const committer = parts.signatureOf(account)
    const title = `Merge branch '${pull.baseRef}' into ${pull.headRef}`
    const request = {
      base: pull.headSha,
      head: base,
      method: 'merge' as const,
      title,
      message: '',
      committer,
      author: committer,
    }
    const sha = (await git.isAncestor(base, pull.headSha)) ? null : await mergeCommits(git, request)
    if (sha === null) throw new RestError(422, 'There are no new commits on the base branch, or they conflict.')
    const ref = `refs/heads/${pull.headRef}`
    await git.updateRef(ref, sha, pull.headSha)
    await afterRefChanges(parts, head, [{ ref, before: pull.headSha, after: sha }], account)
  })
}
