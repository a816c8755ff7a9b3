import { ProtocolError, rawFsError } from '@boxyard/protocol'
import { expect, it } from 'vitest'
import { fileErrorWords } from './fileErrorWords.ts'

it('WB930: a failure is told with the reason that came along', () => {
  const failure = new ProtocolError('RAWFS_ERROR', 'Something went wrong', { errno: null, reason: 'This is frozen' })
  expect(fileErrorWords(failure)).toBe('Something went wrong: This is frozen')
  expect(fileErrorWords(rawFsError(2, 'File not found'))).toBe('File not found')
  expect(fileErrorWords(new TypeError('boom'))).toBe('boom')
  expect(fileErrorWords('boom')).toBe('boom')
})
