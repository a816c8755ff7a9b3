import type { RepositoryName } from '@boxyard/git-host'
import { and, eq, sql } from 'drizzle-orm'
import type { User } from '../accounts/users.ts'
import { notifications } from '../database/schema.ts'
import { addNotification } from '../notifications/addNotification.ts'
import { wants } from '../notifications/preferences.ts'
import type { PreferenceName } from '../notifications/preferences.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import { projectsOfRepository, visibleProjects } from '../repositories/projects.ts'
import { contentOf, peopleOf } from './pullRequests.ts'
import type { PullRequestRow } from './pullRequests.ts'

/** The words of the bell for each kind, and what somebody switches them off with. */
const kinds = {
  pull_request_review_requested: 'inAppPrReviewRequest',
  pull_request_review_received: 'inAppPrReviewReceived',
} as const satisfies Record<string, PreferenceName>

/** Tells those who are asked for a review now, and the author of what has been reviewed now. `before` is what was known. */
export async function tellReviews(work: Work, before: PullRequestRow | null, row: PullRequestRow): Promise<void> {
  const { pull, reviews } = contentOf(row)
  const known = before && contentOf(before)
  const asked = pull.requestedReviewers.filter(
    ({ id }) => !known?.pull.requestedReviewers.some((reviewer) => reviewer.id === id),
  )
  // Of a pull request that is seen for the first time nobody knows how old its reviews are.
  const given = reviews.filter(
    ({ id, author }) => known && author.id !== pull.author.id && !known.reviews.some((review) => review.id === id),
  )
  if (row.state !== 'open' || asked.length + given.length === 0) return
  const people = await peopleOf(
    work.tx,
    [pull.author, ...asked, ...given.map(({ author }) => author)].map(({ id }) => id),
  )
  const author = people.get(pull.author.id)
  const place = { repository: row, branch: pull.headBranch }
  for (const { id } of asked) {
    const key = `${row.id} asks ${id} ${new Date(pull.updatedAt).toISOString()}`
    const name = author?.username ?? pull.author.login
    await tell(work, people.get(id), 'pull_request_review_requested', { ...place, key, name, number: pull.number })
  }
  for (const { id, author: reviewer } of given) {
    const key = `${row.id} review ${id}`
    const name = people.get(reviewer.id)?.username ?? reviewer.login
    await tell(work, author, 'pull_request_review_received', { ...place, key, name, number: pull.number })
  }
}

/** At the bell, once, of whoever wants to know and may see the repository here. */
async function tell(
  work: Work,
  user: User | undefined,
  kind: keyof typeof kinds,
  what: { repository: RepositoryName; branch: string; key: string; name: string; number: number },
): Promise<void> {
  if (!user || !(await wants(work.tx, user.id, kinds[kind]))) return
  const { repository, branch, key, name, number } = what
  if ((await visibleProjects(work.tx, await projectsOfRepository(work.tx, repository), user)).length === 0) return
  // The same is seen by whoever does it and by the webhook of the git host.
  const told = await work.tx
    .select({ id: notifications.id })
    .from(notifications)
    .where(and(eq(notifications.userId, user.id), sql`${notifications.data} ->> 'key' = ${key}`))
  if (told.length > 0) return
  await addNotification(work, user.id, kind, {
    key,
    author_name: name,
    pull_request_number: number,
    repo_owner: repository.owner,
    repo_name: repository.name,
    branch,
  })
}
