import { expect, it } from 'vitest'
import { RequestError } from '../api/RequestError.ts'
import { forkFailure } from './forkToDrafts.ts'

it('says why there is no copy, that nothing typed is lost, and what to do', () => {
  const full = forkFailure(new RequestError({ status: 403, code: 'LIMIT_REACHED', message: 'The maximum' }))
  expect(full.title).toBe('We could not fork it to your Drafts folder, because it is full')
  expect(full.actions?.map(({ label }) => label)).toEqual(['Open drafts'])
  const away = forkFailure(new RequestError({ status: 0, message: 'The server does not answer', next: 'Try again.' }))
  expect(away.body).toBe('The server does not answer. What you typed is still in this page. Try again.')
})
