import { expect, it } from 'vitest'
import { RequestError } from '../api/RequestError.ts'
import { editorErrors, loadErrorCode } from './editorErrors.ts'

const error = (status: number) => new RequestError({ status, message: 'said' })

it('sorts failed loads', () => {
  expect(loadErrorCode(error(404), 'devbox')).toBe('DEVBOX_NOT_FOUND')
  expect(loadErrorCode(error(404), 'sandbox')).toBe('SANDBOX_NOT_FOUND')
  expect(loadErrorCode(error(403), 'devbox')).toBe('NO_WORKSPACE_ACCESS')
  expect(loadErrorCode(error(402), 'devbox')).toBe('WORKSPACE_FROZEN')
  expect(loadErrorCode(error(500), 'devbox')).toBe('UNKNOWN_ERROR')
  expect(loadErrorCode(new Error('any'), 'devbox')).toBe('UNKNOWN_ERROR')
})

it('AP941: the details are hidden of what is not there, is closed to the person or is frozen, and shown of anything else', () => {
  const hidden = Object.entries(editorErrors).flatMap(([code, entry]) => (entry.details ? [] : [code]))
  expect(hidden).toEqual([
    'DEVBOX_NOT_FOUND',
    'SANDBOX_NOT_FOUND',
    'NO_WORKSPACE_ACCESS',
    'REQUEST_WORKSPACE_ACCESS',
    'LIVE_SESSION_NOT_FOUND',
    'WORKSPACE_FROZEN',
  ])
})
