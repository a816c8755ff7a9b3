import { ProtocolError, rawFsError } from '@boxyard/protocol'
import { expect, it } from 'vitest'
import { fileErrorKind } from './fileErrorKind.ts'

it.each([
  [1, 'noPermission'],
  [2, 'notFound'],
  [13, 'noPermission'],
  [17, 'exists'],
  [20, 'notDirectory'],
  [21, 'isDirectory'],
  [28, 'quota'],
  [39, 'unknown'],
  [null, 'unknown'],
])('WB4: error number %s is %s', (errno, kind) => {
  expect(fileErrorKind(rawFsError(errno, 'refused'))).toBe(kind)
})

it.each([
  ['NO_ACCESS', 'noPermission'],
  ['INVALID_ID', 'notFound'],
  ['INVALID_PATH', 'notFound'],
  ['BOX_NOT_AVAILABLE', 'unavailable'],
  ['CRITICAL_ERROR', 'unknown'],
] as const)('WB4: the protocol error %s is %s', (name, kind) => {
  expect(fileErrorKind(new ProtocolError(name))).toBe(kind)
})

it('WB4: anything else is unknown', () => {
  expect(fileErrorKind(new TypeError('boom'))).toBe('unknown')
  expect(fileErrorKind('boom')).toBe('unknown')
})
