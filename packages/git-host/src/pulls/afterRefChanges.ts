import { NO_COMMIT } from '../git/bareRepository.ts'
import type { PullRecord, RepositoryRecord } from '../repositories/records.ts'
import type { RepositoryStorage } from '../repositories/repositoryStorage.ts'
import type { HostParts } from '../rest/hostParts.ts'
import { moment, presentSimpleUser, Presenter } from '../rest/presenter.ts'
import type { GitAccount } from '../storage.ts'
import { emit } from '../webhooks/emit.ts'

export interface RefChange {
  /** Full name. */
  ref: string
  /** NO_COMMIT where it did not exist. */
  before: string
  /** NO_COMMIT where it does not exist any more. */
  after: string
}

const HEADS = 'refs/heads/'
const MOST_COMMITS = 20

/** Where the head of a pull request is kept in the repository of its base, also when its branch is gone. */
export const pullHeadRef = (number: number) => `refs/pull/${number}/head`

/** The differences between two readings of the refs. */
export function refChanges(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): RefChange[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((ref) => {
    const [from, to] = [before.get(ref) ?? NO_COMMIT, after.get(ref) ?? NO_COMMIT]
    return from === to ? [] : [{ ref, before: from, after: to }]
  })
}

/** What follows when refs of a repository were moved: pull requests follow their branches, and hooks hear of it. */
export async function afterRefChanges(
  parts: HostParts,
  repository: RepositoryRecord,
  changes: readonly RefChange[],
  sender: GitAccount,
): Promise<void> {
  if (changes.length === 0) return
  const now = parts.now()
  const heads = changes.filter(({ ref }) => ref.startsWith(HEADS))
  const moved = new Map(heads.map(({ ref, after }) => [ref.slice(HEADS.length), after]))
  const follow = await followPulls(parts, repository, moved)
  const pushes = await Promise.all(heads.map((change) => describePush(parts, repository, change, sender)))
  await parts.storage.transaction(async (tx) => {
    const [changed] = await tx.repositories.update({ id: repository.id }, { pushedAt: now, updatedAt: now })
    for (const { event, payload } of pushes) await emit(tx, changed!, { event, action: null, payload }, now)
    for (const apply of follow) await apply(tx, sender, now)
  })
  parts.onDelivery()
}

type Apply = (tx: RepositoryStorage, sender: GitAccount, now: Date) => Promise<PullRecord>

async function followPulls(
  parts: HostParts,
  repository: RepositoryRecord,
  moved: ReadonlyMap<string, string>,
): Promise<Apply[]> {
  const applies: Apply[] = []
  const headRef = [...moved.keys()]
  const fromHere = await parts.storage.pulls.find({ headRepositoryId: repository.id, headRef, state: 'open' })
  for (const pull of fromHere) {
    const after = moved.get(pull.headRef)!
    // A pull request whose branch was removed keeps its last head.
    if (after === NO_COMMIT || after === pull.headSha) continue
    const [base] = await parts.storage.repositories.find({ id: pull.repositoryId })
    if (!base) continue
    await parts.gitOf(base).takeRef(parts.gitOf(repository), HEADS + pull.headRef, pullHeadRef(pull.number))
    applies.push((tx, sender, now) =>
      changePull(
        parts,
        tx,
        pull,
        { headSha: after },
        { action: 'synchronize', before: pull.headSha, after },
        sender,
        now,
      ),
    )
  }
  const baseRef = headRef
  for (const pull of await parts.storage.pulls.find({ repositoryId: repository.id, baseRef, state: 'open' })) {
    const after = moved.get(pull.baseRef)!
    if (after === NO_COMMIT || !(await parts.gitOf(repository).isAncestor(pull.headSha, after))) continue
    // Its commits came into the base branch by a push: that merged it.
    applies.push((tx, sender, now) =>
      changePull(
        parts,
        tx,
        pull,
        { state: 'closed', merged: true, mergedById: sender.id, mergeCommitSha: after, mergedAt: now, closedAt: now },
        { action: 'closed' },
        sender,
        now,
      ),
    )
  }
  return applies
}

/** Changes a pull request and tells the hooks of its repository. */
export async function changePull(
  parts: HostParts,
  tx: RepositoryStorage,
  pull: PullRecord,
  change: Partial<PullRecord>,
  { action, ...extra }: { action: string } & Record<string, unknown>,
  sender: GitAccount,
  now: Date,
): Promise<PullRecord> {
  const [changed] = await tx.pulls.update({ id: pull.id }, { ...change, updatedAt: now })
  await emitPull(parts, tx, changed!, 'pull_request', action, extra, sender, now)
  return changed!
}

/** Tells the hooks of a pull request's repository about it, with the members that the event adds. */
export async function emitPull(
  parts: HostParts,
  tx: RepositoryStorage,
  pull: PullRecord,
  event: string,
  action: string,
  extra: Readonly<Record<string, unknown>>,
  sender: GitAccount,
  now: Date,
): Promise<void> {
  const [repository] = await tx.repositories.find({ id: pull.repositoryId })
  const [head] = pull.headRepositoryId === null ? [] : await tx.repositories.find({ id: pull.headRepositoryId })
  const presenter = new Presenter(parts)
  const payload = {
    number: pull.number,
    pull_request: await presenter.pull(pull, repository!, head ?? null),
    repository: presenter.repository(repository!, 'read'),
    sender: presentSimpleUser(sender, parts.publicUrl),
    ...extra,
  }
  await emit(tx, repository!, { event, action, payload }, now)
}

async function describePush(parts: HostParts, repository: RepositoryRecord, change: RefChange, sender: GitAccount) {
  const presenter = new Presenter(parts)
  const { before, after } = change
  const git = parts.gitOf(repository)
  const deleted = after === NO_COMMIT
  const base = before === NO_COMMIT ? await git.resolve(`${HEADS}${repository.defaultBranch}`) : before
  const commits = deleted
    ? []
    : (await git.log({ head: after, base: base === after ? null : base, limit: MOST_COMMITS })).toReversed()
  const shown = commits.map(({ sha, message, author }) => ({
    id: sha,
    message,
    timestamp: moment(author.date),
    author: { name: author.name, email: author.email },
  }))
  return {
    event: 'push',
    payload: {
      ref: change.ref,
      before,
      after,
      created: before === NO_COMMIT,
      deleted,
      forced: before !== NO_COMMIT && !deleted && !(await git.isAncestor(before, after)),
      commits: shown,
      head_commit: shown.at(-1) ?? null,
      pusher: { name: sender.login, email: sender.email },
      repository: presenter.repository(repository, 'read'),
      sender: presentSimpleUser(sender, parts.publicUrl),
    },
  }
}
