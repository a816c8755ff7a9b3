import type { Mentionable } from '@boxyard/workbench/mentions'
import type { Pull } from './queries.ts'

/** Who has to do with a pull request, each once: its author, those who are asked for a review, and those who said something. */
export function peopleOfPull({
  creatorUsername,
  requestedReviewers,
  reviews,
}: Pick<Pull, 'creatorUsername' | 'requestedReviewers' | 'reviews'>): Mentionable[] {
  const names = [
    creatorUsername,
    ...requestedReviewers.map(({ username }) => username),
    ...reviews.flatMap(({ username, comments }) => [username, ...comments.map((comment) => comment.username)]),
  ]
  return [...new Set(names)].map((username) => ({ username, name: null }))
}
