import { expect, it } from 'vitest'
import { peopleOfPull } from './peopleOfPull.ts'

it('WB1088: who has to do with a pull request can be named there, each once', () => {
  const comment = { username: 'joan' } as never
  const reviews = [{ id: 1, username: 'grace', state: 'COMMENTED', body: null, comments: [comment] }]
  const people = peopleOfPull({ creatorUsername: 'ada', requestedReviewers: [{ username: 'grace' }], reviews })
  expect(people.map(({ username }) => username)).toEqual(['ada', 'grace', 'joan'])
})
