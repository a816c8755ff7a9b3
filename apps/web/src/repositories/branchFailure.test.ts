import { expect, it } from 'vitest'
import { RequestError } from '../api/RequestError.ts'
import { branchFailure } from './branchFailure.ts'

it('AP943: what keeps a branch from being made is said, with what to do', () => {
  const away = new RequestError({ status: 502, message: 'The git host does not answer' })
  expect(branchFailure(away).message).toBe(
    'Branch cannot be created. Please try again later. The git host does not answer',
  )
  const taken = new RequestError({ status: 409, code: 'BRANCH_EXISTS', message: 'Branch fix already exists' })
  expect(branchFailure(taken).message).toBe('Branch fix already exists')
})
