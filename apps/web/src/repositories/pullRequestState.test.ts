import { expect, it } from 'vitest'
import { pullRequestState } from './pullRequestState.ts'

const review = (username: string, state: string) => ({ id: 1, username, state, body: null, comments: [] })
const open = (...reviews: ReturnType<typeof review>[]) => pullRequestState({ state: 'open', draft: false, reviews })

it('says in one word where a pull request is', () => {
  expect(pullRequestState({ state: 'merged', draft: true, reviews: [] })).toBe('Merged')
  expect(pullRequestState({ state: 'closed', draft: false, reviews: [] })).toBe('Closed')
  expect(pullRequestState({ state: 'open', draft: true, reviews: [review('a', 'APPROVED')] })).toBe('Draft')
  expect(open()).toBe('Open')
})

it('counts the last word of each reviewer', () => {
  expect(open(review('a', 'CHANGES_REQUESTED'), review('b', 'APPROVED'))).toBe('Changes requested')
  expect(open(review('a', 'CHANGES_REQUESTED'), review('a', 'APPROVED'))).toBe('Approved')
  expect(open(review('a', 'APPROVED'), review('a', 'COMMENTED'))).toBe('Approved')
  expect(open(review('a', 'CHANGES_REQUESTED'), review('a', 'DISMISSED'))).toBe('Open')
})
