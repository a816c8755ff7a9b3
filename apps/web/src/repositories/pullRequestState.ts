import type { Pull } from './queries.ts'

/** What its state comes from. */
export type PullRequestFacts = Pick<Pull, 'state' | 'draft'> & {
  readonly reviews: readonly Pick<Pull['reviews'][number], 'username' | 'state'>[]
}

/** The state of a pull request in one word. */
export function pullRequestState({ state, draft, reviews }: PullRequestFacts): string {
  if (state === 'merged') return 'Merged'
  if (state === 'closed') return 'Closed'
  if (draft) return 'Draft'
  // The last word of each reviewer counts; a comment takes nothing back.
  const words = new Map<string, string>()
  for (const { username, state: said } of reviews) if (said !== 'COMMENTED') words.set(username, said)
  const last = [...words.values()]
  if (last.includes('CHANGES_REQUESTED')) return 'Changes requested'
  return last.includes('APPROVED') ? 'Approved' : 'Open'
}
